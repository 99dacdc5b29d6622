-- Whose turn it is for the records $4 of destination $1 in field $2 among $3. A record that has one of these keeps it; the others take the
-- next ones, in their order. Invariant: a counter for each list gives every turn once, whoever counts at the same time, since its row is
-- held; and of two who ask for one record at once both hear the same.
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
