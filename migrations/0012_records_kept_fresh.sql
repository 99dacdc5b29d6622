-- Records of destinations that are kept fresh: which import touched one since it was last compared with the registers, and when a change was
-- last desired.

ALTER TABLE deliver.record
  ADD COLUMN changed_by_run bigint,             -- newest import that touched it; null once it was compared
  ADD COLUMN refreshed_at timestamptz;
CREATE INDEX record_changed ON deliver.record (destination_id, external_id) WHERE changed_by_run IS NOT NULL;
CREATE INDEX record_refreshed ON deliver.record (destination_id, refreshed_at) WHERE refreshed_at IS NOT NULL;
