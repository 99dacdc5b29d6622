-- $1 is the dataset, whose rows and record are filled in with their parameters, see feed-statement.ts. The count is
-- filled in if the caller does not know the total: planning it costs as much as the page.
/* with */SELECT coalesce((SELECT version FROM registry.version WHERE entity = $1), 0) AS version,
       /* total */ AS total,
       (SELECT coalesce(json_agg(record), '[]') FROM (/* record */) AS record) AS data
