-- Whether a proof is that of an operator's credential: of the token, or of the secret of the operator's browser session. One of the
-- environment has none here.
CREATE OR REPLACE FUNCTION access.shows_operator(operator_id text, operator_name text, proof text) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
  SELECT shows_operator.operator_id = 'environment' OR EXISTS (
    SELECT FROM access.operator o, sha256(decode(shows_operator.proof, 'hex')) AS shown
    WHERE o.operator_id::text = shows_operator.operator_id AND o.name = shows_operator.operator_name AND o.revoked_at IS NULL
      AND (o.token_sha256 = shown
           OR EXISTS (SELECT FROM access.console_session s WHERE s.operator_id = o.operator_id AND s.secret_sha256 = shown)))
$$;
