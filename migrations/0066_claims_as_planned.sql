-- The order in which a batch is taken. The condition says `pending` in words that no other index is known to answer: the planner
-- would take all that is open and sort it, for each batch anew, as long as it has not seen how many that is.
DROP INDEX deliver.record_pending;
CREATE INDEX record_pending ON deliver.record (destination_id, external_id) WHERE coalesce(state = 'pending', false);
