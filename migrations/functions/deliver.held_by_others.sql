-- What other destinations into the same account of the CRM, whoever owns them, know of a record: at most one row, of the newest
-- lead that the CRM acknowledged or, without any, of one that was sent and not answered. `flat` is that lead, null once something else
-- was sent in its place, or the record was deleted there. `sent` is the same with its fixes, and all that was sent and never answered, as
-- OutgoingLead.unconfirmed has what may stand there. `crm_id` is known of the same customer's alone: nobody is refused a lead because of
-- what became of somebody else's. Hardly any destination has such others.
CREATE OR REPLACE FUNCTION deliver.held_by_others(p_destination uuid, p_record text)
RETURNS TABLE (version timestamptz, flat jsonb, run_id bigint, sent jsonb, crm_id text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp ROWS 1 AS $$
BEGIN
  RETURN QUERY
  SELECT o.sent_version, held.flat, CASE WHEN held.flat IS NOT NULL THEN coalesce(o.reading_run_id, l.registry_run_id) END,
    CASE WHEN held.flat IS NULL THEN '[]' ELSE jsonb_build_array(jsonb_build_object('row', deliver.payload(held.flat, o.fixes))) END
      || deliver.sent_rows(CASE o.state WHEN 'sending' THEN deliver.with_unconfirmed(o.unconfirmed, o.sent_item_id) ELSE o.unconfirmed END, o.fixes),
    CASE WHEN s.account_id = d.account_id THEN o.crm_id END
  FROM deliver.destination d
  JOIN deliver.destination s ON s.connector = d.connector AND s.verified_account = d.verified_account
    AND s.verified_holds = d.verified_holds AND s.destination_id <> d.destination_id
  JOIN deliver.record o ON o.destination_id = s.destination_id AND o.external_id = p_record
  JOIN orders.lead l ON l.item_id = o.sent_item_id
  LEFT JOIN LATERAL (
    SELECT coalesce(o.reading, l.flat) AS flat
    WHERE o.acknowledged_sha256 = sha256(convert_to(deliver.payload(coalesce(o.reading, l.flat), o.fixes)::text, 'UTF8'))
  ) AS held ON true
  WHERE d.destination_id = p_destination
    AND (o.acknowledged_at IS NOT NULL AND o.crm_id IS NOT NULL OR o.state = 'sending' OR o.unconfirmed IS NOT NULL)
  ORDER BY held.flat IS NULL, o.acknowledged_at IS NULL, o.sent_version DESC, s.account_id = d.account_id DESC
  LIMIT 1;
END $$;
