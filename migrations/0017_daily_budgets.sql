-- Budgets per account and day beside the limits of calls: what they count is one more kind of usage each.
ALTER TABLE access.daily_usage DROP CONSTRAINT daily_usage_kind_check;
ALTER TABLE access.daily_usage ADD CONSTRAINT daily_usage_kind_check CHECK (kind IN (
  'search', 'details', 'screener',
  'feed_records', 'unknown_items', 'orders', 'ordered_items', 'kept_answers', 'written_bytes'));
