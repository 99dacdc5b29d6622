-- Money for credits is earned as they are spent, which held ones are not yet, and the rest of it when they have lapsed; money
-- for the time of a plan as the time passes: of at most p_lots lots, what is due and not yet written. Run again, it writes
-- nothing more.
CREATE OR REPLACE FUNCTION ledger.earn_spent(p_lots integer) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  lot record;
  written bigint := 0;
BEGIN
  FOR lot IN
    SELECT l.*, d.due FROM ledger.lot AS l CROSS JOIN LATERAL (
      SELECT floor(CASE
        WHEN l.earns_from IS NOT NULL THEN l.paid * least(1, greatest(0,
          extract(epoch FROM now() - l.earns_from) / extract(epoch FROM l.ends_at - l.earns_from)))
        -- Nothing left to spend earns all of it, and so does nothing left at all.
        WHEN l.total = l.used - l.held THEN l.paid
        ELSE l.paid::numeric * (l.used - l.held) / l.total END)::bigint AS due) AS d
    WHERE l.paid > l.earned AND l.earned < d.due
    ORDER BY l.lot_id LIMIT p_lots FOR NO KEY UPDATE OF l
  LOOP
    INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, actor, memo)
    VALUES ('earn', 'earn:' || lot.lot_id || ':' || pg_current_xact_id(), lot.ledger_account_id, lot.lot_id, lot.due - lot.earned,
            'system', CASE WHEN lot.earns_from IS NULL THEN 'credits spent or lapsed' ELSE 'time has passed' END);
    written := written + 1;
  END LOOP;
  RETURN written;
END $$;
