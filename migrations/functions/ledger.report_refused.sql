-- Of a customer whose CRMs refused more than p_rows rows, and more than p_share of those that were held for it in p_window days, what
-- would be released next waits for an operator: each row as a report. Returns how many; run again, none.
CREATE OR REPLACE FUNCTION ledger.report_refused(p_days integer, p_share numeric, p_rows integer, p_window integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  reported bigint;
BEGIN
  WITH waiting AS MATERIALIZED (
    SELECT refused.* FROM ledger.refused_items(p_days) AS refused
    WHERE NOT EXISTS (SELECT FROM orders.dispute WHERE (dispute.item_id, dispute.charge_id) = (refused.item_id, refused.charge_id))
  ), suspicious AS (
    SELECT customer_id FROM (SELECT customer_id, count(*) AS rows FROM waiting GROUP BY customer_id) AS customer
    CROSS JOIN LATERAL (
      SELECT count(*) AS held, count(*) FILTER (WHERE item.refund_reason = 'refused' OR EXISTS (
               SELECT FROM orders.dispute WHERE dispute.item_id = item.item_id AND reported_by = 'system')) AS refused
      FROM ledger.transfer AS charge JOIN orders.item ON item.charge_id = charge.transfer_id
      WHERE charge.customer_id = customer.customer_id AND charge.kind = 'hold'
        AND charge.created_at > now() - make_interval(days => p_window)) AS told
    WHERE customer.rows + told.refused > p_rows AND customer.rows + told.refused > p_share * told.held
  )
  INSERT INTO orders.dispute (item_id, charge_id, reason, reported_by)
  SELECT item_id, charge_id, left('Refused by the CRM: ' || coalesce(refusal, 'it did not say why'), 500), 'system'
  FROM waiting JOIN suspicious USING (customer_id);
  GET DIAGNOSTICS reported = ROW_COUNT;
  RETURN reported;
END $$;
