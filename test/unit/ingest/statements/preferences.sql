-- preferences, header "preference list". Staged columns:
--   c1 value
--   c2 preference
--   c3 list
--   c4 statedOn
--   c5 expiresOn

-- Rows that the register was not last written from
SELECT s.ordinal, t.record_key, t.scope_name, t.as_of
       FROM (SELECT s.ordinal, hash_record_extended(ROW(s.c5,
         s.c3,
         s.c2,
         s.c4,
         s.c1), 0) AS fingerprint FROM ingest.stage_0 s) s
         FULL JOIN (SELECT id AS record_key, '*' AS scope_name, as_of, fingerprint
                    FROM registry.contact_preference t WHERE closed_on IS NULL) t
              ON t.fingerprint = s.fingerprint
       WHERE s.ordinal IS NULL OR t.record_key IS NULL;

-- Check
SELECT checked.ordinal,
  checked.place,
  checked.fingerprint,
  checked.value,
  checked.preference,
  checked.list,
  checked.stated_on,
  checked.expires_on,
  checked.id,
  NULL::text AS scope_name,
       CASE WHEN checked.value IS NULL THEN 'identifier_malformed'
            WHEN checked.preference NOT IN ('do_not_contact', 'consent') THEN 'value_not_allowed'
            WHEN checked.stated_on IS NULL AND ingest.ascii_form(checked.f_stated_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN 'date_unreadable'
            WHEN checked.expires_on IS NULL AND ingest.ascii_form(checked.f_expires_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN 'date_unreadable' END AS fault,
       CASE WHEN checked.value IS NULL THEN coalesce('"' || left(checked.f_value, 80) || '"', 'an empty cell') || ' is neither an address nor a number'
            WHEN checked.preference NOT IN ('do_not_contact',
              'consent') THEN '"' || left(checked.preference::text,
              80) || '" is none of do_not_contact, consent (preference)'
            WHEN checked.stated_on IS NULL AND ingest.ascii_form(checked.f_stated_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN '"' || left(checked.f_stated_on, 80) || CASE WHEN ingest.ascii_form(checked.f_stated_on) ~ '^[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{2}(?:[T ][0-9:.]+)?$'
        THEN '" in stated_on has a year of two digits, which may be of either century; write it as YYYY-MM-DD'
        WHEN ingest.ascii_form(checked.f_stated_on) ~  E'^[1-9][0-9]{4}(?:\\.[0-9]+)?$'
        THEN '" in stated_on is a spreadsheet''s count of days; format the column as a date there, or write it as YYYY-MM-DD'
        ELSE '" in stated_on is no day, written YYYY-MM-DD' END
            WHEN checked.expires_on IS NULL AND ingest.ascii_form(checked.f_expires_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN '"' || left(checked.f_expires_on, 80) || CASE WHEN ingest.ascii_form(checked.f_expires_on) ~ '^[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{2}(?:[T ][0-9:.]+)?$'
        THEN '" in expires_on has a year of two digits, which may be of either century; write it as YYYY-MM-DD'
        WHEN ingest.ascii_form(checked.f_expires_on) ~  E'^[1-9][0-9]{4}(?:\\.[0-9]+)?$'
        THEN '" in expires_on is a spreadsheet''s count of days; format the column as a date there, or write it as YYYY-MM-DD'
        ELSE '" in expires_on is no day, written YYYY-MM-DD' END END AS fault_message,
       NULL::text AS repair
FROM (SELECT typed.*,
    coalesce(typed.value::text, '') || coalesce('|' || left(typed.list::text, 60), '') AS id FROM (
  SELECT places.ordinal,
    places.place,
    places.fingerprint,
    places.f_value,
    places.f_preference,
    places.f_list,
    places.f_stated_on,
    places.f_expires_on,
    ingest.contact_value(places.f_value) AS value,
    coalesce(lower(places.f_preference), 'do_not_contact') AS preference,
    coalesce(places.f_list, 'DND') AS list,
    places.d_stated_on AS stated_on,
    places.d_expires_on AS expires_on FROM (
    SELECT joined.* FROM (
      SELECT prepared.* FROM (
        SELECT cells.*,
    ingest.read_date(f_stated_on, 'undecided') AS d_stated_on,
    ingest.read_date(f_expires_on, 'undecided') AS d_expires_on FROM (
          SELECT s.ordinal,
            s.ctid AS place,
            hash_record_extended(ROW(s.c5, s.c3, s.c2, s.c4, s.c1), 0) AS fingerprint,
            ingest.clean(s.c5) AS f_expires_on,
            ingest.clean(s.c3) AS f_list,
            ingest.clean(s.c2) AS f_preference,
            ingest.clean(s.c4) AS f_stated_on,
            ingest.clean(s.c1) AS f_value
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
         c.value AS value,
           c.preference AS preference,
           c.list AS list,
           c.stated_on AS stated_on,
           c.expires_on AS expires_on,
         c.fingerprint, c.ordinal,
         CASE WHEN t.id IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.value IS DISTINCT FROM c.value
              THEN '"value":' || coalesce(to_json(t.value)::text, 'null') END, CASE WHEN t.preference IS DISTINCT FROM c.preference
              THEN '"preference":' || coalesce(to_json(t.preference)::text, 'null') END, CASE WHEN t.list IS DISTINCT FROM c.list
              THEN '"list":' || coalesce(to_json(t.list)::text, 'null') END, CASE WHEN t.stated_on IS DISTINCT FROM c.stated_on
              THEN '"stated_on":' || coalesce(to_json(t.stated_on)::text, 'null') END, CASE WHEN t.expires_on IS DISTINCT FROM c.expires_on
              THEN '"expires_on":' || coalesce(to_json(t.expires_on)::text, 'null') END) || '}')::jsonb END AS before,
         CASE WHEN t.id IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.value IS DISTINCT FROM c.value
              THEN '"value":' || coalesce(to_json(c.value)::text, 'null') END, CASE WHEN t.preference IS DISTINCT FROM c.preference
              THEN '"preference":' || coalesce(to_json(c.preference)::text, 'null') END, CASE WHEN t.list IS DISTINCT FROM c.list
              THEN '"list":' || coalesce(to_json(c.list)::text, 'null') END, CASE WHEN t.stated_on IS DISTINCT FROM c.stated_on
              THEN '"stated_on":' || coalesce(to_json(c.stated_on)::text, 'null') END, CASE WHEN t.expires_on IS DISTINCT FROM c.expires_on
              THEN '"expires_on":' || coalesce(to_json(c.expires_on)::text, 'null') END) || '}')::jsonb END AS after
  FROM ingest.checked_0 c LEFT JOIN registry.contact_preference t ON t.id = c.id
  WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]))
    AND (t.id IS NULL OR NOT (coalesce('*', '*') = ANY($3::text[]))
                 AND (t.closed_on IS NOT NULL OR t.value IS DISTINCT FROM c.value OR t.preference IS DISTINCT FROM c.preference OR t.list IS DISTINCT FROM c.list OR t.stated_on IS DISTINCT FROM c.stated_on OR t.expires_on IS DISTINCT FROM c.expires_on) AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'contact_preference' AND seen.identifier = t.id AND seen.as_of > $2::date)))
), updated AS (
  UPDATE registry.contact_preference t
  SET value = found.value,
    preference = found.preference,
    list = found.list,
    stated_on = found.stated_on,
    expires_on = found.expires_on,
      fingerprint = found.fingerprint, closed_on = NULL, last_run_id = $1::bigint, as_of = $2::date
  FROM found WHERE t.ctid = found.place AND t.tableoid = found.stored_in
  RETURNING 1
), inserted AS (
  INSERT INTO registry.contact_preference AS t (id,
    value,
    preference,
    list,
    stated_on,
    expires_on,
    fingerprint,
    first_run_id,
    last_run_id,
    as_of)
  SELECT record_key, value, preference, list, stated_on, expires_on,
         fingerprint, $1::bigint, $1::bigint, $2::date
  FROM found WHERE place IS NULL ORDER BY record_key
  RETURNING 1
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no, before, after)
  SELECT 'contact_preference', record_key, $1::bigint,
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
              WHERE seen.entity = 'contact_preference' AND seen.identifier = absent.record_key AND seen.as_of > :as_of);

-- Close what is absent
-- Invariant: only open records are closed, each with one history row.
WITH closed AS (
  UPDATE registry.contact_preference t SET closed_on = $2::date, last_run_id = $1::bigint, as_of = $2::date
  FROM closing WHERE t.id = closing.record_key AND t.closed_on IS NULL
  RETURNING t.id AS record_key
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT 'contact_preference', record_key, $1::bigint, 'close', $2::date, '{"closed_on": null}',
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
UPDATE registry.contact_preference t SET fingerprint = same.fingerprint
FROM (SELECT t.id AS record_key, c.fingerprint
      FROM registry.contact_preference t JOIN ingest.checked_0 c ON c.id = t.id
      WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint
        AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'contact_preference' AND seen.identifier = t.id AND seen.as_of > $2::date)) AND NOT (coalesce('*', '*') = ANY($3::text[]))
        AND t.fingerprint IS DISTINCT FROM c.fingerprint
      LIMIT $4::bigint) same
WHERE t.id = same.record_key;

-- Delta: store the day of what it found as it is
-- Invariant: the day of a confirmation never decreases, and is later than that of the record and of its partition.
INSERT INTO ingest.confirmation AS known (entity, identifier, run_id, as_of)
SELECT 'contact_preference', t.id, $1::bigint, $2::date
FROM ingest.checked_0 c JOIN registry.contact_preference t ON t.id = c.id
WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint AND t.as_of < $2::date
  AND NOT EXISTS (SELECT FROM ingest.scope s
                  WHERE s.source = 'preferences' AND s.scope = coalesce('*', '*') AND s.as_of >= $2::date)
ON CONFLICT (entity, identifier) DO UPDATE
SET run_id = CASE WHEN known.as_of < excluded.as_of THEN excluded.run_id ELSE known.run_id END,
    others = (CASE WHEN known.as_of < excluded.as_of THEN known.run_id ELSE excluded.run_id END || known.others)[1:8],
    as_of = greatest(known.as_of, excluded.as_of);

-- First load: rows
INSERT INTO registry.shadow (id,
  value,
  preference,
  list,
  stated_on,
  expires_on,
  fingerprint,
  first_run_id,
  last_run_id,
  as_of)
SELECT c.id,
  c.value,
  c.preference,
  c.list,
  c.stated_on,
  c.expires_on,
  c.fingerprint,
  $1::bigint,
  $1::bigint,
  $2::date FROM ingest.checked_0 c WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]));

-- First load: history
INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no)
SELECT 'contact_preference',
  c.id,
  $1::bigint,
  'insert',
  $2::date,
  c.ordinal FROM ingest.checked_0 c WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) ORDER BY 2;
