-- Money for credits is earned as they are spent, which held ones are not yet, and the rest of it when they have lapsed; money
-- for the time of a plan as the time passes, from the start to the end that its term has by now: of at most p_most lots, p_lots
-- alone where they are named, what is due and not yet written. Run again, it writes nothing more. What lapsed is income that no
-- credit was spent for, and stands apart as breakage.
CREATE OR REPLACE FUNCTION ledger.earn_lots(p_lots bigint[], p_most integer) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  lot record;
  written bigint := 0;
  expired bigint;
  broken bigint;
  lapsed bigint;
BEGIN
  FOR lot IN
    SELECT l.*, d.due FROM ledger.lot AS l
    -- A lot keeps the dates that it was opened with; a term ends earlier, or moves up, where money went back. Of terms that share a
    -- lot, as those of version 0.1.0 may, the one that was refunded before it began has no time left.
    LEFT JOIN LATERAL (SELECT starts_at, ends_at FROM access.subscription_term
      WHERE lot_id = l.lot_id AND l.earns_from IS NOT NULL ORDER BY ends_at DESC, starts_at LIMIT 1) AS t ON true
    CROSS JOIN LATERAL (SELECT coalesce(t.starts_at, l.earns_from) AS starts, coalesce(t.ends_at, l.ends_at) AS ends) AS span
    CROSS JOIN LATERAL (
      SELECT floor(CASE
        WHEN l.earns_from IS NOT NULL AND span.ends <= now() THEN l.paid
        WHEN l.earns_from IS NOT NULL THEN l.paid * greatest(0,
          extract(epoch FROM now() - span.starts) / nullif(extract(epoch FROM span.ends - span.starts), 0))
        -- Nothing left to spend earns all of it, and so does nothing left at all.
        WHEN l.total = l.used - l.held THEN l.paid
        ELSE l.paid::numeric * (l.used - l.held) / l.total END)::bigint AS due) AS d
    WHERE l.paid > l.earned AND l.earned < d.due AND (p_lots IS NULL OR l.lot_id = ANY (p_lots))
    ORDER BY l.lot_id LIMIT p_most FOR NO KEY UPDATE OF l
  LOOP
    SELECT coalesce(sum(amount) FILTER (WHERE kind = 'expire'), 0),
           coalesce(sum(CASE kind WHEN 'lapse' THEN amount WHEN 'unlapse' THEN -amount END), 0) INTO expired, broken
    FROM ledger.transfer WHERE transfer.lot_id = lot.lot_id AND kind IN ('expire', 'lapse', 'unlapse');
    lapsed := CASE WHEN lot.earns_from IS NOT NULL OR expired = 0 THEN 0 ELSE greatest(0, least(lot.due - lot.earned,
      lot.due - broken - floor(lot.paid::numeric * (lot.used - lot.held) / (lot.total + expired))::bigint)) END;
    IF lapsed > 0 THEN
      INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, actor, memo)
      VALUES ('lapse', 'lapse:' || lot.lot_id || ':' || pg_current_xact_id(), lot.ledger_account_id, lot.lot_id, lapsed,
              'system', 'credits lapsed');
    END IF;
    IF lot.due - lot.earned > lapsed THEN
      INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, actor, memo)
      VALUES ('earn', 'earn:' || lot.lot_id || ':' || pg_current_xact_id(), lot.ledger_account_id, lot.lot_id,
              lot.due - lot.earned - lapsed, 'system', CASE WHEN lot.earns_from IS NULL THEN 'credits spent' ELSE 'time has passed' END);
    END IF;
    written := written + 1;
  END LOOP;
  RETURN written;
END $$;
