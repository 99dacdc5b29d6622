-- Registrations per day and state within the parts of a scope, whose selects are filled in with their parameters.
WITH scoped AS (
  /* scoped */
)
SELECT registered_on AS day, state, sum(records)::bigint AS total FROM scoped
GROUP BY registered_on, state HAVING sum(records) <> 0
ORDER BY registered_on DESC, total DESC, state
