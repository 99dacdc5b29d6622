-- Up to $6 chosen deliveries created until $9, sorted, from offset $7; only the one with id $8 unless that is null.
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
