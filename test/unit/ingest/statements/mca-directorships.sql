-- mca-directorships, header "signatory details". Staged columns:
--   c1 company
--   c2 director
--   c3 designation
--   c4 appointedOn
--   c5 ceasedOn

-- Rows that the register was not last written from
SELECT s.ordinal, t.record_key, t.scope_name, t.as_of
       FROM (SELECT s.ordinal, hash_record_extended(ROW(s.c4,
         s.c5,
         s.c1,
         s.c3,
         s.c2), 0) AS fingerprint FROM ingest.stage_0 s) s
         FULL JOIN (SELECT id AS record_key, '*' AS scope_name, as_of, fingerprint
                    FROM registry.directorship t WHERE closed_on IS NULL) t
              ON t.fingerprint = s.fingerprint
       WHERE s.ordinal IS NULL OR t.record_key IS NULL;

-- Check
SELECT checked.ordinal,
  checked.place,
  checked.fingerprint,
  checked.cin,
  checked.din,
  checked.designation,
  checked.appointed_on,
  checked.ceased_on,
  checked.id,
  NULL::text AS scope_name,
       CASE WHEN checked.cin IS NULL THEN 'cin_malformed'
            WHEN checked.din IS NULL THEN 'din_malformed'
            WHEN checked.appointed_on IS NULL AND ingest.ascii_form(checked.f_appointed_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN 'date_unreadable'
            WHEN checked.ceased_on IS NULL AND ingest.ascii_form(checked.f_ceased_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN 'date_unreadable' END AS fault,
       CASE WHEN checked.cin IS NULL THEN coalesce('"' || left(checked.f_company, 80) || '"', 'an empty cell') || ' is not a well-formed CIN, LLPIN, FLLPIN or FCRN'
            WHEN checked.din IS NULL THEN coalesce('"' || left(checked.f_director, 80) || '"', 'an empty cell') || ' is not a DIN of one to eight digits'
            WHEN checked.appointed_on IS NULL AND ingest.ascii_form(checked.f_appointed_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN '"' || left(checked.f_appointed_on, 80) || CASE WHEN ingest.ascii_form(checked.f_appointed_on) ~ '^[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{2}(?:[T ][0-9:.]+)?$'
        THEN '" in appointed_on has a year of two digits, which may be of either century; write it as YYYY-MM-DD'
        WHEN ingest.ascii_form(checked.f_appointed_on) ~  E'^[1-9][0-9]{4}(?:\\.[0-9]+)?$'
        THEN '" in appointed_on is a spreadsheet''s count of days; format the column as a date there, or write it as YYYY-MM-DD'
        ELSE '" in appointed_on is no day, written YYYY-MM-DD' END
            WHEN checked.ceased_on IS NULL AND ingest.ascii_form(checked.f_ceased_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN '"' || left(checked.f_ceased_on, 80) || CASE WHEN ingest.ascii_form(checked.f_ceased_on) ~ '^[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{2}(?:[T ][0-9:.]+)?$'
        THEN '" in ceased_on has a year of two digits, which may be of either century; write it as YYYY-MM-DD'
        WHEN ingest.ascii_form(checked.f_ceased_on) ~  E'^[1-9][0-9]{4}(?:\\.[0-9]+)?$'
        THEN '" in ceased_on is a spreadsheet''s count of days; format the column as a date there, or write it as YYYY-MM-DD'
        ELSE '" in ceased_on is no day, written YYYY-MM-DD' END END AS fault_message,
       nullif(concat_ws(' ', CASE WHEN checked.cin <> checked.f_company THEN concat_ws(' ', CASE WHEN length(ingest.bare_identifier(checked.f_company)) < length(regexp_replace(checked.f_company,
         '^=?["'']|"$',
         '',
         'g')) THEN 'company_id_spaces' END,
        CASE WHEN regexp_replace(checked.f_company,
          '^=?["'']|"$',
          '',
          'g') <> checked.f_company THEN 'company_id_quotes' END,
        CASE WHEN checked.f_company <> upper(checked.f_company) THEN 'company_id_case' END,
        CASE WHEN checked.f_company <> ingest.ascii_form(checked.f_company) THEN 'company_id_script' END,
        CASE WHEN strpos(checked.cin,
          '-') > 0 AND strpos(checked.f_company,
          '-') = 0 THEN 'company_id_hyphen' END) END, CASE WHEN checked.din <> checked.f_director THEN concat_ws(' ', CASE WHEN length(ingest.bare_identifier(checked.f_director)) < length(regexp_replace(checked.f_director,
            '^=?["'']|"$',
            '',
            'g')) THEN 'din_spaces' END,
        CASE WHEN regexp_replace(checked.f_director,
          '^=?["'']|"$',
          '',
          'g') <> checked.f_director THEN 'din_quotes' END,
        CASE WHEN checked.f_director <> upper(checked.f_director) THEN 'din_case' END,
        CASE WHEN checked.f_director <> ingest.ascii_form(checked.f_director) THEN 'din_script' END,
        CASE WHEN length(regexp_replace(ingest.bare_identifier(checked.f_director),
          '\.0+$',
          '')) < length(checked.din) THEN 'din_lost_zeros' END, CASE WHEN strpos(checked.f_director, '.') > 0 THEN 'din_point' END) END), '') AS repair
FROM (SELECT typed.*,
    coalesce(typed.cin::text,
      '') || '|' || coalesce(typed.din::text,
      '') || '|' || coalesce(typed.designation::text,
      '') || '|' || coalesce(typed.appointed_on::text,
      '') AS id FROM (
  SELECT places.ordinal,
    places.place,
    places.fingerprint,
    places.f_company,
    places.f_director,
    places.f_designation,
    places.f_appointed_on,
    places.f_ceased_on,
    places.id_company AS cin,
    places.id_director AS din,
    coalesce(places.f_designation, 'Director') AS designation,
    places.d_appointed_on AS appointed_on,
    places.d_ceased_on AS ceased_on FROM (
    SELECT joined.* FROM (
      SELECT prepared.* FROM (
        SELECT cells.*,
    ingest.company_id(f_company) AS id_company,
    ingest.din(f_director) AS id_director,
    ingest.read_date(f_appointed_on, 'undecided') AS d_appointed_on,
    ingest.read_date(f_ceased_on, 'undecided') AS d_ceased_on FROM (
          SELECT s.ordinal,
            s.ctid AS place,
            hash_record_extended(ROW(s.c4, s.c5, s.c1, s.c3, s.c2), 0) AS fingerprint,
            ingest.clean(s.c4) AS f_appointed_on,
            ingest.clean(s.c5) AS f_ceased_on,
            ingest.clean(s.c1) AS f_company,
            ingest.clean(s.c3) AS f_designation,
            ingest.clean(s.c2) AS f_director
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
         c.cin AS cin,
           c.din AS din,
           c.designation AS designation,
           c.appointed_on AS appointed_on,
           c.ceased_on AS ceased_on,
         c.fingerprint, c.ordinal,
         CASE WHEN t.id IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.cin IS DISTINCT FROM c.cin
              THEN '"cin":' || coalesce(to_json(t.cin)::text, 'null') END, CASE WHEN t.din IS DISTINCT FROM c.din
              THEN '"din":' || coalesce(to_json(t.din)::text, 'null') END, CASE WHEN t.designation IS DISTINCT FROM c.designation
              THEN '"designation":' || coalesce(to_json(t.designation)::text, 'null') END, CASE WHEN t.appointed_on IS DISTINCT FROM c.appointed_on
              THEN '"appointed_on":' || coalesce(to_json(t.appointed_on)::text, 'null') END, CASE WHEN t.ceased_on IS DISTINCT FROM c.ceased_on
              THEN '"ceased_on":' || coalesce(to_json(t.ceased_on)::text, 'null') END) || '}')::jsonb END AS before,
         CASE WHEN t.id IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.cin IS DISTINCT FROM c.cin
              THEN '"cin":' || coalesce(to_json(c.cin)::text, 'null') END, CASE WHEN t.din IS DISTINCT FROM c.din
              THEN '"din":' || coalesce(to_json(c.din)::text, 'null') END, CASE WHEN t.designation IS DISTINCT FROM c.designation
              THEN '"designation":' || coalesce(to_json(c.designation)::text, 'null') END, CASE WHEN t.appointed_on IS DISTINCT FROM c.appointed_on
              THEN '"appointed_on":' || coalesce(to_json(c.appointed_on)::text, 'null') END, CASE WHEN t.ceased_on IS DISTINCT FROM c.ceased_on
              THEN '"ceased_on":' || coalesce(to_json(c.ceased_on)::text, 'null') END) || '}')::jsonb END AS after
  FROM ingest.checked_0 c LEFT JOIN registry.directorship t ON t.id = c.id
  WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]))
    AND (t.id IS NULL OR NOT (coalesce('*', '*') = ANY($3::text[]))
                 AND (t.closed_on IS NOT NULL OR t.cin IS DISTINCT FROM c.cin OR t.din IS DISTINCT FROM c.din OR t.designation IS DISTINCT FROM c.designation OR t.appointed_on IS DISTINCT FROM c.appointed_on OR t.ceased_on IS DISTINCT FROM c.ceased_on) AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'directorship' AND seen.identifier = t.id AND seen.as_of > $2::date)))
), updated AS (
  UPDATE registry.directorship t
  SET cin = found.cin,
    din = found.din,
    designation = found.designation,
    appointed_on = found.appointed_on,
    ceased_on = found.ceased_on,
      fingerprint = found.fingerprint, closed_on = NULL, last_run_id = $1::bigint, as_of = $2::date
  FROM found WHERE t.ctid = found.place AND t.tableoid = found.stored_in
  RETURNING 1
), inserted AS (
  INSERT INTO registry.directorship AS t (id,
    cin,
    din,
    designation,
    appointed_on,
    ceased_on,
    fingerprint,
    first_run_id,
    last_run_id,
    as_of)
  SELECT record_key, cin, din, designation, appointed_on, ceased_on,
         fingerprint, $1::bigint, $1::bigint, $2::date
  FROM found WHERE place IS NULL ORDER BY record_key
  RETURNING 1
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no, before, after)
  SELECT 'directorship', record_key, $1::bigint,
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
              WHERE seen.entity = 'directorship' AND seen.identifier = absent.record_key AND seen.as_of > :as_of);

-- Close what is absent
-- Invariant: only open records are closed, each with one history row.
WITH closed AS (
  UPDATE registry.directorship t SET closed_on = $2::date, last_run_id = $1::bigint, as_of = $2::date
  FROM closing WHERE t.id = closing.record_key AND t.closed_on IS NULL
  RETURNING t.id AS record_key
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT 'directorship', record_key, $1::bigint, 'close', $2::date, '{"closed_on": null}',
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
UPDATE registry.directorship t SET fingerprint = same.fingerprint
FROM (SELECT t.id AS record_key, c.fingerprint
      FROM registry.directorship t JOIN ingest.checked_0 c ON c.id = t.id
      WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint
        AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'directorship' AND seen.identifier = t.id AND seen.as_of > $2::date)) AND NOT (coalesce('*', '*') = ANY($3::text[]))
        AND t.fingerprint IS DISTINCT FROM c.fingerprint
      LIMIT $4::bigint) same
WHERE t.id = same.record_key;

-- Delta: store the day of what it found as it is
-- Invariant: the day of a confirmation never decreases, and is later than that of the record and of its partition.
INSERT INTO ingest.confirmation AS known (entity, identifier, run_id, as_of)
SELECT 'directorship', t.id, $1::bigint, $2::date
FROM ingest.checked_0 c JOIN registry.directorship t ON t.id = c.id
WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint AND t.as_of < $2::date
  AND NOT EXISTS (SELECT FROM ingest.scope s
                  WHERE s.source = 'mca-directorships' AND s.scope = coalesce('*', '*') AND s.as_of >= $2::date)
ON CONFLICT (entity, identifier) DO UPDATE
SET run_id = CASE WHEN known.as_of < excluded.as_of THEN excluded.run_id ELSE known.run_id END,
    others = (CASE WHEN known.as_of < excluded.as_of THEN known.run_id ELSE excluded.run_id END || known.others)[1:8],
    as_of = greatest(known.as_of, excluded.as_of);

-- First load: rows
INSERT INTO registry.shadow (id,
  cin,
  din,
  designation,
  appointed_on,
  ceased_on,
  fingerprint,
  first_run_id,
  last_run_id,
  as_of,
  insert_change_id,
  insert_record_no)
SELECT c.id,
  c.cin,
  c.din,
  c.designation,
  c.appointed_on,
  c.ceased_on,
  c.fingerprint,
  $1::bigint,
  $1::bigint,
  $2::date,
  nextval('ingest.change_change_id_seq'),
  c.ordinal::integer FROM ingest.checked_0 c WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]));
