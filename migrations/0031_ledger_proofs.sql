-- What the nightly proof of the ledger found, for doctor and metrics.
CREATE TABLE ledger.proof (
  proof_id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  proved_at              timestamptz NOT NULL DEFAULT now(),
  transfers              bigint NOT NULL,       -- in the books then
  violations             jsonb NOT NULL         -- [{invariant, subject, detail}], at most a hundred
);
CREATE INDEX transfer_time ON ledger.transfer (created_at);
