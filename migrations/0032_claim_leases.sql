-- A claim on an Idempotency-Key lasts seconds and is renewed while its request runs, so that a dead one's is soon free. A
-- process of the release before, which renews nothing, holds its claims for the five minutes that it counts on.
ALTER TABLE access.idempotency
  ADD COLUMN held_until timestamptz NOT NULL DEFAULT now() + interval '5 minutes';
