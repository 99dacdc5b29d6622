-- Assigns the records $4 of destination $1 a member of the rotation $3 for field $2. A record that has a member keeps
-- it; the others get the next ones in order. Invariant: the row lock on the list's counter means each turn is given
-- once, also to concurrent callers; and two that request the same record at once get the same member.
WITH asked AS (
  SELECT external_id, n FROM unnest($4::text[]) WITH ORDINALITY AS a (external_id, n)
), missing AS (
  SELECT external_id, row_number() OVER (ORDER BY n) - 1 AS place FROM asked
  WHERE NOT EXISTS (SELECT FROM deliver.turn t
    WHERE t.destination_id = $1 AND t.field = $2 AND t.external_id = asked.external_id AND t.value = ANY ($3::text[]))
), counted AS (
  INSERT INTO deliver.rotation AS c (destination_id, field, members, taken)
  SELECT $1, $2, $3::text[], count(*) FROM missing HAVING count(*) > 0
  ON CONFLICT (destination_id, field, members) DO UPDATE SET taken = c.taken + EXCLUDED.taken
  RETURNING c.taken - (SELECT count(*) FROM missing) AS first
), made AS (
  INSERT INTO deliver.turn AS t (destination_id, field, external_id, value)
  SELECT $1, $2, external_id, ($3::text[])[1 + ((first + place) % cardinality($3::text[]))::int] FROM missing, counted
  ORDER BY external_id
  ON CONFLICT (destination_id, external_id, field) DO UPDATE
    SET value = CASE WHEN t.value = ANY ($3::text[]) THEN t.value ELSE EXCLUDED.value END
  RETURNING t.external_id, t.value
)
SELECT external_id AS "externalId", value FROM made
UNION ALL
SELECT t.external_id, t.value FROM asked JOIN deliver.turn t ON t.destination_id = $1 AND t.field = $2 AND t.external_id = asked.external_id
WHERE t.value = ANY ($3::text[])
