-- $1 entity, $2 the version of its register that was read before its records were counted; what stands in the place of `counts` reads
-- the words of the records that `held` has together, per column.
-- Invariant: held_word lists the words of the version that held_word_state tells, each with the number of its records. Where the
-- register moved on before `held` was read, they are those of a newer one, and this version is nobody's newest.
WITH counted AS MATERIALIZED (
  SELECT * FROM (/* counts */) AS each WHERE word IS NOT NULL
), gone AS (
  DELETE FROM registry.held_word w
  WHERE w.entity = $1 AND NOT EXISTS (SELECT FROM counted c WHERE c.column_name = w.column_name AND c.word = w.word)
), kept AS (
  INSERT INTO registry.held_word AS w (entity, column_name, word, records)
  SELECT $1, column_name, word, records FROM counted
  ON CONFLICT (entity, column_name, word) DO UPDATE SET records = excluded.records WHERE w.records <> excluded.records
), noted AS (
  INSERT INTO registry.held_word_state (entity, version) VALUES ($1, $2)
  ON CONFLICT (entity) DO UPDATE SET version = excluded.version
)
SELECT count(*) AS words FROM counted
