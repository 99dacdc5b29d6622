-- A batch is taken in the order of its records; without this, each claim looks at all that are pending.
CREATE INDEX record_pending ON deliver.record (destination_id, external_id) WHERE state = 'pending';
