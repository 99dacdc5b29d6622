-- $1 dataset, whose view and record are filled in, as are the bounds with their parameters, see feed-statement.ts. The
-- count is filled in where the caller does not know the total: to plan it costs as much as the page.
WITH scoped AS NOT MATERIALIZED (
  SELECT f.identifier, f.registered_on FROM feed./* dataset */ f WHERE true/* bounds */
), page AS (
  SELECT identifier, registered_on FROM scoped ORDER BY registered_on DESC, identifier/* page */
)
SELECT coalesce((SELECT version FROM registry.version WHERE entity = $1), 0) AS version,
       /* total */ AS total,
       (SELECT coalesce(json_agg(record), '[]') FROM (/* record */) AS record) AS data
