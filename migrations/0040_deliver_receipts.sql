-- The keys that sign receipts of deliveries. A receipt is verified for years, so a key that signs no more stays.
CREATE TABLE deliver.receipt_key (
  kid                    text PRIMARY KEY,      -- RFC 7638 thumbprint of the public half
  public_jwk             jsonb NOT NULL,
  private_encrypted      bytea NOT NULL,        -- sealed; empty once it is lost
  created_at             timestamptz NOT NULL DEFAULT now()
);
