-- $1 is the entity, $2 the version of its register read before its records were counted; the placeholder `counts` reads
-- the words per column of the records grouped in `held`.
-- Invariant: held_word has the words of the version in held_word_state, each with its number of records. If the
-- register changed before `held` was read, they belong to a newer version, and this one is no longer the newest.
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
