-- $1 the customer's ledger account, held by the caller; $2 kinds, $3 references, $4 amounts for the customer, $5 memos.
-- Invariant: a reference moves credits once, and a transfer's two entries sum to zero.
WITH wanted AS (
  SELECT kind, reference, amount, memo
  FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[]) AS given (kind, reference, amount, memo)
), written AS (
  INSERT INTO ledger.transfer (kind, reference, memo)
  SELECT kind, reference, memo FROM wanted
  ON CONFLICT (reference) DO NOTHING
  RETURNING transfer_id, reference
), legs AS (
  INSERT INTO ledger.entry (transfer_id, ledger_account_id, amount)
  SELECT written.transfer_id, leg.ledger_account_id, leg.amount
  FROM written
  JOIN wanted USING (reference)
  -- System accounts may fall below zero, so nobody waits for their rows.
  JOIN ledger.account AS counter
    ON counter.owner_id IS NULL
   AND counter.kind = CASE WHEN wanted.kind IN ('grant', 'revoke') THEN 'issued' ELSE 'sales' END
  CROSS JOIN LATERAL (
    VALUES ($1::bigint, wanted.amount), (counter.ledger_account_id, -wanted.amount)
  ) AS leg (ledger_account_id, amount)
)
SELECT reference FROM written
