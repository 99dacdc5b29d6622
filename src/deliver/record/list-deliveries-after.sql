-- The chosen deliveries in the order of the ids after $7, at most $6 of them, without a count of all.
SELECT page.*, known.*, waiting.* FROM (
  SELECT * FROM (
/* chosen */
  ) AS chosen
  WHERE $7::uuid IS NULL OR delivery_id > $7
  ORDER BY delivery_id
  LIMIT $6
) AS page
/* waiting */
ORDER BY page.delivery_id
