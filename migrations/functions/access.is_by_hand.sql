-- Whether the owner's login acts, as the commands at the terminal do, and none of the roles of requests and jobs. A function of the
-- owner changes neither setting nor login.
CREATE OR REPLACE FUNCTION access.is_by_hand() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT to_regrole('panji_owner') IS NULL
      OR current_setting('role') IN ('none', 'panji_owner') AND pg_has_role(session_user, 'panji_owner', 'MEMBER')
$$;
