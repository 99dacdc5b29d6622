-- What each verification of the trail found, for doctor, metrics and alerts: the head of that moment is evidence elsewhere.
CREATE TABLE access.audit_proof (
  proof_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  proved_at  timestamptz NOT NULL DEFAULT now(),
  rows       bigint NOT NULL,       -- in the chain then
  head_seq   bigint NOT NULL,
  head_hash  text NOT NULL,         -- hexadecimal; empty for a trail without a row
  fault      text                   -- what the first break was; null where the chain was whole
);
