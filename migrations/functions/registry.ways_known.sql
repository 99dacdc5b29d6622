-- Every address and number that is known of a record, whoever collected it, but addresses that reach nobody. `place` orders those of one kind, the best
-- first: the collected before the register's own, whose day is that of a snapshot and not of the filing; of those the
-- freshest; of those as they stand in their cell. `barred`: its owner asked not to be contacted, and has not agreed since.
-- `suppressed`: it stands on the suppression list. Rows written before lists of contacts were kept have one of each kind,
-- which counts in its plain form. The body is a text, so that a register may be replaced, and is planned within its caller.
CREATE OR REPLACE FUNCTION registry.ways_known(of_entity text, of_identifier text)
RETURNS TABLE (kind text, value text, origin text, as_of date, run_id bigint, place bigint, barred boolean, suppressed boolean)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT way.kind, way.value, way.origin, way.as_of, way.run_id,
         row_number() OVER (PARTITION BY way.kind ORDER BY way.is_register, way.as_of DESC, way.position, way.value),
         EXISTS (
           SELECT FROM registry.contact_preference AS asked
           WHERE asked.value = way.value AND asked.preference = 'do_not_contact' AND asked.closed_on IS NULL
             AND (asked.expires_on IS NULL OR asked.expires_on >= runtime.indian_day(now()))
             AND NOT EXISTS (
               SELECT FROM registry.contact_preference AS agreed
               WHERE agreed.value = way.value AND agreed.preference = 'consent' AND agreed.closed_on IS NULL
                 AND (agreed.expires_on IS NULL OR agreed.expires_on >= runtime.indian_day(now()))
                 AND agreed.stated_on >= coalesce(asked.stated_on, asked.as_of))),
         access.suppressed(CASE way.kind WHEN 'email' THEN 'email' ELSE 'mobile' END, way.value)
  FROM (
    SELECT DISTINCT ON (found.kind, found.value) found.*
    FROM (
      SELECT listed.kind, listed.value, contact.origin, contact.as_of, contact.last_run_id AS run_id, listed.position,
             false AS is_register
      FROM registry.contact
      CROSS JOIN LATERAL (
        SELECT 'email' AS kind, value, position
        FROM unnest(coalesce(contact.emails, ARRAY[ingest.plain_email(contact.email)])) WITH ORDINALITY AS email (value, position)
        UNION ALL
        SELECT 'mobile', value, position
        FROM unnest(coalesce(contact.mobiles, ARRAY[substring(contact.mobile FROM '^\+[1-9][0-9]{9,14}$')]))
          WITH ORDINALITY AS mobile (value, position)
        UNION ALL
        SELECT 'landline', value, position
        FROM unnest(coalesce(contact.landlines, ARRAY[
          '+91' || substring(translate(contact.phone, ' -()', '') FROM '^(?:\+?91|0)?([2-9][0-9]{9})$')]))
          WITH ORDINALITY AS landline (value, position)
      ) AS listed
      WHERE contact.entity = of_entity AND contact.identifier = of_identifier AND contact.closed_on IS NULL
      UNION ALL
      SELECT 'email', listed.value, 'mca-companies', company.as_of, company.last_run_id, listed.position, true
      FROM registry.company
      CROSS JOIN LATERAL unnest(coalesce(company.emails, ARRAY[ingest.plain_email(company.email)]))
        WITH ORDINALITY AS listed (value, position)
      WHERE of_entity = 'company' AND company.cin = of_identifier
    ) AS found
    WHERE found.value IS NOT NULL AND NOT (found.kind = 'email' AND registry.reaches_nobody(found.value))
    ORDER BY found.kind, found.value, found.is_register, found.as_of DESC, found.position
  ) AS way
$$;
