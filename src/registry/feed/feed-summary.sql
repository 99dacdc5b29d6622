-- Within the parts of a scope, whose selects are filled in with their parameters: how many registrations each day and state has.
WITH scoped AS (
  /* scoped */
)
SELECT registered_on AS day, state, count(*) AS total FROM scoped GROUP BY registered_on, state
ORDER BY registered_on DESC, total DESC, state
