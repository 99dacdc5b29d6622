-- Revokes key $1 and the keys that it created, directly or through others, and ends all of their sessions.
WITH RECURSIVE family AS (
  SELECT api_key_id FROM access.api_key WHERE api_key_id = $1
  UNION ALL
  SELECT k.api_key_id FROM access.api_key k JOIN family f ON k.parent_key_id = f.api_key_id
), revoked AS (
  UPDATE access.api_key k SET revoked_at = now() FROM family f
  WHERE k.api_key_id = f.api_key_id AND k.revoked_at IS NULL RETURNING k.display_prefix, k.api_key_id
), ended AS (
  UPDATE access.session s SET revoked_at = now() FROM family f
  WHERE s.api_key_id = f.api_key_id AND s.revoked_at IS NULL RETURNING 1
)
SELECT (SELECT count(*)::int FROM ended) AS "sessionsEnded",
       coalesce((SELECT array_agg(display_prefix ORDER BY display_prefix) FROM revoked WHERE api_key_id <> $1), '{}') AS "childrenRevoked"
