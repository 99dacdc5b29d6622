-- Has a record an address or number that is on the suppression list? Told of records that nobody can be reached under, so that
-- a quote may say why. Reads the same lists as registry.ways_to_reach, which leaves such contacts out.
CREATE OR REPLACE FUNCTION registry.objected(of_entity text, of_identifier text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT EXISTS (SELECT FROM access.suppression) AND EXISTS (
    SELECT FROM (
      SELECT 'email' AS kind, unnest(coalesce(contact.emails, ARRAY[ingest.plain_email(contact.email)])) AS value
      FROM registry.contact
      WHERE contact.entity = of_entity AND contact.identifier = of_identifier AND contact.closed_on IS NULL
      UNION ALL
      SELECT 'mobile', unnest(coalesce(contact.mobiles, ARRAY[contact.mobile]) || coalesce(contact.landlines, ARRAY[contact.phone]))
      FROM registry.contact
      WHERE contact.entity = of_entity AND contact.identifier = of_identifier AND contact.closed_on IS NULL
      UNION ALL
      SELECT 'email', unnest(coalesce(company.emails, ARRAY[ingest.plain_email(company.email)]))
      FROM registry.company WHERE of_entity = 'company' AND company.cin = of_identifier
    ) AS listed
    WHERE listed.value IS NOT NULL AND access.suppressed(listed.kind, listed.value))
$$;
