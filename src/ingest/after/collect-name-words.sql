-- $1 is the entity, $2 the version of its register read before its names were counted, $3 whether only the names of its
-- newest run were.
-- Invariant: name_word has every word of every name of the version in name_word_state. If the register changed before
-- `counted` was read, that includes newer names, and this version is no longer the newest.
WITH added AS (
  INSERT INTO registry.name_word AS w (entity, word, names)
  SELECT $1, word, names FROM counted
  ON CONFLICT (entity, word) DO UPDATE SET names = excluded.names + CASE WHEN $3 THEN w.names ELSE 0 END
  RETURNING xmax = 0 AS is_new
), noted AS (
  INSERT INTO registry.name_word_state (entity, version) VALUES ($1, $2)
  ON CONFLICT (entity) DO UPDATE SET version = excluded.version
)
SELECT count(*) FILTER (WHERE is_new) AS words FROM added
