-- Kept answers hold names and mobiles of ordered records: they are sealed now. `body` is read for a day more, for answers
-- that an earlier release kept.
ALTER TABLE access.idempotency ADD COLUMN sealed bytea;   -- AES-256-GCM under PANJI_SECRET_KEY, account and key as additional data
