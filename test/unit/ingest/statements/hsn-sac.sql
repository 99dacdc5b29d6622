-- hsn-sac, header "both lists". Staged columns:
--   c1 hsnCode
--   c2 hsnDescription
--   c3 sacCode
--   c4 sacDescription

-- Rows that the register was not last written from
SELECT s.ordinal, t.record_key, t.scope_name, t.as_of
       FROM (SELECT s.ordinal, hash_record_extended(ROW(s.c1,
         s.c2,
         s.c3,
         s.c4), 0) AS fingerprint FROM ingest.stage_0 s) s
         FULL JOIN (SELECT code AS record_key, t.kind::text AS scope_name, as_of, fingerprint
                    FROM reference.tariff t WHERE closed_on IS NULL) t
              ON t.fingerprint = s.fingerprint
       WHERE s.ordinal IS NULL OR t.record_key IS NULL;

-- Check
SELECT checked.ordinal,
  checked.place,
  checked.fingerprint,
  checked.kind,
  checked.code,
  checked.description,
  checked.chapter,
  checked.section,
  checked.kind::text AS scope_name,
       CASE WHEN checked.code IS NULL THEN 'tariff_code_malformed' END AS fault,
       CASE WHEN checked.code IS NULL THEN coalesce('"' || left(concat_ws('" and "',
         checked.f_hsn_code,
         checked.f_sac_code), 80) || '"', 'an empty cell') || ' is not one code of goods (2, 4, 6 or 8 digits, chapters 01 to 98) or of services (2, 4 or 6 digits from 99 on)' END AS fault_message,
       nullif(concat_ws(' ',
         CASE WHEN length(regexp_replace(checked.f_hsn_code,
           '\s|\.0+$',
           '',
           'g')) < length(checked.code) THEN 'lost_leading_zero' END,
         CASE WHEN coalesce(checked.f_hsn_code, checked.f_sac_code) ~ '\s' THEN 'space_in_code' END,
         CASE WHEN strpos(coalesce(checked.f_hsn_description, checked.f_sac_description), '~') > 0 THEN 'hierarchy_mark' END,
         CASE WHEN checked.description = '' THEN 'description_absent' END), '') AS repair
FROM (SELECT typed.* FROM (
  SELECT places.ordinal,
    places.place,
    places.fingerprint,
    places.f_hsn_code,
    places.f_sac_code,
    places.f_hsn_description,
    places.f_sac_description,
    CASE WHEN places.f_sac_code IS NULL THEN 'hsn' ELSE 'sac' END AS kind,
    CASE WHEN places.f_sac_code IS NULL THEN places.hsn_code WHEN places.f_hsn_code IS NULL THEN places.sac_code END AS code,
    coalesce(regexp_replace(coalesce(places.f_hsn_description, places.f_sac_description),
      '\s*~\s*',
      ' - ',
      'g'), '') AS description,
    left(places.hsn_code, 2)::smallint AS chapter,
    CASE WHEN left(places.hsn_code,
      2)::smallint BETWEEN 1 AND 5 THEN 'I' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 6 AND 14 THEN 'II' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 15 AND 15 THEN 'III' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 16 AND 24 THEN 'IV' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 25 AND 27 THEN 'V' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 28 AND 38 THEN 'VI' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 39 AND 40 THEN 'VII' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 41 AND 43 THEN 'VIII' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 44 AND 46 THEN 'IX' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 47 AND 49 THEN 'X' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 50 AND 63 THEN 'XI' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 64 AND 67 THEN 'XII' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 68 AND 70 THEN 'XIII' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 71 AND 71 THEN 'XIV' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 72 AND 83 THEN 'XV' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 84 AND 85 THEN 'XVI' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 86 AND 89 THEN 'XVII' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 90 AND 92 THEN 'XVIII' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 93 AND 93 THEN 'XIX' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 94 AND 96 THEN 'XX' WHEN left(places.hsn_code,
      2)::smallint BETWEEN 97 AND 98 THEN 'XXI' END AS section FROM (
    SELECT joined.* FROM (
      SELECT prepared.* FROM (
        SELECT cells.*,
    ingest.hsn_code(f_hsn_code) AS hsn_code,
    ingest.sac_code(f_sac_code) AS sac_code FROM (
          SELECT s.ordinal,
            s.ctid AS place,
            hash_record_extended(ROW(s.c1, s.c2, s.c3, s.c4), 0) AS fingerprint,
            ingest.clean(s.c1) AS f_hsn_code,
            ingest.clean(s.c2) AS f_hsn_description,
            ingest.clean(s.c3) AS f_sac_code,
            ingest.clean(s.c4) AS f_sac_description
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
  SELECT c.code AS record_key, t.tableoid AS stored_in, t.ctid AS place, t.closed_on AS closed_before,
         c.kind AS kind, c.description AS description, c.chapter AS chapter, c.section AS section,
         c.fingerprint, c.ordinal,
         CASE WHEN t.code IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.kind IS DISTINCT FROM c.kind
              THEN '"kind":' || coalesce(to_json(t.kind)::text, 'null') END, CASE WHEN t.description IS DISTINCT FROM c.description
              THEN '"description":' || coalesce(to_json(t.description)::text, 'null') END, CASE WHEN t.chapter IS DISTINCT FROM c.chapter
              THEN '"chapter":' || coalesce(to_json(t.chapter)::text, 'null') END, CASE WHEN t.section IS DISTINCT FROM c.section
              THEN '"section":' || coalesce(to_json(t.section)::text, 'null') END) || '}')::jsonb END AS before,
         CASE WHEN t.code IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.kind IS DISTINCT FROM c.kind
              THEN '"kind":' || coalesce(to_json(c.kind)::text, 'null') END, CASE WHEN t.description IS DISTINCT FROM c.description
              THEN '"description":' || coalesce(to_json(c.description)::text, 'null') END, CASE WHEN t.chapter IS DISTINCT FROM c.chapter
              THEN '"chapter":' || coalesce(to_json(c.chapter)::text, 'null') END, CASE WHEN t.section IS DISTINCT FROM c.section
              THEN '"section":' || coalesce(to_json(c.section)::text, 'null') END) || '}')::jsonb END AS after
  FROM ingest.checked_0 c LEFT JOIN reference.tariff t ON t.code = c.code
  WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]))
    AND (t.code IS NULL OR NOT (coalesce(t.kind::text, '*') = ANY($3::text[]))
                 AND (t.closed_on IS NOT NULL OR t.kind IS DISTINCT FROM c.kind OR t.description IS DISTINCT FROM c.description OR t.chapter IS DISTINCT FROM c.chapter OR t.section IS DISTINCT FROM c.section) AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'tariff' AND seen.identifier = t.code AND seen.as_of > $2::date)))
), updated AS (
  UPDATE reference.tariff t
  SET kind = found.kind, description = found.description, chapter = found.chapter, section = found.section,
      fingerprint = found.fingerprint, closed_on = NULL, last_run_id = $1::bigint, as_of = $2::date
  FROM found WHERE t.ctid = found.place AND t.tableoid = found.stored_in
  RETURNING 1
), inserted AS (
  INSERT INTO reference.tariff AS t (kind,
    code,
    description,
    chapter,
    section,
    fingerprint,
    first_run_id,
    last_run_id,
    as_of)
  SELECT kind, record_key, description, chapter, section,
         fingerprint, $1::bigint, $1::bigint, $2::date
  FROM found WHERE place IS NULL ORDER BY record_key
  RETURNING 1
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no, before, after)
  SELECT 'tariff', record_key, $1::bigint,
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
  AND NOT EXISTS (SELECT FROM ingest.checked_0 c WHERE c.code = absent.record_key)
  AND NOT EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'tariff' AND seen.identifier = absent.record_key AND seen.as_of > :as_of);

-- Close what is absent
-- Invariant: only open records are closed, each with one history row.
WITH closed AS (
  UPDATE reference.tariff t SET closed_on = $2::date, last_run_id = $1::bigint, as_of = $2::date
  FROM closing WHERE t.code = closing.record_key AND t.closed_on IS NULL
  RETURNING t.code AS record_key
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT 'tariff', record_key, $1::bigint, 'close', $2::date, '{"closed_on": null}',
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
UPDATE reference.tariff t SET fingerprint = same.fingerprint
FROM (SELECT t.code AS record_key, c.fingerprint
      FROM reference.tariff t JOIN ingest.checked_0 c ON c.code = t.code
      WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint
        AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'tariff' AND seen.identifier = t.code AND seen.as_of > $2::date)) AND NOT (coalesce(t.kind::text, '*') = ANY($3::text[]))
        AND t.fingerprint IS DISTINCT FROM c.fingerprint
      LIMIT $4::bigint) same
WHERE t.code = same.record_key;

-- Delta: store the day of what it found as it is
-- Invariant: the day of a confirmation never decreases, and is later than that of the record and of its partition.
INSERT INTO ingest.confirmation AS known (entity, identifier, run_id, as_of)
SELECT 'tariff', t.code, $1::bigint, $2::date
FROM ingest.checked_0 c JOIN reference.tariff t ON t.code = c.code
WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint AND t.as_of < $2::date
  AND NOT EXISTS (SELECT FROM ingest.scope s
                  WHERE s.source = 'hsn-sac' AND s.scope = coalesce(t.kind::text, '*') AND s.as_of >= $2::date)
ON CONFLICT (entity, identifier) DO UPDATE
SET run_id = CASE WHEN known.as_of < excluded.as_of THEN excluded.run_id ELSE known.run_id END,
    others = (CASE WHEN known.as_of < excluded.as_of THEN known.run_id ELSE excluded.run_id END || known.others)[1:8],
    as_of = greatest(known.as_of, excluded.as_of);

-- First load: rows
INSERT INTO registry.shadow (kind, code, description, chapter, section, fingerprint, first_run_id, last_run_id, as_of)
SELECT c.kind,
  c.code,
  c.description,
  c.chapter,
  c.section,
  c.fingerprint,
  $1::bigint,
  $1::bigint,
  $2::date FROM ingest.checked_0 c WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]));

-- First load: history
INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no)
SELECT 'tariff',
  c.code,
  $1::bigint,
  'insert',
  $2::date,
  c.ordinal FROM ingest.checked_0 c WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) ORDER BY 2;
