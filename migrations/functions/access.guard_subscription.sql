-- A subscription stays its owner's and its product's, and of one product an account has one at a time.
CREATE OR REPLACE FUNCTION access.guard_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.subscription_id, NEW.account_id, NEW.product, NEW.kind, NEW.started_at)
     IS DISTINCT FROM (OLD.subscription_id, OLD.account_id, OLD.product, OLD.kind, OLD.started_at) THEN
    RAISE EXCEPTION 'a subscription stays what it is' USING ERRCODE = 'restrict_violation';
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.until_at <= OLD.until_at THEN RETURN NEW; END IF;
  PERFORM FROM access.account WHERE account_id = NEW.account_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM access.subscription AS other
             WHERE other.account_id = NEW.account_id AND other.product = NEW.product
               AND other.subscription_id <> NEW.subscription_id
               AND other.started_at < NEW.until_at AND NEW.started_at < other.until_at) THEN
    RAISE EXCEPTION 'two subscriptions of one product at one time' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
