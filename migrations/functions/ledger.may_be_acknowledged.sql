-- Whether a CRM may still acknowledge an item: a destination that is there waits for it, or refused it since p_since.
CREATE OR REPLACE FUNCTION ledger.may_be_acknowledged(p_item uuid, p_since timestamptz) RETURNS boolean LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM deliver.delivery JOIN deliver.destination USING (destination_id)
    WHERE delivery.item_id = p_item AND destination.status <> 'removed'
      AND (delivery.state <> 'rejected' OR delivery.updated_at >= p_since))
$$;
