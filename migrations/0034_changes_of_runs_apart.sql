-- An insert that is written with the first change of its record lies among the rows of a much later run: the index of runs tells several
-- runs of a block range apart, where the least and the greatest would have named all in between.
CREATE INDEX change_of_run ON ingest.change USING brin (run_id int8_minmax_multi_ops) WITH (autosummarize = on);
DROP INDEX ingest.change_by_run;
ALTER INDEX ingest.change_of_run RENAME TO change_by_run;
