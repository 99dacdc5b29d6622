-- Matches come in the order of their imports, so that block ranges tell those of an import; and of a run they are few, whatever their state.
-- Thirty thousand matches of a night are written the faster.

DROP INDEX orders.standing_match_import;
CREATE INDEX standing_match_import ON orders.standing_match USING brin (import_run_id int8_minmax_multi_ops) WITH (autosummarize = on);
DROP INDEX orders.standing_match_run;
CREATE INDEX standing_match_run ON orders.standing_match (run_id);
