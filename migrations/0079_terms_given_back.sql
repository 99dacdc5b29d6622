-- A term that credits paid for goes back as far as it was not used: some of its credits return, where a reversal returns all of them.
INSERT INTO ledger.kind (kind, currency, from_id, to_id)
SELECT 'unsubscribe', 'credits', ledger_account_id, NULL FROM ledger.account WHERE kind = 'sales' AND owner_id IS NULL;
CREATE UNIQUE INDEX transfer_unsubscribed_once ON ledger.transfer (reverses) WHERE kind = 'unsubscribe';
DROP FUNCTION IF EXISTS ledger.reverse(bigint, text, text);
