-- $1 dataset, whose selects and record are filled in with their parameters, see feed-statement.ts. The count is filled in
-- where the caller does not know the total: to plan it costs as much as the page.
WITH scoped AS NOT MATERIALIZED (
  /* scoped */
), page AS (
  SELECT identifier, registered_on FROM /* newest */ ORDER BY registered_on DESC, identifier/* page */
)
SELECT coalesce((SELECT version FROM registry.version WHERE entity = $1), 0) AS version,
       /* total */ AS total,
       (SELECT coalesce(json_agg(record), '[]') FROM (/* record */) AS record) AS data
