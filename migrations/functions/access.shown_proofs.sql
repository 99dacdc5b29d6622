-- The hashes of what the statement shows: proofs of operators' credentials, hexadecimal and separated by commas. A text that is
-- none shows nothing.
CREATE OR REPLACE FUNCTION access.shown_proofs() RETURNS bytea[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(sha256(decode(proof, 'hex'))), '{}')
  FROM unnest(string_to_array(current_setting('panji.operator_proofs', true), ',')) AS proof WHERE proof ~ '^[0-9a-f]{64}$'
$$;
