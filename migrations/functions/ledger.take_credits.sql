-- Takes credits from a customer's lots, those that end first before the others: `spend` or `hold` on an order, or `charge` for
-- whichever of both ledger.charge_kind says; `subscribe` for a term of a plan, for which the credits of a plan are not taken;
-- `revoke` for an operator, of one type where it is named. One transfer per lot: the first has the reference, the others the
-- reference and their number. Whole or not at all: where there are too few, or the reference was used before, one row without a
-- transfer says how many there are, and whether it was.
CREATE OR REPLACE FUNCTION ledger.take_credits(
  p_kind text, p_owner uuid, p_credits bigint, p_type text, p_order uuid, p_reference text, p_actor text, p_memo text)
RETURNS TABLE (transfer_id bigint, amount bigint, balance bigint, known boolean) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  customer ledger.account := ledger.customer(p_owner);
  lot ledger.lot;
  available bigint;
  wanted bigint := p_credits;
  taken bigint;
  number integer := 0;
  written ledger.transfer;
BEGIN
  IF p_kind = 'charge' THEN p_kind := ledger.charge_kind(p_owner); END IF;
  IF p_kind NOT IN ('spend', 'hold', 'subscribe', 'revoke') THEN
    RAISE EXCEPTION 'credits are taken by a spend, a hold, a subscribe or a revoke';
  END IF;
  PERFORM ledger.expire_ended(customer.ledger_account_id);
  SELECT coalesce(sum(l.total - l.used), 0) INTO available FROM ledger.lot AS l
  WHERE l.ledger_account_id = customer.ledger_account_id AND l.total > l.used AND (p_type IS NULL OR l.type = p_type)
    AND (p_kind <> 'subscribe' OR l.type <> 'plan');
  IF EXISTS (SELECT FROM ledger.transfer AS t WHERE t.reference = p_reference) THEN
    RETURN QUERY SELECT NULL::bigint, NULL::bigint, available, true;
    RETURN;
  END IF;
  IF available < p_credits OR p_credits < 1 THEN
    RETURN QUERY SELECT NULL::bigint, NULL::bigint, available, false;
    RETURN;
  END IF;
  FOR lot IN
    SELECT * FROM ledger.lot AS l
    WHERE l.ledger_account_id = customer.ledger_account_id AND l.total > l.used AND (p_type IS NULL OR l.type = p_type)
    AND (p_kind <> 'subscribe' OR l.type <> 'plan')
    ORDER BY l.ends_at NULLS LAST, l.lot_id
  LOOP
    taken := least(wanted, lot.total - lot.used);
    number := number + 1;
    INSERT INTO ledger.transfer AS t (kind, reference, customer_id, lot_id, amount, order_id, actor, memo)
    VALUES (p_kind, p_reference || CASE WHEN number > 1 THEN ':' || number ELSE '' END, customer.ledger_account_id,
            lot.lot_id, taken, p_order, p_actor, p_memo)
    RETURNING * INTO written;
    RETURN QUERY SELECT written.transfer_id, written.amount, written.balance_after, false;
    wanted := wanted - taken;
    EXIT WHEN wanted = 0;
  END LOOP;
END $$;
