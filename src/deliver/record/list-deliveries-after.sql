-- Up to $6 chosen deliveries with ids after $7, in order of their ids, without a total.
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
