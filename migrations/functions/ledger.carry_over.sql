-- Credits that came back into a lot whose end has come, or is near, live on for 30 days more, to the end of a day in India: out of
-- that lot and into one of their own end, of the same sale. p_after: the transfer that brought them, once.
CREATE OR REPLACE FUNCTION ledger.carry_over(p_lot bigint, p_credits bigint, p_after bigint, p_actor text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  ended ledger.lot;
  last_day date := runtime.indian_day(now()) + 30;
  until_at timestamptz := runtime.indian_midnight(last_day + 1);
  target bigint;
BEGIN
  SELECT * INTO STRICT ended FROM ledger.lot WHERE lot_id = p_lot;
  INSERT INTO ledger.lot (ledger_account_id, type, ends_at, sale) VALUES (ended.ledger_account_id, ended.type, until_at, ended.sale)
  ON CONFLICT DO NOTHING;
  SELECT lot_id INTO STRICT target FROM ledger.lot
  WHERE (ledger_account_id, type, ends_at) = (ended.ledger_account_id, ended.type, until_at) AND sale IS NOT DISTINCT FROM ended.sale;
  INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, actor, memo)
  VALUES ('revoke', 'carry:' || p_after, ended.ledger_account_id, p_lot, p_credits, p_actor, 'came back after its end, and lives on');
  INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, actor, memo)
  VALUES ('grant', 'carried:' || p_after, ended.ledger_account_id, target, p_credits, p_actor,
          'came back after its end: to be spent until ' || last_day);
END $$;
