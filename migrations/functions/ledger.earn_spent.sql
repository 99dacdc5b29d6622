-- Money for credits is earned as they are spent, which held ones are not yet, and the rest of it when they have lapsed: of at most p_lots lots, what is
-- due and not yet written. Run again, it writes nothing more.
CREATE OR REPLACE FUNCTION ledger.earn_spent(p_lots integer) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  lot ledger.lot;
  written bigint := 0;
BEGIN
  FOR lot IN
    SELECT * FROM ledger.lot AS l WHERE l.paid > l.earned
      -- Nothing left to spend earns all of it, and so does nothing left at all.
      AND l.earned < CASE WHEN l.total = l.used - l.held THEN l.paid ELSE floor(l.paid::numeric * (l.used - l.held) / l.total) END
    ORDER BY l.lot_id LIMIT p_lots FOR NO KEY UPDATE
  LOOP
    INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, actor, memo)
    VALUES ('earn', 'earn:' || lot.lot_id || ':' || pg_current_xact_id(), lot.ledger_account_id, lot.lot_id,
            (CASE WHEN lot.total = lot.used - lot.held THEN lot.paid
                  ELSE floor(lot.paid::numeric * (lot.used - lot.held) / lot.total) END - lot.earned)::bigint,
            'system', 'credits spent or lapsed');
    written := written + 1;
  END LOOP;
  RETURN written;
END $$;
