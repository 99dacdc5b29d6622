-- Gives p_credits of those that paid for a term back into the lots that they came from, the last one first; into a lot that has
-- ended, they live on. One row per lot: how many, and when they end; those of a sale whose money went back go with that money.
CREATE OR REPLACE FUNCTION ledger.refund_term(p_reference text, p_credits bigint, p_actor text, p_memo text)
RETURNS TABLE (credits bigint, ends_at timestamptz) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  paid record;
  due bigint := p_credits;
  back bigint;
  lacking bigint;
BEGIN
  FOR paid IN
    SELECT t.transfer_id, t.amount, t.created_at, t.customer_id, lot.lot_id, lot.ends_at
    FROM ledger.transfer AS t JOIN ledger.lot USING (lot_id)
    WHERE t.kind = 'subscribe' AND (t.reference = p_reference OR starts_with(t.reference, p_reference || ':'))
    ORDER BY t.transfer_id DESC
  LOOP
    EXIT WHEN due < 1;
    credits := least(due, paid.amount);
    due := due - credits;
    INSERT INTO ledger.transfer (kind, reference, reverses, amount, actor, memo)
    VALUES ('unsubscribe', 'unsubscribe:' || paid.transfer_id, paid.transfer_id, credits, p_actor, p_memo)
    RETURNING transfer_id INTO back;
    lacking := least(credits, ledger.lacking_credits(paid.lot_id));
    IF lacking > 0 THEN
      INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, actor, memo)
      VALUES ('revoke', 'lacking:' || back, paid.customer_id, paid.lot_id, lacking, p_actor, 'the money for it went back before');
      credits := credits - lacking;
      CONTINUE WHEN credits < 1;
    END IF;
    ends_at := paid.ends_at;
    IF ledger.comes_back_late(paid.ends_at, paid.created_at) THEN
      PERFORM ledger.carry_over(paid.lot_id, credits, back, p_actor);
      SELECT lot.ends_at INTO STRICT ends_at FROM ledger.transfer AS t JOIN ledger.lot USING (lot_id)
      WHERE t.reference = 'carried:' || back;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
