-- pincodes, header "PIN directory". Staged columns:
--   c1 pincode
--   c2 state
--   c3 district
--   c4 offices

-- Rows that the register was not last written from
SELECT s.ordinal, t.record_key, t.scope_name, t.as_of
       FROM (SELECT s.ordinal, hash_record_extended(ROW(s.c3,
         s.c4,
         s.c1,
         s.c2), 0) AS fingerprint FROM ingest.stage_0 s) s
         FULL JOIN (SELECT id AS record_key, '*' AS scope_name, as_of, fingerprint
                    FROM reference.pincode t WHERE closed_on IS NULL) t
              ON t.fingerprint = s.fingerprint
       WHERE s.ordinal IS NULL OR t.record_key IS NULL;

-- Check
SELECT checked.ordinal,
  checked.place,
  checked.fingerprint,
  checked.pincode,
  checked.district,
  checked.state,
  checked.offices,
  checked.id,
  NULL::text AS scope_name,
       CASE WHEN checked.pincode IS NULL AND checked.f_pincode IS NOT NULL THEN 'number_unreadable'
            WHEN checked.pincode IS NULL THEN 'value_missing'
            WHEN checked.offices IS NULL AND checked.f_offices IS NOT NULL THEN 'number_unreadable'
            WHEN checked.offices IS NULL THEN 'value_missing' END AS fault,
       CASE WHEN checked.pincode IS NULL AND checked.f_pincode IS NOT NULL THEN '"' || left(checked.f_pincode, 80) || '" in pincode is no whole number; write it in digits'
            WHEN checked.pincode IS NULL THEN 'pincode is empty (pincode)'
            WHEN checked.offices IS NULL AND checked.f_offices IS NOT NULL THEN '"' || left(checked.f_offices, 80) || '" in offices is no whole number; write it in digits'
            WHEN checked.offices IS NULL THEN 'offices is empty (offices)' END AS fault_message,
       NULL::text AS repair
FROM (SELECT typed.*,
    coalesce(typed.pincode::text,
      '') || '|' || coalesce(typed.district::text,
      '') || '|' || coalesce(typed.state::text,
      '') AS id FROM (
  SELECT places.ordinal,
    places.place,
    places.fingerprint,
    places.f_state,
    places.f_pincode,
    places.f_district,
    places.f_offices,
    ingest.read_pincode(places.f_pincode) AS pincode,
    coalesce(ingest.title_case(places.f_district), '') AS district,
    places.state_name AS state,
    CASE WHEN ingest.read_number(places.f_offices) <= 100000 THEN ingest.read_number(places.f_offices) END AS offices FROM (
    SELECT joined.*,
    coalesce(joined.pin_district) AS district_name FROM (
      SELECT prepared.*,
    coalesce(coalesce(state_word.value, state_word_loose.value), pin_any.state, prepared.f_state) AS state_name,
    coalesce(pin_in_state.district,
                CASE WHEN pin_any.state IS NULL THEN pin_any.district END) AS pin_district FROM (
        SELECT cells.*,
    NULL::text AS pin FROM (
          SELECT s.ordinal,
            s.ctid AS place,
            hash_record_extended(ROW(s.c3, s.c4, s.c1, s.c2), 0) AS fingerprint,
            ingest.clean(s.c3) AS f_district,
            ingest.clean(s.c4) AS f_offices,
            ingest.clean(s.c1) AS f_pincode,
            ingest.clean(s.c2) AS f_state
          FROM ingest.stage_0 s  OFFSET '0') cells OFFSET '0') prepared
      LEFT JOIN ingest.alias state_word ON state_word.kind = 'exact state' AND state_word.key = prepared.f_state
      LEFT JOIN ingest.alias state_word_loose ON state_word_loose.kind = 'state' AND state_word_loose.key = CASE WHEN state_word.value IS NULL THEN ingest.word_key(prepared.f_state) END
      LEFT JOIN (SELECT DISTINCT ON (pincode) pincode,
        state,
        district FROM reference.pincode WHERE closed_on IS NULL AND district <> ''
                  ORDER BY pincode, offices DESC, id) pin_any ON pin_any.pincode = prepared.pin
      LEFT JOIN (SELECT DISTINCT ON (pincode, state) pincode,
        state,
        district FROM reference.pincode WHERE closed_on IS NULL
                  AND district <> '' AND state IS NOT NULL ORDER BY pincode, state, offices DESC, id) pin_in_state
         ON pin_in_state.pincode = prepared.pin AND pin_in_state.state = coalesce(coalesce(state_word.value, state_word_loose.value),
           pin_any.state,
           prepared.f_state) OFFSET '0') joined OFFSET '0') places OFFSET '0') typed OFFSET '0') checked;

-- Write what is new and what changed
-- Invariant: an identifier is inserted into the register once. A row is written only if a covered column changed or a
-- closed record reappeared. Each write adds exactly one history row, with the changed fields before and after if there
-- was a record. A row that a newer file changed or a newer delta confirmed is skipped, and so is one that a newer
-- snapshot of its own partition contained, whatever partition an older file claims for it. The source's advisory lock excludes other
-- writers of the register, so neither the absence of a row nor its place can become stale. ctids are unique only within
-- one physical partition of the table. New rows are sorted by key, so that the indexes are filled in order.
WITH found AS MATERIALIZED (
  SELECT c.id AS record_key, t.tableoid AS stored_in, t.ctid AS place, t.closed_on AS closed_before,
         c.pincode AS pincode, c.district AS district, c.state AS state, c.offices AS offices,
         c.fingerprint, c.ordinal,
         CASE WHEN t.id IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.pincode IS DISTINCT FROM c.pincode
              THEN '"pincode":' || coalesce(to_json(t.pincode)::text, 'null') END, CASE WHEN t.district IS DISTINCT FROM c.district
              THEN '"district":' || coalesce(to_json(t.district)::text, 'null') END, CASE WHEN t.state IS DISTINCT FROM c.state
              THEN '"state":' || coalesce(to_json(t.state)::text, 'null') END, CASE WHEN t.offices IS DISTINCT FROM c.offices
              THEN '"offices":' || coalesce(to_json(t.offices)::text, 'null') END) || '}')::jsonb END AS before,
         CASE WHEN t.id IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.pincode IS DISTINCT FROM c.pincode
              THEN '"pincode":' || coalesce(to_json(c.pincode)::text, 'null') END, CASE WHEN t.district IS DISTINCT FROM c.district
              THEN '"district":' || coalesce(to_json(c.district)::text, 'null') END, CASE WHEN t.state IS DISTINCT FROM c.state
              THEN '"state":' || coalesce(to_json(c.state)::text, 'null') END, CASE WHEN t.offices IS DISTINCT FROM c.offices
              THEN '"offices":' || coalesce(to_json(c.offices)::text, 'null') END) || '}')::jsonb END AS after
  FROM ingest.checked_0 c LEFT JOIN reference.pincode t ON t.id = c.id
  WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]))
    AND (t.id IS NULL OR NOT (coalesce('*', '*') = ANY($3::text[]))
                 AND (t.closed_on IS NOT NULL OR t.pincode IS DISTINCT FROM c.pincode OR t.district IS DISTINCT FROM c.district OR t.state IS DISTINCT FROM c.state OR t.offices IS DISTINCT FROM c.offices) AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'pincode' AND seen.identifier = t.id AND seen.as_of > $2::date)))
), updated AS (
  UPDATE reference.pincode t
  SET pincode = found.pincode, district = found.district, state = found.state, offices = found.offices,
      fingerprint = found.fingerprint, closed_on = NULL, last_run_id = $1::bigint, as_of = $2::date
  FROM found WHERE t.ctid = found.place AND t.tableoid = found.stored_in
  RETURNING 1
), inserted AS (
  INSERT INTO reference.pincode AS t (id,
    pincode,
    district,
    state,
    offices,
    fingerprint,
    first_run_id,
    last_run_id,
    as_of)
  SELECT record_key, pincode, district, state, offices,
         fingerprint, $1::bigint, $1::bigint, $2::date
  FROM found WHERE place IS NULL ORDER BY record_key
  RETURNING 1
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no, before, after)
  SELECT 'pincode', record_key, $1::bigint,
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
              WHERE seen.entity = 'pincode' AND seen.identifier = absent.record_key AND seen.as_of > :as_of);

-- Close what is absent
-- Invariant: only open records are closed, each with one history row.
WITH closed AS (
  UPDATE reference.pincode t SET closed_on = $2::date, last_run_id = $1::bigint, as_of = $2::date
  FROM closing WHERE t.id = closing.record_key AND t.closed_on IS NULL
  RETURNING t.id AS record_key
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT 'pincode', record_key, $1::bigint, 'close', $2::date, '{"closed_on": null}',
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
UPDATE reference.pincode t SET fingerprint = same.fingerprint
FROM (SELECT t.id AS record_key, c.fingerprint
      FROM reference.pincode t JOIN ingest.checked_0 c ON c.id = t.id
      WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint
        AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'pincode' AND seen.identifier = t.id AND seen.as_of > $2::date)) AND NOT (coalesce('*', '*') = ANY($3::text[]))
        AND t.fingerprint IS DISTINCT FROM c.fingerprint
      LIMIT $4::bigint) same
WHERE t.id = same.record_key;

-- Delta: store the day of what it found as it is
-- Invariant: the day of a confirmation never decreases, and is later than that of the record and of its partition.
INSERT INTO ingest.confirmation AS known (entity, identifier, run_id, as_of)
SELECT 'pincode', t.id, $1::bigint, $2::date
FROM ingest.checked_0 c JOIN reference.pincode t ON t.id = c.id
WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint AND t.as_of < $2::date
  AND NOT EXISTS (SELECT FROM ingest.scope s
                  WHERE s.source = 'pincodes' AND s.scope = coalesce('*', '*') AND s.as_of >= $2::date)
ON CONFLICT (entity, identifier) DO UPDATE
SET run_id = CASE WHEN known.as_of < excluded.as_of THEN excluded.run_id ELSE known.run_id END,
    others = (CASE WHEN known.as_of < excluded.as_of THEN known.run_id ELSE excluded.run_id END || known.others)[1:8],
    as_of = greatest(known.as_of, excluded.as_of);

-- First load: rows
INSERT INTO registry.shadow (id, pincode, district, state, offices, fingerprint, first_run_id, last_run_id, as_of)
SELECT c.id,
  c.pincode,
  c.district,
  c.state,
  c.offices,
  c.fingerprint,
  $1::bigint,
  $1::bigint,
  $2::date FROM ingest.checked_0 c WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]));

-- First load: history
INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no)
SELECT 'pincode',
  c.id,
  $1::bigint,
  'insert',
  $2::date,
  c.ordinal FROM ingest.checked_0 c WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) ORDER BY 2;
