-- Marks the records held, or about to be held, by destinations with keep = 'fresh' that the import $1 touched:
-- directly, or through related records in their lead (directors and registrations of a company, companies of a
-- director, descriptions of codes, contact preferences). A superset, since each is compared before anything is sent.
-- Invariant: an import that was not applied touches nothing, and an older import never replaces the mark of a newer
-- one.
WITH entered AS (
  -- A first load: its records count as changed by their insert.
  SELECT FROM ingest.run WHERE run_id = $1 AND inserted_at IS NOT NULL AND status = 'succeeded' AND NOT dry_run
),
changed AS MATERIALIZED (
  SELECT c.entity, c.identifier, c.before FROM ingest.change c JOIN ingest.run USING (run_id)
  WHERE c.run_id = $1 AND run.status = 'succeeded' AND NOT run.dry_run
    AND c.entity IN ('company', 'gst', 'director', 'directorship', 'contact', 'contact_preference', 'tariff')
  UNION ALL
  SELECT 'company', cin, NULL FROM registry.company WHERE first_run_id = $1 AND insert_change_id IS NOT NULL AND EXISTS (SELECT FROM entered)
  UNION ALL
  SELECT 'gst', gstin, NULL FROM registry.gst_taxpayer WHERE first_run_id = $1 AND insert_change_id IS NOT NULL AND EXISTS (SELECT FROM entered)
  UNION ALL
  SELECT 'director', din, NULL FROM registry.director WHERE first_run_id = $1 AND insert_change_id IS NOT NULL AND EXISTS (SELECT FROM entered)
  UNION ALL
  SELECT 'directorship', id, NULL FROM registry.directorship WHERE first_run_id = $1 AND insert_change_id IS NOT NULL AND EXISTS (SELECT FROM entered)
  UNION ALL
  SELECT 'contact', id, NULL FROM registry.contact WHERE first_run_id = $1 AND insert_change_id IS NOT NULL AND EXISTS (SELECT FROM entered)
),
held AS MATERIALIZED (
  SELECT r.external_id, split_part(r.external_id, ':', 1) AS entity, split_part(r.external_id, ':', 2) AS identifier,
    bool_or(account.excludes_preferences) AS leaves_out_barred
  FROM deliver.record r
  JOIN deliver.destination d ON d.destination_id = r.destination_id AND d.keep = 'fresh' AND d.status <> 'removed'
  JOIN access.account ON account.account_id = d.account_id
  -- Rejected records are compared with the registers anyway.
  WHERE r.state <> 'rejected' AND coalesce(r.changed_by_run, 0) < $1
  GROUP BY r.external_id
),
-- A company is linked to registrations by its name, which the import may have changed, and by the PAN that they share.
names AS (
  SELECT company.name_key FROM changed JOIN registry.company ON company.cin = changed.identifier WHERE changed.entity = 'company'
  UNION
  SELECT registry.name_key(before ->> 'name') FROM changed WHERE entity = 'company' AND before ? 'name'
  UNION
  SELECT registry.name_key(g.legal_name) FROM registry.gst_taxpayer g
  WHERE g.pan IN (SELECT substr(identifier, 3, 10) FROM changed WHERE entity = 'gst' AND substr(identifier, 6, 1) IN ('C', 'F'))
  UNION
  SELECT registry.name_key(before ->> 'legal_name') FROM changed WHERE entity = 'gst' AND before ? 'legal_name'
),
touched AS (
  SELECT entity || ':' || identifier AS external_id FROM changed WHERE entity IN ('company', 'gst', 'director')
  UNION
  SELECT split_part(identifier, ':', 1) || ':' || split_part(identifier, ':', 2) FROM changed WHERE entity = 'contact'
  UNION
  -- An id of a directorship: CIN|DIN|designation|day.
  SELECT unnest(ARRAY['company:' || split_part(identifier, '|', 1), 'director:' || split_part(identifier, '|', 2)])
  FROM changed WHERE entity = 'directorship'
  UNION
  SELECT 'company:' || d.cin FROM changed JOIN registry.directorship d ON d.din = changed.identifier WHERE changed.entity = 'director'
  UNION
  SELECT 'director:' || d.din FROM changed JOIN registry.directorship d ON d.cin = changed.identifier WHERE changed.entity = 'company'
  UNION
  SELECT held.external_id FROM held JOIN registry.company ON company.cin = held.identifier
  WHERE held.entity = 'company' AND company.name_key IN (SELECT name_key FROM names)
  UNION
  -- A code as the list has it, without the zero that a spreadsheet took, or with blanks.
  SELECT held.external_id FROM held
  JOIN registry.gst_taxpayer g ON g.gstin = held.identifier
  CROSS JOIN LATERAL unnest(g.hsn_codes || g.sac_codes) AS code
  CROSS JOIN LATERAL (VALUES (code), ('0' || code), (regexp_replace(code, '\s', '', 'g'))) AS form (listed)
  JOIN changed ON changed.entity = 'tariff' AND changed.identifier = form.listed
  WHERE held.entity = 'gst' AND EXISTS (SELECT FROM changed WHERE entity = 'tariff')
  UNION
  -- An id of a preference: address or number|list.
  SELECT held.external_id FROM held
  CROSS JOIN LATERAL registry.ways_known(held.entity, held.identifier) AS way
  JOIN changed ON changed.entity = 'contact_preference' AND split_part(changed.identifier, '|', 1) = way.value
  WHERE held.leaves_out_barred AND EXISTS (SELECT FROM changed WHERE entity = 'contact_preference')
),
chosen AS (
  SELECT r.destination_id, r.external_id
  FROM deliver.record r
  JOIN deliver.destination d ON d.destination_id = r.destination_id AND d.keep = 'fresh' AND d.status <> 'removed'
  JOIN touched t ON t.external_id = r.external_id
  WHERE r.state <> 'rejected' AND coalesce(r.changed_by_run, 0) < $1
  -- Every writer takes the rows in this order.
  ORDER BY r.destination_id, r.external_id
  FOR UPDATE OF r
)
UPDATE deliver.record r SET changed_by_run = $1
FROM chosen c WHERE r.destination_id = c.destination_id AND r.external_id = c.external_id
