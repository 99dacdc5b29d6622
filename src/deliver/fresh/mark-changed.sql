-- Marks the records that destinations which are kept fresh hold, or are about to, and that the import $1 touched: itself, or by what its lead
-- tells of others (directors and registrations of a company, companies of a director). A superset, since each is compared before
-- anything is sent. Invariant: an import that was not applied touches nothing, and an older one never takes the place of a newer.
WITH changed AS MATERIALIZED (
  SELECT c.entity, c.identifier FROM ingest.change c JOIN ingest.run USING (run_id)
  WHERE c.run_id = $1 AND run.status = 'succeeded' AND NOT run.dry_run
    AND c.entity IN ('company', 'gst', 'director', 'directorship', 'contact')
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
  SELECT 'company:' || company.cin FROM changed JOIN registry.gst_taxpayer g ON g.gstin = changed.identifier
  JOIN registry.company ON company.name_key = registry.name_key(g.legal_name)
  WHERE changed.entity = 'gst' AND substr(g.pan, 4, 1) IN ('C', 'F')
),
chosen AS (
  SELECT r.destination_id, r.external_id
  FROM deliver.record r
  JOIN deliver.destination d ON d.destination_id = r.destination_id AND d.keep = 'fresh' AND d.status <> 'removed'
  JOIN touched t ON t.external_id = r.external_id
  -- What was rejected is compared with the registers anyway.
  WHERE r.state <> 'rejected' AND coalesce(r.changed_by_run, 0) < $1
  -- Every writer takes the rows in this order.
  ORDER BY r.destination_id, r.external_id
  FOR UPDATE OF r
)
UPDATE deliver.record r SET changed_by_run = $1
FROM chosen c WHERE r.destination_id = c.destination_id AND r.external_id = c.external_id
