-- HMAC-SHA256 of a canonical value under the key that the connection brought: its inner and its outer block, 64 bytes
-- each. E-mail addresses in lower case, mobile numbers as the registers write them, DINs as they are, PANs also out of a GSTIN.
CREATE OR REPLACE FUNCTION access.suppression_hash(kind text, value text) RETURNS bytea
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  blocks bytea := decode(coalesce(current_setting('panji.suppression_key', true), ''), 'hex');
  canonical text := CASE kind
    WHEN 'email' THEN lower(btrim(value))
    WHEN 'mobile' THEN coalesce(ingest.read_mobile(value), '+' || regexp_replace(value, '[^0-9]', '', 'g'))
    WHEN 'pan' THEN CASE length(value) WHEN 15 THEN substr(value, 3, 10) ELSE value END
    ELSE value
  END;
BEGIN
  IF length(blocks) <> 128 THEN
    RAISE EXCEPTION 'this connection brought no key of the suppression list' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN sha256(substr(blocks, 65) || sha256(substr(blocks, 1, 64) || convert_to(kind || ':' || canonical, 'UTF8')));
END $$;
