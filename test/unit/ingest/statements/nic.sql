-- nic, header "NIC list". Staged columns:
--   c1 code
--   c2 level
--   c3 section
--   c4 division
--   c5 description
--   c6 vintage

-- Rows that the register was not last written from
SELECT s.ordinal, t.record_key, t.scope_name, t.as_of
       FROM (SELECT s.ordinal, hash_record_extended(ROW(s.c1,
         s.c5,
         s.c4,
         s.c2,
         s.c3,
         s.c6), 0) AS fingerprint FROM ingest.stage_0 s) s
         FULL JOIN (SELECT id AS record_key, t.vintage::text AS scope_name, as_of, fingerprint
                    FROM reference.nic t WHERE closed_on IS NULL) t
              ON t.fingerprint = s.fingerprint
       WHERE s.ordinal IS NULL OR t.record_key IS NULL;

-- Check
SELECT checked.ordinal,
  checked.place,
  checked.fingerprint,
  checked.vintage,
  checked.code,
  checked.level,
  checked.section,
  checked.division,
  checked.description,
  checked.id,
  checked.vintage::text AS scope_name,
       CASE WHEN checked.vintage IS NULL AND checked.f_vintage IS NOT NULL THEN 'number_unreadable'
            WHEN checked.vintage NOT IN (2004, 2008) THEN 'value_not_allowed'
            WHEN checked.code IS NULL THEN 'value_missing'
            WHEN checked.level IS NULL THEN 'value_missing'
            WHEN checked.division IS NULL AND checked.f_division IS NOT NULL THEN 'number_unreadable'
            WHEN checked.description IS NULL THEN 'value_missing' END AS fault,
       CASE WHEN checked.vintage IS NULL AND checked.f_vintage IS NOT NULL THEN '"' || left(checked.f_vintage, 80) || '" in vintage is no whole number; write it in digits'
            WHEN checked.vintage NOT IN (2004,
              2008) THEN '"' || left(checked.vintage::text,
              80) || '" is none of 2004, 2008 (vintage)'
            WHEN checked.code IS NULL THEN 'code is empty (code)'
            WHEN checked.level IS NULL THEN 'level is empty (level)'
            WHEN checked.division IS NULL AND checked.f_division IS NOT NULL THEN '"' || left(checked.f_division, 80) || '" in division is no whole number; write it in digits'
            WHEN checked.description IS NULL THEN 'description is empty (description)' END AS fault_message,
       NULL::text AS repair
FROM (SELECT typed.*,
    coalesce(typed.vintage::text, '') || ':' || coalesce(typed.code::text, '') AS id FROM (
  SELECT places.ordinal,
    places.place,
    places.fingerprint,
    places.f_vintage,
    places.f_code,
    places.f_level,
    places.f_section,
    places.f_division,
    places.f_description,
    CASE WHEN places.f_vintage IS NULL THEN 2008 ELSE CASE WHEN ingest.read_number(places.f_vintage) <= 2100 THEN ingest.read_number(places.f_vintage) END END AS vintage,
    places.f_code AS code,
    lower(places.f_level) AS level,
    places.f_section AS section,
    CASE WHEN ingest.read_number(places.f_division) <= 99 THEN ingest.read_number(places.f_division) END AS division,
    places.f_description AS description FROM (
    SELECT joined.* FROM (
      SELECT prepared.* FROM (
        SELECT cells.* FROM (
          SELECT s.ordinal,
            s.ctid AS place,
            hash_record_extended(ROW(s.c1, s.c5, s.c4, s.c2, s.c3, s.c6), 0) AS fingerprint,
            ingest.clean(s.c1) AS f_code,
            ingest.clean(s.c5) AS f_description,
            ingest.clean(s.c4) AS f_division,
            ingest.clean(s.c2) AS f_level,
            ingest.clean(s.c3) AS f_section,
            ingest.clean(s.c6) AS f_vintage
          FROM ingest.stage_0 s  OFFSET '0') cells OFFSET '0') prepared
       OFFSET '0') joined OFFSET '0') places OFFSET '0') typed OFFSET '0') checked;

-- Write what is new and what changed
-- Invariant: an identifier is inserted into the register once. A row is written only if a covered column changed or a
-- closed record reappeared. Each write adds exactly one history row, with the changed fields before and after if there
-- was a record. A row that a newer file changed or a newer delta confirmed is skipped, and so is one that a newer
-- snapshot of its own partition contained, whatever partition an older file claims for it. The source's advisory lock excludes other
-- writers of the register, so neither the absence of a row nor its place can become stale. ctids are unique only within
-- one physical partition of the table. New rows are sorted by key, so that the indexes are filled in order.
WITH found AS MATERIALIZED (
  SELECT c.id AS record_key, t.tableoid AS stored_in, t.ctid AS place, t.closed_on AS closed_before,
         c.vintage AS vintage,
           c.code AS code,
           c.level AS level,
           c.section AS section,
           c.division AS division,
           c.description AS description,
         c.fingerprint, c.ordinal,
         CASE WHEN t.id IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.vintage IS DISTINCT FROM c.vintage
              THEN '"vintage":' || coalesce(to_json(t.vintage)::text, 'null') END, CASE WHEN t.code IS DISTINCT FROM c.code
              THEN '"code":' || coalesce(to_json(t.code)::text, 'null') END, CASE WHEN t.level IS DISTINCT FROM c.level
              THEN '"level":' || coalesce(to_json(t.level)::text, 'null') END, CASE WHEN t.section IS DISTINCT FROM c.section
              THEN '"section":' || coalesce(to_json(t.section)::text, 'null') END, CASE WHEN t.division IS DISTINCT FROM c.division
              THEN '"division":' || coalesce(to_json(t.division)::text, 'null') END, CASE WHEN t.description IS DISTINCT FROM c.description
              THEN '"description":' || coalesce(to_json(t.description)::text, 'null') END) || '}')::jsonb END AS before,
         CASE WHEN t.id IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.vintage IS DISTINCT FROM c.vintage
              THEN '"vintage":' || coalesce(to_json(c.vintage)::text, 'null') END, CASE WHEN t.code IS DISTINCT FROM c.code
              THEN '"code":' || coalesce(to_json(c.code)::text, 'null') END, CASE WHEN t.level IS DISTINCT FROM c.level
              THEN '"level":' || coalesce(to_json(c.level)::text, 'null') END, CASE WHEN t.section IS DISTINCT FROM c.section
              THEN '"section":' || coalesce(to_json(c.section)::text, 'null') END, CASE WHEN t.division IS DISTINCT FROM c.division
              THEN '"division":' || coalesce(to_json(c.division)::text, 'null') END, CASE WHEN t.description IS DISTINCT FROM c.description
              THEN '"description":' || coalesce(to_json(c.description)::text, 'null') END) || '}')::jsonb END AS after
  FROM ingest.checked_0 c LEFT JOIN reference.nic t ON t.id = c.id
  WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]))
    AND (t.id IS NULL OR NOT (coalesce(t.vintage::text, '*') = ANY($3::text[]))
                 AND (t.closed_on IS NOT NULL OR t.vintage IS DISTINCT FROM c.vintage OR t.code IS DISTINCT FROM c.code OR t.level IS DISTINCT FROM c.level OR t.section IS DISTINCT FROM c.section OR t.division IS DISTINCT FROM c.division OR t.description IS DISTINCT FROM c.description) AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'nic' AND seen.identifier = t.id AND seen.as_of > $2::date)))
), updated AS (
  UPDATE reference.nic t
  SET vintage = found.vintage,
    code = found.code,
    level = found.level,
    section = found.section,
    division = found.division,
    description = found.description,
      fingerprint = found.fingerprint, closed_on = NULL, last_run_id = $1::bigint, as_of = $2::date
  FROM found WHERE t.ctid = found.place AND t.tableoid = found.stored_in
  RETURNING 1
), inserted AS (
  INSERT INTO reference.nic AS t (id,
    vintage,
    code,
    level,
    section,
    division,
    description,
    fingerprint,
    first_run_id,
    last_run_id,
    as_of)
  SELECT record_key, vintage, code, level, section, division, description,
         fingerprint, $1::bigint, $1::bigint, $2::date
  FROM found WHERE place IS NULL ORDER BY record_key
  RETURNING 1
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no, before, after)
  SELECT 'nic', record_key, $1::bigint,
         CASE WHEN place IS NULL THEN 'insert' WHEN closed_before IS NULL THEN 'update' ELSE 'reopen' END,
           $2::date,
           ordinal,
         before || CASE WHEN closed_before IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('closed_on', closed_before) END,
         after || CASE WHEN closed_before IS NULL THEN '{}'::jsonb ELSE '{"closed_on": null}'::jsonb END
  FROM found
)
SELECT (SELECT count(*) FROM inserted) AS inserted, (SELECT count(*) FROM updated) AS updated;

-- Find what is absent
-- A record that is in the file is not absent, even if its line was rejected: neither one whose identifier the check
-- could read, nor one whose identifier occurs in a reject's raw text.
CREATE TEMPORARY TABLE closing ON COMMIT DROP AS
SELECT absent.record_key, absent.scope_name
FROM ingest.unmatched_0 absent
WHERE absent.as_of <= :as_of AND absent.scope_name = ANY(:scopes)
  AND NOT EXISTS (SELECT FROM ingest.checked_0 c WHERE c.id = absent.record_key)
  AND NOT EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'nic' AND seen.identifier = absent.record_key AND seen.as_of > :as_of);

-- Close what is absent
-- Invariant: only open records are closed, each with one history row.
WITH closed AS (
  UPDATE reference.nic t SET closed_on = $2::date, last_run_id = $1::bigint, as_of = $2::date
  FROM closing WHERE t.id = closing.record_key AND t.closed_on IS NULL
  RETURNING t.id AS record_key
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT 'nic', record_key, $1::bigint, 'close', $2::date, '{"closed_on": null}',
         jsonb_build_object('closed_on', $2::date)
  FROM closed
)
SELECT count(*) AS rows FROM closed;

-- Store the new fingerprints
-- Rows with the same content in other words, or checked by other rules, will be recognized by their new fingerprint. No
-- content changes,
  so no history. A row that was held back may differ from the record,
  and is not one of these. Limited,
-- because a re-exported file would rewrite the whole register.
UPDATE reference.nic t SET fingerprint = same.fingerprint
FROM (SELECT t.id AS record_key, c.fingerprint
      FROM reference.nic t JOIN ingest.checked_0 c ON c.id = t.id
      WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint
        AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'nic' AND seen.identifier = t.id AND seen.as_of > $2::date)) AND NOT (coalesce(t.vintage::text, '*') = ANY($3::text[]))
        AND t.fingerprint IS DISTINCT FROM c.fingerprint
      LIMIT $4::bigint) same
WHERE t.id = same.record_key;

-- Delta: store the day of what it found as it is
-- Invariant: the day of a confirmation never decreases, and is later than that of the record and of its partition.
INSERT INTO ingest.confirmation AS known (entity, identifier, run_id, as_of)
SELECT 'nic', t.id, $1::bigint, $2::date
FROM ingest.checked_0 c JOIN reference.nic t ON t.id = c.id
WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint AND t.as_of < $2::date
  AND NOT EXISTS (SELECT FROM ingest.scope s
                  WHERE s.source = 'nic' AND s.scope = coalesce(t.vintage::text, '*') AND s.as_of >= $2::date)
ON CONFLICT (entity, identifier) DO UPDATE
SET run_id = CASE WHEN known.as_of < excluded.as_of THEN excluded.run_id ELSE known.run_id END,
    others = (CASE WHEN known.as_of < excluded.as_of THEN known.run_id ELSE excluded.run_id END || known.others)[1:8],
    as_of = greatest(known.as_of, excluded.as_of);

-- First load: rows
INSERT INTO registry.shadow (id,
  vintage,
  code,
  level,
  section,
  division,
  description,
  fingerprint,
  first_run_id,
  last_run_id,
  as_of)
SELECT c.id,
  c.vintage,
  c.code,
  c.level,
  c.section,
  c.division,
  c.description,
  c.fingerprint,
  $1::bigint,
  $1::bigint,
  $2::date FROM ingest.checked_0 c WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]));

-- First load: history
INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no)
SELECT 'nic',
  c.id,
  $1::bigint,
  'insert',
  $2::date,
  c.ordinal FROM ingest.checked_0 c WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) ORDER BY 2;
