-- $1 entity; what stands in the place of `counts` reads the words of its register, per column.
-- Invariant: held_word lists the words of the version that held_word_state tells, each with the number of its records.
-- One statement sees one moment, so version and words belong together.
WITH now AS MATERIALIZED (
  SELECT v.version, known.version AS known
  FROM registry.version v LEFT JOIN registry.held_word_state known USING (entity)
  WHERE v.entity = $1
), counted AS MATERIALIZED (
  SELECT * FROM (/* counts */) AS each WHERE word IS NOT NULL
), gone AS (
  DELETE FROM registry.held_word w USING now
  WHERE w.entity = $1 AND now.known IS DISTINCT FROM now.version
    AND NOT EXISTS (SELECT FROM counted c WHERE c.column_name = w.column_name AND c.word = w.word)
), kept AS (
  INSERT INTO registry.held_word AS w (entity, column_name, word, records)
  SELECT $1, column_name, word, records FROM counted
  ON CONFLICT (entity, column_name, word) DO UPDATE SET records = excluded.records WHERE w.records <> excluded.records
), noted AS (
  INSERT INTO registry.held_word_state (entity, version) SELECT $1, version FROM now
  ON CONFLICT (entity) DO UPDATE SET version = excluded.version
)
SELECT count(*) AS words FROM counted
