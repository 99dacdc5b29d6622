-- What each role may do, table by table: applied anew, as a whole, after every migration and wherever this file changed.
-- A table that has no line here fails test/security/database-roles.test.ts.
--
-- panji_owner   owns everything; no process runs as it.
-- panji_worker  jobs, the scheduler, the queue. It fills the registers and makes no table.
-- panji_api     requests. It reads the registers and writes what accounts own; it makes no table anywhere.
-- panji_trade   the jobs that settle payments and renew subscriptions: it sells credits and spends them, and reads no secret.
--
-- Rows of ledger.transfer, access.audit and its seals, orders.payment and ingest.change are added and never changed by
-- either: history is pruned by ingest.prune_changes alone. Where a row is only locked, one column that nobody gains by
-- writing stands for it, since PostgreSQL asks for UPDATE.

GRANT USAGE ON SCHEMA registry, reference, ingest, feed, access, ledger, orders, deliver, runtime TO panji_api, panji_worker, panji_trade;
REVOKE CREATE ON SCHEMA registry, reference, ingest, feed, access, ledger, orders, deliver, runtime FROM panji_worker;

REVOKE ALL ON ALL TABLES IN SCHEMA registry, reference, ingest, feed, access, ledger, orders, deliver, runtime
  FROM PUBLIC, panji_api, panji_trade;
REVOKE ALL ON ALL TABLES IN SCHEMA access, ledger, orders, deliver, runtime FROM panji_worker;
REVOKE ALL ON
  registry.company, registry.gst_taxpayer, registry.director, registry.directorship, registry.contact,
  registry.contact_preference, reference.tariff, reference.hsn, reference.sac, reference.nic, reference.pincode,
  feed.registration, feed.company, feed.gst, feed.director, feed.shown_count, ingest.alias FROM panji_worker;
REVOKE ALL ON registry.version, registry.name_word, registry.name_word_state, registry.held_word, registry.held_word_state,
  ingest.run, ingest.scope, ingest.confirmation, ingest.history_retention, ingest.reject, ingest.change
  FROM panji_worker; -- not of the tables of runs, some of which it may be filling now

-- The registers: the worker fills them, the API reads them. The worker makes no table: functions of the owner make those
-- that a run works in, and the shadow table of a first load.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  registry.company, registry.gst_taxpayer, registry.director, registry.directorship, registry.contact,
  registry.contact_preference, reference.tariff, reference.nic, reference.pincode, ingest.alias TO panji_worker;
GRANT SELECT ON
  reference.hsn, reference.sac, feed.registration, feed.company, feed.gst, feed.director TO panji_worker;
GRANT EXECUTE ON FUNCTION
  ingest.make_work_table(text, bigint, text[], text[]), ingest.drop_work_tables(bigint, text[]),
  ingest.gather_statistics(text, text[]), ingest.make_shadow(text), ingest.index_shadow(text), ingest.swap_shadow(text),
  ingest.drop_shadow(text) TO panji_worker;
GRANT SELECT ON
  registry.company, registry.gst_taxpayer, registry.director, registry.directorship, registry.contact,
  registry.contact_preference, reference.tariff, reference.hsn, reference.sac, reference.nic, reference.pincode,
  feed.registration, feed.company, feed.gst, feed.director, ingest.alias TO panji_api;

-- What is told of the registers.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  registry.version, registry.name_word, registry.name_word_state, registry.held_word, registry.held_word_state TO panji_worker;
GRANT SELECT ON
  registry.version, registry.name_word, registry.name_word_state, registry.held_word, registry.held_word_state TO panji_api;
GRANT SELECT, INSERT, DELETE ON registry.withheld_director TO panji_worker, panji_api;
GRANT UPDATE (version, changed_at) ON registry.version TO panji_api; -- totals are counted anew where a record is withheld

-- Counted by whoever writes a register.
GRANT SELECT, INSERT, UPDATE, DELETE ON feed.record_count, feed.industry_count TO panji_worker;
GRANT SELECT ON feed.record_count, feed.industry_count TO panji_api;
GRANT SELECT ON feed.shown_count TO panji_api, panji_worker;

-- Runs.
GRANT SELECT, INSERT, UPDATE ON ingest.run, ingest.scope, ingest.confirmation, ingest.history_retention TO panji_worker;
GRANT DELETE ON ingest.scope, ingest.confirmation TO panji_worker;
GRANT SELECT, INSERT, DELETE ON ingest.line_offset TO panji_worker;
GRANT SELECT ON ingest.line_offset TO panji_api;
GRANT SELECT, INSERT, DELETE ON ingest.reject TO panji_worker;
GRANT SELECT, INSERT ON ingest.change TO panji_worker;
GRANT USAGE ON SEQUENCE ingest.change_change_id_seq TO panji_worker; -- records of a first load tell of changes themselves
GRANT SELECT ON ingest.run, ingest.reject, ingest.change, ingest.history_retention TO panji_api;
GRANT SELECT ON ingest.scope, ingest.confirmation TO panji_api;

-- Accounts. The worker sweeps what has had its time, and sees no more of those rows than their age.
GRANT SELECT, INSERT, UPDATE ON access.account, access.offer TO panji_api;
GRANT SELECT ON access.account TO panji_worker;
REVOKE ALL ON access.offer FROM panji_worker;
GRANT SELECT, DELETE, INSERT (account_id, email, name, role, invited_by),
  UPDATE (role, name, invited_by, invited_at, joined_at, removed_at, last_used_at, oidc_issuer, oidc_subject) ON access.person TO panji_api;
REVOKE ALL ON access.person FROM panji_worker;
GRANT SELECT (person_id, account_id, email, role, joined_at, removed_at) ON access.person TO panji_worker; -- for whom an e-mail is
GRANT SELECT, INSERT, UPDATE, DELETE ON access.api_key, access.daily_usage, access.minute_usage,
  access.idempotency, access.screener, access.watchlist, access.watchlist_entity TO panji_api;
REVOKE ALL ON access.api_key, access.screener, access.watchlist, access.watchlist_entity FROM panji_worker;
GRANT SELECT (watchlist_id, identifier) ON access.watchlist_entity TO panji_worker; -- standing orders follow them
GRANT SELECT, INSERT, DELETE ON access.entitlement, access.activated_offer, access.login_failure TO panji_api;
GRANT UPDATE (revoked_at, expires_at) ON access.entitlement TO panji_api;
GRANT SELECT, INSERT, UPDATE (auto_renew, ends_at, until_at, cancelled_at, ended_at, ending_told_at, grace_days) ON access.subscription TO panji_api;
GRANT SELECT, INSERT, UPDATE (starts_at, ends_at, taken_back_at) ON access.subscription_term TO panji_api;
REVOKE ALL ON access.subscription, access.subscription_term FROM panji_worker;
GRANT SELECT (subscription_id, number, starts_at, ends_at, opens, name, interval) ON access.subscription_term TO panji_worker; -- what a grant is called
GRANT SELECT, INSERT, UPDATE, DELETE ON access.blocked_address TO panji_api;
-- A session of an operator's browser, and an operator's view of an account, open by the function that asks for the credential.
GRANT SELECT, DELETE, INSERT (account_id, api_key_id, person_id, refresh_sha256, scopes, opened_from, expires_at, last_used_at),
  UPDATE (revoked_at, expires_at, last_used_at) ON access.session TO panji_api;
GRANT SELECT, INSERT (name, role, token_sha256), UPDATE (last_used_at, revoked_at) ON access.operator TO panji_api;
GRANT SELECT, UPDATE (last_used_at, ended_at) ON access.console_session TO panji_api;
GRANT EXECUTE ON FUNCTION access.open_console_session(bytea, uuid, text, bytea, text, integer, text),
  access.open_account_view(uuid, text, text, bytea, text, integer, text),
  access.hand_out_link(uuid, bytea, integer, text, text, text) TO panji_api;
REVOKE ALL ON access.operator FROM panji_worker;
-- Begun, confirmed and removed at the command line alone.
GRANT SELECT, UPDATE (last_step) ON access.operator_totp TO panji_api;
REVOKE ALL ON access.operator_totp FROM panji_worker;
GRANT SELECT, DELETE, INSERT (person_id, secret_encrypted), UPDATE (secret_encrypted, created_at, confirmed_at, last_step) ON access.person_totp TO panji_api;
GRANT SELECT, DELETE, INSERT (code_sha256, person_id), UPDATE (used_at) ON access.recovery_code TO panji_api;
REVOKE ALL ON access.person_totp, access.recovery_code FROM panji_worker;
GRANT SELECT, INSERT, UPDATE ON access.console_code TO panji_api;
-- Whom the OIDC provider knows gets a code, too.
GRANT SELECT, UPDATE, DELETE, INSERT (code_sha256, account_id, person_id, expires_at) ON access.sign_in_code TO panji_api;
GRANT SELECT, INSERT ON access.sign_in_request TO panji_api;
REVOKE ALL ON access.sign_in_code, access.sign_in_request FROM panji_worker;
GRANT DELETE, SELECT (expires_at) ON access.sign_in_code TO panji_worker;
GRANT EXECUTE ON FUNCTION access.make_sign_in_code(uuid, bytea, integer) TO panji_worker;
GRANT DELETE, SELECT (asked_at) ON access.sign_in_request TO panji_worker;
GRANT SELECT ON access.entitlement TO panji_worker;
REVOKE ALL ON access.activated_offer, access.blocked_address FROM panji_worker;
GRANT SELECT, INSERT, UPDATE ON access.signing_key TO panji_api;
-- The audit log: neither tells the time of a row, nor seals one but by the function.
GRANT SELECT ON access.audit, access.audit_seal, access.audit_checkpoint TO panji_api, panji_worker;
GRANT INSERT (kind, actor, action, subject, detail, account_id, credential, operation, address, reason, data_class,
  identifiers, records) ON access.audit TO panji_api, panji_worker;
GRANT DELETE, SELECT (expires_at, revoked_at) ON access.session TO panji_worker;
GRANT DELETE, SELECT (expires_at, ended_at) ON access.console_session TO panji_worker;
GRANT DELETE, SELECT (expires_at, used_at) ON access.console_code TO panji_worker;
GRANT DELETE, SELECT (created_at) ON access.idempotency TO panji_worker;
GRANT DELETE, SELECT (minute) ON access.minute_usage TO panji_worker;
GRANT SELECT, INSERT, DELETE ON access.request_log TO panji_api; -- DELETE: erasure
GRANT DELETE, SELECT (api_key_id, at) ON access.request_log TO panji_worker;
GRANT DELETE, SELECT (day) ON access.daily_usage TO panji_worker;
GRANT DELETE, SELECT (failed_at) ON access.login_failure TO panji_worker;
GRANT DELETE, SELECT (retired_at) ON access.signing_key TO panji_worker;

-- People who object.
GRANT SELECT, INSERT, UPDATE (reason, reference), DELETE ON access.suppression TO panji_api;
GRANT SELECT, UPDATE (erased_through) ON access.suppression TO panji_worker;
GRANT EXECUTE ON FUNCTION registry.erase_proprietors(text[]) TO panji_api, panji_worker;
GRANT EXECUTE ON FUNCTION orders.erase_objected_leads() TO panji_worker;
GRANT EXECUTE ON FUNCTION registry.erase_objected(bigint) TO panji_worker;
GRANT SELECT ON runtime.suppression_key TO panji_api, panji_worker;
GRANT SELECT ON access.audit_proof TO panji_api;
GRANT SELECT, INSERT, DELETE ON access.audit_proof TO panji_worker;

-- The ledger. Nobody writes them: what moves, moves through the functions of the ledger, which check it.
GRANT SELECT ON ledger.account, ledger.kind, ledger.lot, ledger.transfer, ledger.entry TO panji_api;
GRANT EXECUTE ON FUNCTION
  ledger.grant_credits(uuid, bigint, text, timestamptz, text, text, text),
  ledger.take_credits(text, uuid, bigint, text, uuid, text, text, text),
  ledger.settle_read(uuid, text), ledger.settle_read_item(uuid), ledger.charge_lot(text, uuid, bigint, bigint, uuid, text, text), ledger.refund_items(uuid[], uuid, text, text, text),
  ledger.post_money(text, uuid, bigint, bigint, bigint, bigint, text, text, text),
  ledger.open_lot(uuid, timestamptz, timestamptz), ledger.open_term_lot(uuid, timestamptz, timestamptz, text), ledger.revoke_from_lot(uuid, bigint, bigint, text, text, text), ledger.hold_unearned(bigint), ledger.earn_lots(bigint[], integer),
  ledger.refund_term(text, bigint, text, text), ledger.customer(uuid), ledger.violations(), ledger.count_transfers() TO panji_api;
GRANT SELECT ON ledger.proof, ledger.closed_month TO panji_api;
GRANT EXECUTE ON FUNCTION ledger.hold_month(date), ledger.close_month(date, text, text, jsonb), ledger.is_closed(timestamptz) TO panji_api;
GRANT EXECUTE ON FUNCTION ledger.is_closed(timestamptz) TO panji_trade, panji_worker;
GRANT SELECT, INSERT, DELETE ON ledger.proof TO panji_worker;
REVOKE ALL ON ledger.account, ledger.kind, ledger.lot, ledger.transfer, ledger.entry FROM panji_worker;
GRANT EXECUTE ON FUNCTION
  ledger.expire_lots(integer), ledger.earn_spent(integer), ledger.violations(), ledger.count_transfers(),
  ledger.release_refused(integer, integer), ledger.settle_undelivered(integer, integer, integer), ledger.report_refused(integer, numeric, integer, integer), ledger.customer(uuid),
  ledger.refund_items(uuid[], uuid, text, text, text) TO panji_worker;

GRANT EXECUTE ON FUNCTION
  orders.owned_items(uuid, text[], text[], integer, boolean), orders.withdraw_copies(uuid[]), orders.take_goods_back(uuid),
  orders.take_sale_back(bigint[], bigint, boolean, uuid[]) TO panji_api;
GRANT EXECUTE ON FUNCTION orders.expire_unpaid(integer) TO panji_worker;
GRANT SELECT, INSERT, UPDATE (reason, status, decided_at, decided_by, note) ON orders.dispute TO panji_api;
REVOKE ALL ON orders.dispute FROM panji_worker;
GRANT SELECT, INSERT, UPDATE ON orders.purchase, orders.item TO panji_api;
GRANT SELECT, INSERT, DELETE ON orders.lead TO panji_api;
GRANT SELECT, INSERT ON orders.payment, orders.repayment, orders.invoice TO panji_api;
GRANT SELECT, INSERT, UPDATE ON orders.checkout TO panji_api;
GRANT SELECT, INSERT, UPDATE (status, refund_id, taken, detail, answered_at) ON orders.refund TO panji_api;
GRANT SELECT, INSERT, UPDATE (last) ON orders.invoice_counter TO panji_api;
GRANT SELECT, INSERT, UPDATE (closed_at, closed_by, closed_note) ON orders.payment_event TO panji_api;
GRANT SELECT, INSERT, UPDATE (state, decided_at, respond_by, holds_account) ON orders.payment_dispute TO panji_api;
GRANT SELECT, UPDATE (order_name) ON orders.purchase TO panji_worker; -- UPDATE: the row is locked
-- An item that nobody can be reached under any more gets no lead, and its credit goes back.
GRANT SELECT, UPDATE (has_contact) ON orders.item TO panji_worker;
-- A lead is frozen; what it tells of somebody who objected is erased from it.
GRANT SELECT, INSERT, UPDATE (flat, full_data) ON orders.lead TO panji_worker;
REVOKE ALL ON orders.payment, orders.repayment, orders.refund, orders.payment_event, orders.checkout, orders.invoice, orders.invoice_counter
  FROM panji_worker;
GRANT EXECUTE ON FUNCTION orders.order_of_payment(text, text), orders.checkout_of_payment(text, text) TO panji_api;

-- Standing orders: the API says what is wanted and decides about runs; the worker finds what matches, and what trades buys it.
GRANT SELECT, INSERT, UPDATE ON orders.standing_order TO panji_api;
GRANT SELECT, INSERT, UPDATE (query) ON orders.standing_query TO panji_api;
GRANT SELECT, UPDATE (state, reason, reserved, decided_by, decided_at, finished_at) ON orders.standing_run TO panji_api;
GRANT SELECT, UPDATE (state), DELETE ON orders.standing_match TO panji_api;
GRANT SELECT, UPDATE (state, reason, state_by, state_at, next_run_on, digest_on) ON orders.standing_order TO panji_worker, panji_trade;
GRANT SELECT ON orders.standing_query TO panji_worker, panji_trade;
GRANT SELECT, INSERT, UPDATE ON orders.standing_run, orders.standing_match TO panji_worker;
GRANT SELECT, UPDATE ON orders.standing_run, orders.standing_match TO panji_trade;

-- Deliveries: the API says what is desired and tells what came of it, plans, tests, and erases; the worker delivers.
-- INSERT: what a destination leaves to the account that it is turned away from, with the recalls that wait there.
GRANT SELECT, INSERT, UPDATE ON deliver.destination TO panji_worker;
GRANT SELECT, INSERT, UPDATE ON deliver.push, deliver.record, deliver.delivery, deliver.limiter TO panji_worker;
GRANT DELETE ON deliver.record TO panji_api, panji_worker; -- no plan is approved for the account that a destination leads into now
GRANT SELECT, INSERT, UPDATE, DELETE ON deliver.job_under_way TO panji_worker;
GRANT SELECT, INSERT, UPDATE ON deliver.destination, deliver.push, deliver.record, deliver.delivery, deliver.limiter TO panji_api;
GRANT DELETE ON deliver.limiter TO panji_api; -- erasure
GRANT EXECUTE ON FUNCTION deliver.held_by_others(uuid, text) TO panji_api, panji_worker;
GRANT SELECT, INSERT, DELETE ON deliver.mapping_version TO panji_api;
GRANT SELECT, DELETE ON deliver.unmatched TO panji_worker;
GRANT SELECT, INSERT, DELETE ON deliver.unmatched TO panji_api;
-- The worker takes turns, the API foresees and erases them.
GRANT SELECT, INSERT, UPDATE ON deliver.rotation, deliver.turn TO panji_worker;
GRANT SELECT, DELETE ON deliver.rotation, deliver.turn TO panji_api;
-- DELETE: erasure; their time is up.
GRANT SELECT, INSERT, DELETE ON deliver.attempt TO panji_worker;
GRANT SELECT, DELETE ON deliver.attempt TO panji_api;
-- UPDATE: the row is locked while something is sealed.
GRANT SELECT, INSERT, UPDATE ON deliver.receipt_key TO panji_api, panji_worker;
GRANT SELECT, INSERT, UPDATE ON deliver.webhook, deliver.event, deliver.notice TO panji_api, panji_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON deliver.receiver TO panji_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON deliver.mail TO panji_api;
-- Whom an e-mail goes to, and of what kind it is, stays as it was queued.
GRANT SELECT, INSERT, UPDATE (data, state, attempts, next_attempt_at, last_error, sent_at), DELETE ON deliver.mail TO panji_worker;
GRANT SELECT, INSERT, UPDATE ON deliver.mail_choice TO panji_api;
GRANT SELECT ON deliver.mail_choice TO panji_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON deliver.consent TO panji_api;
REVOKE ALL ON deliver.consent FROM panji_worker;
GRANT DELETE, SELECT (expires_at) ON deliver.consent TO panji_worker;
GRANT DELETE ON deliver.event TO panji_api, panji_worker; -- erasure; their time is up
GRANT SELECT, INSERT, UPDATE, DELETE ON deliver.adoption TO panji_api, panji_worker;
GRANT SELECT, INSERT, UPDATE ON deliver.recall TO panji_worker;
GRANT SELECT, UPDATE (destination_id) ON deliver.recall TO panji_api;

-- The queue. Requests and the jobs that trade enqueue what senders.sql names, read how much waits, and no more.
GRANT USAGE ON SCHEMA pgboss TO panji_api, panji_worker, panji_trade;
REVOKE CREATE ON SCHEMA pgboss FROM panji_worker;
REVOKE ALL ON ALL TABLES IN SCHEMA pgboss FROM PUBLIC, panji_api, panji_worker, panji_trade;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  pgboss.job, pgboss.job_common, pgboss.job_dependency, pgboss.queue, pgboss.warning TO panji_worker;
GRANT SELECT, UPDATE ON pgboss.version TO panji_worker;
-- What pgboss.bam holds, the next migration runs as the owner.
GRANT SELECT ON pgboss.schedule, pgboss.subscription, pgboss.bam TO panji_worker;
GRANT SELECT ON pgboss.version, pgboss.queue, pgboss.job, pgboss.job_common, pgboss.warning TO panji_api, panji_trade;
-- Nobody but the queue says what state a job is in, and where one that failed has come from.
GRANT INSERT (id, name, data, priority, start_after, created_on, singleton_key, singleton_on, group_id, group_tier, expire_seconds,
  deletion_seconds, keep_until, retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds,
  blocked, blocking, pending_dependencies) ON pgboss.job, pgboss.job_common TO panji_api, panji_trade;

-- Operators' notifications: requests set up the channels, and ask for a test; workers look for what is to be told, and send it.
GRANT SELECT, INSERT, UPDATE (address_encrypted, secret_encrypted, removed_at) ON runtime.alert_channel TO panji_api, panji_worker;
GRANT SELECT ON runtime.condition TO panji_api;
GRANT SELECT, INSERT, UPDATE (state, attempts, next_attempt_at) ON runtime.alert_message TO panji_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON runtime.condition, runtime.alert_message TO panji_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON runtime.schedule, runtime.cron_slot TO panji_worker;
REVOKE ALL ON runtime.schedule, runtime.cron_slot FROM panji_api;
-- Operators' schedules over HTTP, each act as one function: requests read no sealed address.
GRANT EXECUTE ON FUNCTION runtime.tell_schedules(), runtime.scheduled_inputs() TO panji_worker;
GRANT EXECUTE ON FUNCTION orders.count_open_events(text[]), orders.count_open_reports(text[]), access.count_ending_keys() TO panji_api, panji_worker;
GRANT EXECUTE ON FUNCTION runtime.tell_schedules(), runtime.scheduled_inputs(),
  runtime.keep_address_schedule(text, text, text, text, jsonb),
  runtime.keep_folder_schedule(text, text, text, text, text),
  runtime.pause_schedule(text, boolean), runtime.remove_schedule(text) TO panji_api;
-- UPDATE: the row is locked while something is sealed.
GRANT SELECT, INSERT, UPDATE (sealed_at) ON runtime.secret_canary TO panji_api, panji_worker;
GRANT SELECT ON runtime.migration, runtime.sql_function TO panji_api, panji_worker;

-- What operators decide about a run; requests change none by themselves.
GRANT EXECUTE ON FUNCTION ingest.approve_run(bigint, bigint, jsonb), ingest.discard_run(bigint, jsonb),
  ingest.cancel_run(bigint, jsonb, boolean), ingest.ask_undo(bigint, date, text, jsonb) TO panji_api, panji_worker;
GRANT EXECUTE ON FUNCTION ingest.ask_run(text, text, text, date, boolean, text, text, text, boolean, jsonb) TO panji_worker;
GRANT EXECUTE ON FUNCTION ingest.ask_run_over_http(text, text, text, date, boolean, text, text, boolean, jsonb) TO panji_api;
GRANT EXECUTE ON FUNCTION ingest.prune_changes(date), ingest.lower_changes(text, text[], date) TO panji_worker;

-- The chain over the audit log, and what leaves it after a year.
GRANT EXECUTE ON FUNCTION access.seal_audit(integer, boolean) TO panji_api, panji_worker;
GRANT EXECUTE ON FUNCTION access.prune_audit(timestamptz) TO panji_worker;

-- The jobs that trade. UPDATE of access.account: the row is locked, and what its terms open is written there.
GRANT SELECT, UPDATE (premium_until) ON access.account TO panji_trade;
GRANT SELECT, INSERT ON access.entitlement TO panji_trade;
GRANT UPDATE (revoked_at, expires_at) ON access.entitlement TO panji_trade;
GRANT SELECT, INSERT, UPDATE (auto_renew, ends_at, until_at, cancelled_at, ended_at, ending_told_at, grace_days) ON access.subscription TO panji_trade;
GRANT SELECT, INSERT, UPDATE (starts_at, ends_at, taken_back_at) ON access.subscription_term TO panji_trade;
GRANT INSERT (kind, actor, action, subject, detail, account_id, credential, operation, address, reason, data_class,
  identifiers, records) ON access.audit TO panji_trade;
GRANT SELECT ON ledger.account, ledger.kind, ledger.lot, ledger.transfer, ledger.entry TO panji_trade;
GRANT EXECUTE ON FUNCTION
  ledger.grant_credits(uuid, bigint, text, timestamptz, text, text, text),
  ledger.take_credits(text, uuid, bigint, text, uuid, text, text, text),
  ledger.charge_lot(text, uuid, bigint, bigint, uuid, text, text), ledger.refund_items(uuid[], uuid, text, text, text),
  ledger.post_money(text, uuid, bigint, bigint, bigint, bigint, text, text, text),
  ledger.open_lot(uuid, timestamptz, timestamptz), ledger.open_term_lot(uuid, timestamptz, timestamptz, text), ledger.revoke_from_lot(uuid, bigint, bigint, text, text, text), ledger.hold_unearned(bigint), ledger.earn_lots(bigint[], integer),
  ledger.refund_term(text, bigint, text, text), ledger.customer(uuid) TO panji_trade;
GRANT EXECUTE ON FUNCTION
  orders.owned_items(uuid, text[], text[], integer, boolean), orders.withdraw_copies(uuid[]), orders.take_goods_back(uuid),
  orders.take_sale_back(bigint[], bigint, boolean, uuid[]), orders.order_of_payment(text, text), orders.checkout_of_payment(text, text) TO panji_trade;
GRANT SELECT, UPDATE ON orders.purchase, orders.item, orders.checkout TO panji_trade;
GRANT INSERT ON orders.purchase, orders.item TO panji_trade; -- standing orders
GRANT SELECT, INSERT, UPDATE ON access.daily_usage TO panji_trade;
GRANT SELECT (watchlist_id, identifier) ON access.watchlist_entity TO panji_trade;
GRANT SELECT (destination_id, account_id, status) ON deliver.destination TO panji_trade;
GRANT SELECT (item_id, order_id, state, external_id, last_error, acknowledged_at, updated_at) ON deliver.delivery TO panji_trade;
GRANT SELECT ON registry.version, registry.name_word, registry.name_word_state, registry.held_word, registry.held_word_state TO panji_trade;
GRANT SELECT, DELETE ON orders.lead TO panji_trade;
GRANT SELECT, INSERT ON orders.payment, orders.repayment, orders.invoice TO panji_trade;
GRANT SELECT, INSERT, UPDATE (status, refund_id, taken, detail, answered_at) ON orders.refund TO panji_trade;
GRANT SELECT, INSERT, UPDATE (last) ON orders.invoice_counter TO panji_trade;
GRANT SELECT, INSERT, UPDATE (closed_at, closed_by, closed_note) ON orders.payment_event TO panji_trade;
GRANT SELECT, INSERT ON deliver.event, deliver.notice TO panji_trade;
GRANT SELECT ON deliver.webhook, deliver.mail_choice TO panji_trade;
GRANT SELECT, INSERT, UPDATE (data), DELETE ON deliver.mail TO panji_trade; -- an e-mail that waits takes up what is new, or is ended by it
GRANT SELECT ON runtime.migration, runtime.sql_function, runtime.suppression_key, access.suppression TO panji_trade;
GRANT SELECT ON registry.company, registry.gst_taxpayer, registry.director, registry.directorship, registry.contact,
  registry.contact_preference TO panji_trade;
