-- The chosen deliveries that were made until $9, the one with id $8 alone unless that is null, as they are sorted, from $7 on, at most $6.
SELECT page.*, known.*, waiting.* FROM (
  SELECT *, count(*) OVER () AS total FROM (
/* chosen */
  ) AS chosen
  WHERE ($8::uuid IS NULL OR delivery_id = $8) AND
/* until */
  ORDER BY
/* sorted */
  LIMIT $6 OFFSET $7
) AS page
/* waiting */
ORDER BY
/* sorted */
