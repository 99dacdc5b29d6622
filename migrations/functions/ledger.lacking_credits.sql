-- Of the sale that a lot belongs to, how many credits more its buyer has, spent or to be spent, than the money pays for that stayed: rows that
-- were used when a part of the money went back. A credit that comes back then was given back in money before.
CREATE OR REPLACE FUNCTION ledger.lacking_credits(p_lot bigint) RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
  WITH sold AS (
    -- Several terms where they share a lot, as those of version 0.1.0 may.
    SELECT term.credits, coalesce(lot.sale, term.reference) AS reference
    FROM ledger.lot LEFT JOIN access.subscription_term AS term
      ON (term.reference = lot.sale OR lot.sale IS NULL AND term.lot_id = lot.lot_id) AND term.paid_with = 'online'
    WHERE lot.lot_id = p_lot
  ), paid AS (
    -- An order that was paid twice is one sale; a term is its own.
    SELECT 'payment:' || every.provider || ':' || every.payment_id AS reference, sold.credits, every.amount,
           (SELECT sum(amount) FROM orders.repayment WHERE (provider, payment_id) = (every.provider, every.payment_id)) AS back
    FROM sold JOIN orders.payment AS named
      ON (named.provider, named.payment_id) = (split_part(sold.reference, ':', 2), substring(sold.reference FROM '^payment:[^:]+:(.*)$'))
    JOIN orders.payment AS every
      ON CASE WHEN sold.credits IS NULL THEN every.order_id = named.order_id OR every.checkout_id = named.checkout_id
              ELSE (every.provider, every.payment_id) = (named.provider, named.payment_id) END
  ), kept AS (
    SELECT sum(coalesce(paid.credits, granted.amount)
               - floor(coalesce(paid.credits, granted.amount) * least(paid.amount, coalesce(paid.back, 0)) / paid.amount)) AS credits
    FROM paid LEFT JOIN ledger.transfer AS granted ON granted.reference = paid.reference AND granted.kind = 'grant'
    HAVING sum(paid.back) > 0
  )
  SELECT coalesce((
    SELECT greatest(0, sum(lot.total) - kept.credits) FROM kept CROSS JOIN ledger.lot
    WHERE lot.ledger_account_id = (SELECT ledger_account_id FROM ledger.lot WHERE lot_id = p_lot)
      AND (lot.lot_id = p_lot OR lot.sale IN (SELECT reference FROM paid))
    GROUP BY kept.credits), 0)::bigint
$$;
