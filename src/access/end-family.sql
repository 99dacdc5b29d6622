-- Limits the expiry of the keys that key $1 created, directly or through others, to its own, and that of their
-- sessions.
WITH RECURSIVE family AS (
  SELECT api_key_id, expires_at AS bound FROM access.api_key WHERE api_key_id = $1
  UNION ALL
  SELECT k.api_key_id, least(k.expires_at, f.bound) FROM access.api_key k JOIN family f ON k.parent_key_id = f.api_key_id
), ended AS (
  UPDATE access.api_key k SET expires_at = f.bound FROM family f
  WHERE k.api_key_id = f.api_key_id AND k.expires_at IS DISTINCT FROM f.bound
)
UPDATE access.session s SET expires_at = f.bound FROM family f
WHERE s.api_key_id = f.api_key_id AND s.revoked_at IS NULL AND s.expires_at > f.bound
