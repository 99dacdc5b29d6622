-- An operator's view of an account is a session of that account that nobody's key opened: it reads, changes nothing, and says
-- whose eyes it serves. The release before opens sessions by key alone, and goes on doing so.
ALTER TABLE access.session
  ALTER COLUMN api_key_id DROP NOT NULL,
  ADD COLUMN viewer_id    text,             -- of the operator, as in the trail
  ADD COLUMN viewer_name  text;
CREATE INDEX session_viewer ON access.session (viewer_id) WHERE viewer_id IS NOT NULL;
