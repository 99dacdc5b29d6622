-- What the ledger says of money and goods, against what it speaks of: payments, what went back, documents and rows of orders. One row
-- per fault, none where each has its other side.
CREATE OR REPLACE FUNCTION ledger.unmatched() RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH paid AS MATERIALIZED (
    SELECT 'payment:' || provider || ':' || payment_id AS reference, payment.amount, provider, payment_id,
           coalesce(purchase.account_id, checkout.account_id) AS account_id, coalesce(payment.order_id, payment.checkout_id) AS sale_id
    FROM orders.payment LEFT JOIN orders.purchase USING (order_id) LEFT JOIN orders.checkout USING (checkout_id)
  ), back AS MATERIALIZED (
    SELECT 'repayment:' || provider || ':' || refund_id AS reference, 'payment:' || provider || ':' || payment_id AS sale, amount, provider, payment_id, refund_id,
           coalesce(order_id, checkout_id) AS sale_id
    FROM orders.repayment
  ), given_back AS MATERIALIZED (
    SELECT back.reference, back.sale, back.amount, sum(moved.amount) AS booked,
           sum(moved.amount) FILTER (WHERE moved.kind <> 'overpay') AS noted
    FROM back LEFT JOIN ledger.transfer AS moved
      ON moved.reference IN (back.reference || ':net', back.reference || ':tax', back.reference || ':over')
     AND moved.kind IN ('repay', 'repay_tax', 'overpay')
    GROUP BY back.reference, back.sale, back.amount
  )
  -- Beside what the operator's own hand gives, and what lives on after its end.
  SELECT 'purchased credits were paid for', granted.transfer_id::text, granted.amount || ' credits under ' || granted.reference
  FROM ledger.transfer AS granted JOIN ledger.lot USING (lot_id)
  JOIN ledger.account ON account.ledger_account_id = granted.customer_id
  LEFT JOIN paid ON paid.reference = granted.reference AND paid.account_id = account.owner_id
  WHERE granted.kind = 'grant' AND lot.type = 'purchased' AND paid.reference IS NULL
    AND granted.actor <> 'operator' AND granted.reference NOT LIKE 'carried:%'
  UNION ALL
  SELECT 'a payment is booked as it came', paid.reference, paid.amount || ' came, ' || coalesce(sum(moved.amount), 0) || ' is booked'
  FROM paid
  LEFT JOIN ledger.transfer AS moved ON moved.reference IN (paid.reference || ':net', paid.reference || ':tax')
   AND moved.kind IN ('payment', 'tax') AND paid.account_id = (
     SELECT owner_id FROM ledger.account WHERE ledger_account_id = moved.customer_id)
  GROUP BY paid.reference, paid.amount HAVING paid.amount IS DISTINCT FROM sum(moved.amount)
  UNION ALL
  SELECT 'booked money came by a payment', moved.transfer_id::text, moved.kind || ' of ' || moved.amount || ' under ' || moved.reference
  FROM ledger.transfer AS moved
  WHERE moved.kind IN ('payment', 'tax')
    AND NOT EXISTS (SELECT FROM paid WHERE paid.reference = regexp_replace(moved.reference, ':(net|tax)$', ''))
  UNION ALL
  SELECT 'a payment has its invoice', paid.reference, paid.amount || ' came, ' || coalesce(invoice.total, 0) || ' is invoiced'
  FROM paid LEFT JOIN orders.invoice ON invoice.reference = paid.reference AND invoice.series = 'PI' AND invoice.account_id = paid.account_id
  WHERE invoice.total IS DISTINCT FROM paid.amount
  UNION ALL
  SELECT 'money that went back is booked as it went', reference, amount || ' went, ' || coalesce(booked, 0) || ' is booked'
  FROM given_back WHERE booked IS DISTINCT FROM amount
  UNION ALL
  SELECT 'booked money went back by the processor', moved.transfer_id::text, moved.kind || ' of ' || moved.amount || ' under ' || moved.reference
  FROM ledger.transfer AS moved
  WHERE moved.kind IN ('repay', 'repay_tax', 'overpay')
    AND NOT EXISTS (SELECT FROM back WHERE back.reference = regexp_replace(moved.reference, ':(net|tax|over)$', ''))
  UNION ALL
  SELECT 'money that went back has its credit note', given_back.reference, coalesce(noted, 0) || ' went, ' || coalesce(note.total, 0) || ' is noted'
  FROM given_back LEFT JOIN orders.invoice AS note ON note.reference = given_back.reference AND note.series = 'PC'
  WHERE coalesce(noted, 0) <> coalesce(note.total, 0)
  UNION ALL
  SELECT 'credit notes take back no more than their invoice', invoice.number, invoice.total || ' invoiced, ' || sum(note.total) || ' taken back'
  FROM orders.invoice AS note JOIN orders.invoice ON invoice.number = note.against
  GROUP BY invoice.number HAVING sum(note.total) > invoice.total
  UNION ALL
  SELECT 'a document has its movement', number, reference
  FROM orders.invoice
  WHERE NOT EXISTS (SELECT FROM paid WHERE paid.reference = invoice.reference AND invoice.series = 'PI')
    AND NOT EXISTS (SELECT FROM back WHERE back.reference = invoice.reference AND invoice.series = 'PC')
  UNION ALL
  SELECT 'a refund takes credits of its own sale alone', moved.transfer_id::text, moved.amount || ' of lot ' || moved.lot_id
  FROM ledger.transfer AS moved JOIN ledger.lot USING (lot_id)
  JOIN back ON back.reference = regexp_replace(moved.reference, ':lot:[0-9]+$', '')
  WHERE moved.kind = 'revoke' AND (lot.type = 'purchased' OR lot.sale IS NOT NULL)
    AND NOT EXISTS (SELECT FROM paid WHERE paid.reference = lot.sale AND paid.sale_id = back.sale_id)
  UNION ALL
  SELECT 'a sale whose money went back leaves no credit', lot.lot_id::text, (lot.total - lot.used) || ' to be spent, ' || lot.held || ' held'
  FROM ledger.lot JOIN paid ON paid.reference = lot.sale
  WHERE (lot.total > lot.used OR lot.held > 0)
    AND (SELECT sum(amount) FROM back WHERE back.sale_id = paid.sale_id)
        >= (SELECT sum(amount) FROM paid AS every WHERE every.sale_id = paid.sale_id)
  UNION ALL
  SELECT 'a sale whose money went back leaves no goods', item.item_id::text, 'charged to ' || lot.sale || ', and not taken back'
  FROM ledger.lot JOIN paid ON paid.reference = lot.sale
  JOIN ledger.transfer AS charge ON charge.lot_id = lot.lot_id AND charge.kind IN ('spend', 'hold')
  JOIN orders.item ON item.charge_id = charge.transfer_id
  WHERE item.refunded_at IS NULL AND item.withdrawn_at IS NULL
    AND (SELECT sum(amount) FROM back WHERE back.sale_id = paid.sale_id)
        >= (SELECT sum(amount) FROM paid AS every WHERE every.sale_id = paid.sale_id)
  UNION ALL
  SELECT 'a held row is to be delivered', item.item_id::text,
         'its credit is held, and it was taken back, its order is not paid, or its account has no destination'
  FROM orders.item JOIN orders.purchase USING (order_id)
  JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id AND charge.kind = 'hold'
  WHERE item.settled_id IS NULL AND item.refunded_at IS NULL
    AND (item.withdrawn_at IS NOT NULL OR purchase.payment_status <> 'paid'
      OR NOT EXISTS (SELECT FROM deliver.destination WHERE destination.account_id = purchase.account_id))
  UNION ALL
  SELECT 'money that an account left is behind its credits, its goods and its debts', account_id::text,
         sum(kept) || ' was left, ' || sum(behind) || ' is behind it'
  FROM (
    SELECT account_id, amount AS kept, 0::bigint AS behind FROM paid
    UNION ALL SELECT paid.account_id, -back.amount, 0 FROM back JOIN paid ON paid.reference = back.sale
    UNION ALL SELECT owner_id, 0, lot.paid FROM ledger.lot JOIN ledger.account USING (ledger_account_id)
    UNION ALL
    SELECT account.owner_id, 0, CASE WHEN moved.kind = 'tax' THEN moved.amount ELSE -moved.amount END
    FROM ledger.transfer AS moved JOIN ledger.account ON account.ledger_account_id = moved.customer_id
    WHERE moved.kind IN ('tax', 'repay_tax', 'owe', 'overpay')) AS told
  GROUP BY account_id HAVING sum(kept) <> sum(behind)
  UNION ALL
  -- Where money for an order came twice, the later one may bring credits after a part of the first went back.
  SELECT 'credits to be spent were paid for by money that stayed', lot.lot_id::text,
         (lot.total - lot.used) || ' to be spent, ' || lacking.credits || ' more than the money pays for'
  FROM ledger.lot JOIN paid ON paid.reference = lot.sale CROSS JOIN LATERAL (SELECT ledger.lacking_credits(lot.lot_id) AS credits) AS lacking
  WHERE lot.total > lot.used AND lacking.credits > 0 AND EXISTS (SELECT FROM back WHERE back.sale_id = paid.sale_id)
    AND NOT EXISTS (SELECT FROM paid AS other WHERE other.sale_id = paid.sale_id AND other.reference <> paid.reference)
  UNION ALL
  SELECT 'a payment is as its processor told it', paid.reference, paid.amount || ' is kept, and no such event'
  FROM paid WHERE NOT EXISTS (
    SELECT FROM orders.payment_event AS told
    WHERE told.payment_id = paid.payment_id AND (told.provider, told.amount) = (paid.provider, paid.amount) AND told.outcome IN ('paid', 'credited'))
  UNION ALL
  SELECT 'money that went back is as its processor told it', back.reference, back.amount || ' is kept, and no such event'
  FROM back WHERE NOT EXISTS (
    SELECT FROM orders.payment_event AS told
    WHERE told.payment_id = back.payment_id AND (told.provider, told.refund_id) = (back.provider, back.refund_id)
      AND (told.outcome = 'repaid' AND told.amount = back.amount OR told.outcome = 'charged_back'))
  UNION ALL
  SELECT 'a delivery is of a row that its account bought', delivery.delivery_id::text, 'item ' || delivery.item_id || ' of order ' || delivery.order_id
  FROM deliver.delivery JOIN deliver.destination USING (destination_id)
  JOIN orders.item USING (item_id) JOIN orders.purchase ON purchase.order_id = item.order_id
  WHERE item.order_id <> delivery.order_id OR destination.account_id <> purchase.account_id
     OR item.charge_id IS NULL AND NOT item.already_owned
  UNION ALL
  SELECT 'refunds pass through to what they are of', account.owner_id::text,
         sum(CASE WHEN moved.to_id = refunds.ledger_account_id THEN moved.amount ELSE -moved.amount END) || ' is on its way'
  FROM ledger.transfer AS moved JOIN ledger.account AS refunds ON refunds.kind = 'refunds'
   AND refunds.ledger_account_id IN (moved.from_id, moved.to_id)
  JOIN ledger.account ON account.ledger_account_id = moved.customer_id
  GROUP BY account.owner_id
  HAVING sum(CASE WHEN moved.to_id = refunds.ledger_account_id THEN moved.amount ELSE -moved.amount END) <> 0
$$;
