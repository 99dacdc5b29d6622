-- How many API keys that were used within a week end within the next one; of no use for learning which.
CREATE OR REPLACE FUNCTION access.count_ending_keys() RETURNS bigint LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT count(*) FROM access.api_key JOIN access.account USING (account_id)
  WHERE revoked_at IS NULL AND expires_at BETWEEN now() AND now() + interval '7 days'
    AND last_used_at > now() - interval '7 days' AND suspended_at IS NULL AND erased_at IS NULL
$$;
