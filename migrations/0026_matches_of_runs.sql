-- A match belongs to a run of its own standing order: one reference that says both, where two said less and cost twice as much.
-- Neither standing orders nor runs are ever deleted; what was gathered has no run until its schedule comes.

DROP INDEX orders.standing_run_order;
ALTER TABLE orders.standing_run ADD CONSTRAINT standing_run_order UNIQUE (standing_order_id, run_id);
ALTER TABLE orders.standing_match
  DROP CONSTRAINT standing_match_standing_order_id_fkey,
  DROP CONSTRAINT standing_match_run_id_fkey,
  ADD CONSTRAINT standing_match_run_fkey FOREIGN KEY (standing_order_id, run_id)
    REFERENCES orders.standing_run (standing_order_id, run_id) ON DELETE CASCADE;
