-- Proves the invariants of the ledger from its rows: one row per fault, none where everything holds.
CREATE OR REPLACE FUNCTION ledger.violations() RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT 'both currencies sum to zero', account.currency, 'entries sum to ' || sum(entry.amount)
  FROM ledger.entry JOIN ledger.account USING (ledger_account_id) GROUP BY account.currency HAVING sum(entry.amount) <> 0
  UNION ALL
  SELECT 'a transfer keeps to one currency', transfer.transfer_id::text, source.currency || ' to ' || target.currency
  FROM ledger.transfer
  JOIN ledger.account AS source ON source.ledger_account_id = transfer.from_id
  JOIN ledger.account AS target ON target.ledger_account_id = transfer.to_id
  WHERE source.currency <> target.currency
  UNION ALL
  SELECT 'a kind fixes its accounts', transfer.transfer_id::text, transfer.kind
  FROM ledger.transfer JOIN ledger.kind USING (kind)
  WHERE kind.kind <> 'reversal'
    AND (transfer.from_id, transfer.to_id)
        IS DISTINCT FROM (coalesce(kind.from_id, transfer.customer_id), coalesce(kind.to_id, transfer.customer_id))
  UNION ALL
  SELECT 'a kept balance is the sum of its entries', account.ledger_account_id::text,
         account.balance || ' is kept, entries sum to ' || coalesce(summed.amount, 0)
  FROM ledger.account LEFT JOIN LATERAL (
    SELECT sum(CASE WHEN to_id = customer_id THEN amount ELSE -amount END) AS amount FROM ledger.transfer
    WHERE customer_id = account.ledger_account_id AND customer_id IN (from_id, to_id)) AS summed ON true
  WHERE account.owner_id IS NOT NULL AND account.balance IS DISTINCT FROM coalesce(summed.amount, 0)
  UNION ALL
  SELECT 'the last entry of an account tells its balance', account.ledger_account_id::text,
         account.balance || ' is kept, ' || newest.balance_after || ' was written'
  FROM ledger.account CROSS JOIN LATERAL (
    SELECT balance_after FROM ledger.transfer WHERE customer_id = account.ledger_account_id AND balance_after IS NOT NULL
    ORDER BY transfer_id DESC LIMIT 1) AS newest
  WHERE account.balance IS DISTINCT FROM newest.balance_after
  UNION ALL
  SELECT 'lots make up the balance', account.ledger_account_id::text,
         account.balance || ' is kept, lots hold ' || coalesce(sum(lot.total - lot.used), 0)
  FROM ledger.account LEFT JOIN ledger.lot USING (ledger_account_id) WHERE account.owner_id IS NOT NULL
  GROUP BY account.ledger_account_id HAVING account.balance IS DISTINCT FROM coalesce(sum(lot.total - lot.used), 0)
  UNION ALL
  SELECT 'a lot is the sum of its entries', lot.lot_id::text,
         'total ' || lot.total || ', used ' || lot.used || ', held ' || lot.held || ', paid ' || lot.paid || ', earned ' || lot.earned
  FROM ledger.lot LEFT JOIN LATERAL (
    SELECT sum(CASE WHEN meant IN ('spend', 'hold', 'subscribe', 'unsubscribe', 'refund', 'release') OR balance_after IS NULL THEN 0
                    WHEN to_id = customer_id THEN amount ELSE -amount END) AS total,
           sum(CASE WHEN meant IN ('spend', 'hold', 'subscribe', 'unsubscribe', 'refund', 'release') AND balance_after IS NOT NULL
                    THEN CASE WHEN to_id = customer_id THEN -amount ELSE amount END ELSE 0 END) AS used,
           sum(CASE WHEN kind = 'hold' THEN amount WHEN kind IN ('settle', 'release') THEN -amount ELSE 0 END) AS held,
           sum(CASE kind WHEN 'reversal' THEN -amount ELSE amount END
               * CASE WHEN meant = 'payment' THEN 1 WHEN meant IN ('unsell', 'unearn', 'unlapse') THEN -1 ELSE 0 END) AS paid,
           sum(CASE kind WHEN 'reversal' THEN -amount ELSE amount END
               * CASE WHEN meant IN ('earn', 'lapse') THEN 1 WHEN meant IN ('unearn', 'unlapse') THEN -1 ELSE 0 END) AS earned
    FROM (SELECT moved.*, CASE WHEN moved.kind = 'reversal' THEN undone.kind ELSE moved.kind END AS meant
          FROM ledger.transfer AS moved LEFT JOIN ledger.transfer AS undone ON undone.transfer_id = moved.reverses
          WHERE moved.lot_id = lot.lot_id) AS transfer) AS summed ON true
  WHERE (lot.total, lot.used, lot.held, lot.paid, lot.earned)
        IS DISTINCT FROM (coalesce(summed.total, 0), coalesce(summed.used, 0), coalesce(summed.held, 0), coalesce(summed.paid, 0),
                          coalesce(summed.earned, 0))
  UNION ALL
  SELECT 'every spend has its items', spend.transfer_id::text, spend.amount || ' charged, ' || count(item.item_id) || ' items charged'
  FROM ledger.transfer AS spend
  LEFT JOIN orders.item ON item.charge_id = spend.transfer_id
  WHERE spend.kind IN ('spend', 'hold')
  GROUP BY spend.transfer_id
  HAVING spend.amount - (SELECT count(*) FROM ledger.transfer AS back JOIN orders.item AS other ON other.item_id = back.item_id
                         WHERE back.reverses = spend.transfer_id AND back.kind IN ('refund', 'release')
                           AND other.charge_id <> spend.transfer_id) <> count(item.item_id)
  UNION ALL
  SELECT 'credits that went for time have their term', paid.transfer_id::text, paid.amount || ' credits, no term'
  FROM ledger.transfer AS paid
  WHERE paid.kind = 'subscribe' AND NOT EXISTS (
    SELECT FROM access.subscription_term AS term
    WHERE term.reference IN (paid.reference, substring(paid.reference FROM '^(.*):[0-9]+$')))
  UNION ALL
  SELECT 'an item is refunded once, and its refund is its mark', item.item_id::text,
         CASE WHEN item.refunded_at IS NULL THEN 'credit given back, item not marked' ELSE 'marked, no credit given back' END
  FROM orders.item
  LEFT JOIN ledger.transfer AS back ON back.kind IN ('refund', 'release') AND back.item_id = item.item_id AND back.reverses = item.charge_id
  WHERE (item.refunded_at IS NULL) <> (back.transfer_id IS NULL)
  UNION ALL
  SELECT 'what comes without a charge was paid for elsewhere', copy.item_id::text, 'no charge of its owner stands for it'
  FROM orders.item AS copy JOIN orders.purchase AS owner ON owner.order_id = copy.order_id
  WHERE copy.already_owned AND copy.withdrawn_at IS NULL AND owner.payment_status = 'paid' AND NOT EXISTS (
    SELECT FROM orders.item AS charged JOIN orders.purchase AS paid ON paid.order_id = charged.order_id
    WHERE charged.identifier = copy.identifier AND charged.type = copy.type AND charged.charge_id IS NOT NULL
      AND charged.refunded_at IS NULL AND charged.withdrawn_at IS NULL
      AND paid.account_id = owner.account_id AND paid.payment_status = 'paid')
  UNION ALL
  SELECT 'every settlement has its items', settle.transfer_id::text,
         settle.amount || ' settled, ' || count(item.item_id) || ' items name it'
  FROM ledger.transfer AS settle
  LEFT JOIN orders.item ON item.settled_id = settle.transfer_id AND item.charge_id = settle.reverses
  WHERE settle.kind = 'settle' GROUP BY settle.transfer_id HAVING settle.amount <> count(item.item_id)
  UNION ALL
  SELECT 'what a CRM acknowledged is spent', item.item_id::text, 'acknowledged, and its credit is only held'
  FROM orders.item
  JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id AND charge.kind = 'hold'
  WHERE item.settled_id IS NULL AND item.refunded_at IS NULL
    AND EXISTS (SELECT FROM deliver.delivery WHERE delivery.item_id = item.item_id AND delivery.state = 'acknowledged')
  UNION ALL
  SELECT invariant, subject, detail FROM ledger.unmatched()
$$;
