-- The flat rows of deliver.record.unconfirmed, as OutgoingLead.unconfirmed has them. Hardly any record has one.
CREATE OR REPLACE FUNCTION deliver.sent_rows(p_items uuid[], p_fixes jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF p_items IS NULL THEN RETURN '[]'; END IF;
  RETURN coalesce(
    (SELECT jsonb_agg(jsonb_build_object('row', deliver.payload(lead.flat, p_fixes)))
     FROM orders.lead WHERE lead.item_id = ANY (p_items)), '[]');
END $$;
