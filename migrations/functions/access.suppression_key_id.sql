-- Names the connection's key of the suppression list and tells nothing of it.
CREATE OR REPLACE FUNCTION access.suppression_key_id() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT encode(substr(sha256(convert_to('key id ' || coalesce(current_setting('panji.suppression_key', true), ''), 'UTF8')), 1, 8), 'hex')
$$;
