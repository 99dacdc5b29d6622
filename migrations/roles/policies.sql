-- Whose rows the API sees, whatever a statement forgets to ask: those of the account that the connection's setting
-- `panji.account` names, all where it is `*`, none where it is missing. Jobs see all; the owner is not bound.
-- One statement per table whose policies are missing or other ones, each for a transaction of its own. Where everything is
-- in order, no row. A table of accounts that has no line here fails test/security/row-level.test.ts.
WITH owned(name, owner) AS (
  VALUES
    ('access.account', 'account_id'), ('access.person', 'account_id'), ('access.api_key', 'account_id'), ('access.session', 'account_id'),
    ('access.activated_offer', 'account_id'), ('access.subscription', 'account_id'), ('access.entitlement', 'account_id'), ('access.daily_usage', 'account_id'),
    ('access.minute_usage', 'account_id'), ('access.request_log', 'account_id'), ('access.idempotency', 'account_id'), ('access.screener', 'account_id'),
    ('access.watchlist', 'account_id'), ('orders.purchase', 'account_id'), ('orders.standing_order', 'account_id'), ('orders.checkout', 'account_id'), ('orders.invoice', 'account_id'), ('deliver.destination', 'account_id'),
    ('deliver.webhook', 'account_id'), ('deliver.event', 'account_id'), ('deliver.mail', 'account_id'), ('deliver.mail_choice', 'account_id'), ('deliver.consent', 'account_id'), ('access.sign_in_code', 'account_id'),
    ('ledger.account', 'owner_id')
), belonging(name, key, parent, parent_key) AS (
  VALUES
    ('access.subscription_term', 'subscription_id', 'access.subscription', 'subscription_id'),
    ('access.person_totp', 'person_id', 'access.person', 'person_id'),
    ('access.recovery_code', 'person_id', 'access.person', 'person_id'),
    ('access.watchlist_entity', 'watchlist_id', 'access.watchlist', 'watchlist_id'),
    ('orders.item', 'order_id', 'orders.purchase', 'order_id'),
    ('orders.standing_query', 'standing_order_id', 'orders.standing_order', 'standing_order_id'),
    ('orders.standing_run', 'standing_order_id', 'orders.standing_order', 'standing_order_id'),
    ('orders.standing_match', 'standing_order_id', 'orders.standing_order', 'standing_order_id'),
    ('orders.lead', 'order_id', 'orders.purchase', 'order_id'),
    ('orders.payment', 'order_id', 'orders.purchase', 'order_id'),
    ('orders.repayment', 'order_id', 'orders.purchase', 'order_id'),
    ('orders.refund', 'payment_id', 'orders.payment', 'payment_id'),
    ('orders.payment_dispute', 'payment_id', 'orders.payment', 'payment_id'),
    ('orders.dispute', 'item_id', 'orders.item', 'item_id'),
    ('deliver.delivery', 'destination_id', 'deliver.destination', 'destination_id'),
    ('deliver.mapping_version', 'destination_id', 'deliver.destination', 'destination_id'),
    ('deliver.push', 'destination_id', 'deliver.destination', 'destination_id'),
    ('deliver.record', 'destination_id', 'deliver.destination', 'destination_id'),
    ('deliver.job_under_way', 'destination_id', 'deliver.destination', 'destination_id'),
    ('deliver.adoption', 'destination_id', 'deliver.destination', 'destination_id'),
    ('deliver.unmatched', 'destination_id', 'deliver.destination', 'destination_id'),
    ('deliver.rotation', 'destination_id', 'deliver.destination', 'destination_id'),
    ('deliver.turn', 'destination_id', 'deliver.destination', 'destination_id'),
    ('deliver.attempt', 'destination_id', 'deliver.destination', 'destination_id'),
    ('deliver.recall', 'destination_id', 'deliver.destination', 'destination_id'),
    ('deliver.notice', 'event_id', 'deliver.event', 'event_id'),
    ('ledger.lot', 'ledger_account_id', 'ledger.account', 'ledger_account_id'),
    ('ledger.transfer', 'customer_id', 'ledger.account', 'ledger_account_id')
), ruled AS (
  SELECT to_regclass(name) AS relation, format($$current_setting('panji.account', true) IN ('*', %I::text)$$, owner) AS condition
  FROM owned
  UNION ALL
  SELECT to_regclass(name),
         format($$current_setting('panji.account', true) = '*' OR EXISTS (SELECT FROM %s AS parent WHERE parent.%I = %s.%I)$$,
                parent, parent_key, split_part(name, '.', 2), key)
  FROM belonging
)
SELECT format($$ALTER TABLE %1$s ENABLE ROW LEVEL SECURITY;
  DROP POLICY IF EXISTS of_account ON %1$s;
  CREATE POLICY of_account ON %1$s TO panji_api USING (%2$s) WITH CHECK (%2$s);
  COMMENT ON POLICY of_account ON %1$s IS %3$L;
  DROP POLICY IF EXISTS of_all ON %1$s;
  CREATE POLICY of_all ON %1$s TO panji_worker, panji_trade USING (true) WITH CHECK (true)$$,
  relation, condition, md5(condition || 'and jobs')) AS statement
FROM ruled JOIN pg_class c ON c.oid = relation
WHERE NOT c.relrowsecurity OR NOT EXISTS (
  SELECT FROM pg_policy p
  WHERE p.polrelid = relation AND p.polname = 'of_account' AND obj_description(p.oid, 'pg_policy') = md5(condition || 'and jobs'))
ORDER BY relation::text
