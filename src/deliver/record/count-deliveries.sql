-- How many the chosen deliveries are that were made until $6, where a page beyond the last one has no row that says so.
SELECT count(*) AS total FROM (
/* chosen */
) AS chosen
WHERE
/* until */
