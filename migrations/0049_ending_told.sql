-- Whoever has a plan or offer is told once of each term that ends without another one.

ALTER TABLE access.subscription
  ADD COLUMN ending_told_at timestamptz;  -- that its last term ends; null: not yet, or another term followed
