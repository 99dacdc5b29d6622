-- A grant that an operator takes back keeps its row: the account is told, and what was sold stays known.
ALTER TABLE access.entitlement ADD COLUMN revoked_at timestamptz;
