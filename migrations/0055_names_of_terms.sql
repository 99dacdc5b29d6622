-- A renewal brings what its plan is on the day on which it is bought, its name and interval, too: so each term says what it was sold as.

ALTER TABLE access.subscription_term
  ADD COLUMN name text,      -- null: what its subscription began with
  ADD COLUMN interval text;
