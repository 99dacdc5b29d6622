-- How many API keys that were used within a week end within the next one; of no use for learning which. One that was made for less
-- than that ends as it was meant to, such as the key of a day that leads into the sample world.
CREATE OR REPLACE FUNCTION access.count_ending_keys() RETURNS bigint LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT count(*) FROM access.api_key JOIN access.account USING (account_id)
  WHERE revoked_at IS NULL AND expires_at BETWEEN now() AND now() + interval '7 days'
    AND last_used_at > now() - interval '7 days' AND suspended_at IS NULL AND erased_at IS NULL
    AND expires_at - api_key.created_at > interval '7 days'
$$;
