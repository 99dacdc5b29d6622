-- $1 entity; `table` is its register.
-- Invariant: name_word holds every word of every name of the version that name_word_state tells. One statement sees one
-- moment, so version and names belong together. The newest run's rows are enough where only that run was missed.
WITH now AS MATERIALIZED (
  SELECT v.version, v.run_id, known.version AS known
  FROM registry.version v LEFT JOIN registry.name_word_state known USING (entity)
  WHERE v.entity = $1
), counted AS (
  INSERT INTO registry.name_word AS w (entity, word, names)
  SELECT $1, word, count(*)
  FROM /* table */ r CROSS JOIN now CROSS JOIN unnest(string_to_array(r.name_key, ' ')) AS word
  WHERE word <> '' AND now.known IS DISTINCT FROM now.version
    AND (now.known IS DISTINCT FROM now.version - 1 OR now.run_id IS NULL OR r.last_run_id = now.run_id)
  GROUP BY word
  ON CONFLICT (entity, word) DO UPDATE
    SET names = excluded.names
              + (SELECT CASE WHEN now.known = now.version - 1 AND now.run_id IS NOT NULL THEN w.names ELSE 0 END FROM now)
  RETURNING xmax = 0 AS is_new
), noted AS (
  INSERT INTO registry.name_word_state (entity, version) SELECT $1, version FROM now
  ON CONFLICT (entity) DO UPDATE SET version = excluded.version
)
SELECT count(*) FILTER (WHERE is_new) AS words FROM counted
