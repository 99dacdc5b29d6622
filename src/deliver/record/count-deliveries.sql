-- The number of chosen deliveries created until $6, for a page beyond the last one, which has no row to carry the
-- total.
SELECT count(*) AS total FROM (
/* chosen */
) AS chosen
WHERE
/* until */
