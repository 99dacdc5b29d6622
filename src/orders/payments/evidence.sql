-- Everything known about payment $2 of processor $1, as one document for the party that decides a dispute: who bought
-- what, from where they signed in and read it, what was charged and delivered, and what of the money was given back.
WITH paid AS (
  SELECT payment.*, coalesce(purchase.account_id, checkout.account_id) AS account_id, checkout.product,
         'payment:' || provider || ':' || payment_id AS sale
  FROM orders.payment LEFT JOIN orders.purchase USING (order_id) LEFT JOIN orders.checkout USING (checkout_id)
  WHERE provider = $1 AND payment_id = $2
), goods AS (
  SELECT item.*, charge.created_at AS charged_at
  FROM paid JOIN ledger.lot ON lot.sale = paid.sale JOIN ledger.transfer AS charge ON charge.lot_id = lot.lot_id
  JOIN orders.item ON item.charge_id = charge.transfer_id
)
SELECT json_build_object(
  'payment', json_build_object('provider', provider, 'payment_id', payment_id, 'amount', amount, 'currency', currency,
    'received_at', received_at, 'order_id', order_id, 'purchase_id', checkout_id, 'product', product),
  'account', (SELECT json_build_object('user_id', account_id, 'username', username, 'email', email, 'created_at', created_at)
    FROM access.account WHERE account.account_id = paid.account_id AND erased_at IS NULL),
  'disputes', (SELECT coalesce(json_agg(json_build_object('dispute_id', dispute_id, 'state', state, 'amount', dispute.amount,
      'reason', reason, 'respond_by', respond_by, 'opened_at', opened_at, 'decided_at', decided_at) ORDER BY opened_at), '[]')
    FROM orders.payment_dispute AS dispute WHERE (dispute.provider, dispute.payment_id) = (paid.provider, paid.payment_id)),
  'money_back', (SELECT coalesce(json_agg(json_build_object('refund_id', refund_id, 'cause', cause, 'amount', back.amount,
      'received_at', back.received_at) ORDER BY back.received_at), '[]')
    FROM orders.repayment AS back WHERE (back.provider, back.payment_id) = (paid.provider, paid.payment_id)),
  'documents', (SELECT coalesce(json_agg(json_build_object('number', number, 'issued_at', issued_at, 'description', description,
      'total', total) ORDER BY issued_at), '[]')
    FROM orders.invoice WHERE reference = sale
      OR against = (SELECT number FROM orders.invoice AS own WHERE own.reference = paid.sale)),
  'orders', (SELECT coalesce(json_agg(json_build_object('order_id', placed.order_id, 'name', order_name, 'created_at', created_at,
      'items', (SELECT json_agg(json_build_object('index', position, 'type', type, 'number', identifier, 'name', name,
          'charged_at', charged_at, 'credit_back_at', refunded_at, 'credit_back_reason', refund_reason, 'withdrawn_at', withdrawn_at)
          ORDER BY position) FROM goods WHERE goods.order_id = placed.order_id)) ORDER BY created_at), '[]')
    FROM orders.purchase AS placed WHERE placed.order_id IN (SELECT order_id FROM goods)),
  'deliveries', (SELECT coalesce(json_agg(json_build_object('delivery_id', delivery_id, 'order_id', delivery.order_id,
      'record', external_id, 'state', delivery.state, 'crm', connector,
      'account', coalesce(delivery.remote_account, verified_account), 'crm_id', crm_id,
      'acknowledged_at', acknowledged_at) ORDER BY acknowledged_at, delivery_id), '[]')
    FROM deliver.delivery JOIN deliver.destination USING (destination_id)
    WHERE delivery.item_id IN (SELECT item_id FROM goods)),
  'sign_ins', (SELECT coalesce(json_agg(json_build_object('at', created_at, 'address', opened_from, 'last_used_at', last_used_at)
      ORDER BY created_at), '[]') FROM access.session WHERE session.account_id = paid.account_id AND viewer_id IS NULL),
  'acts', (SELECT coalesce(json_agg(act ORDER BY act ->> 'at'), '[]') FROM (
    SELECT json_build_object('at', at, 'action', action, 'subject', subject, 'address', address, 'records', records) AS act
    FROM access.audit WHERE audit.account_id = paid.account_id AND at >= paid.received_at - interval '1 day'
    ORDER BY audit_id DESC LIMIT 5000) AS newest)
) AS evidence
FROM paid
