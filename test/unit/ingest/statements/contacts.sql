-- contacts, header "contact list". Staged columns:
--   c1 entity
--   c2 identifier
--   c3 email
--   c4 mobile
--   c5 phone
--   c6 website
--   c7 origin

-- Rows that the register was not last written from
SELECT s.ordinal, t.record_key, t.scope_name, t.as_of
       FROM (SELECT s.ordinal, hash_record_extended(ROW(s.c3,
         s.c1,
         s.c2,
         s.c4,
         s.c7,
         s.c5,
         s.c6), 0) AS fingerprint FROM ingest.stage_0 s) s
         FULL JOIN (SELECT id AS record_key, '*' AS scope_name, as_of, fingerprint
                    FROM registry.contact t WHERE closed_on IS NULL) t
              ON t.fingerprint = s.fingerprint
       WHERE s.ordinal IS NULL OR t.record_key IS NULL;

-- Check
SELECT checked.ordinal,
  checked.place,
  checked.fingerprint,
  checked.entity,
  checked.identifier,
  checked.emails,
  checked.email,
  checked.mobiles,
  checked.mobile,
  checked.landlines,
  checked.phone,
  checked.website,
  checked.origin,
  checked.id,
  NULL::text AS scope_name,
       CASE WHEN checked.entity IS NULL THEN 'value_missing'
            WHEN checked.entity NOT IN ('company', 'director', 'gst') THEN 'value_not_allowed'
            WHEN checked.identifier IS NULL THEN 'identifier_malformed' END AS fault,
       CASE WHEN checked.entity IS NULL THEN 'entity is empty (entity)'
            WHEN checked.entity NOT IN ('company',
              'director',
              'gst') THEN '"' || left(checked.entity::text,
              80) || '" is none of company, director, gst (entity)'
            WHEN checked.identifier IS NULL THEN coalesce('"' || left(checked.f_identifier, 80) || '"', 'an empty cell') || ' is no identifier of this entity' END AS fault_message,
       nullif(concat_ws(' ',
         CASE WHEN checked.identifier <> checked.f_identifier THEN 'identifier_spelling' END,
         CASE WHEN checked.website IS NULL AND checked.f_website IS NOT NULL THEN 'website_dropped' END), '') AS repair,
         checked.unread_emails,
         checked.unread_phones
FROM (SELECT typed.*,
    coalesce(typed.entity::text,
      '') || ':' || coalesce(typed.identifier::text,
      '') || coalesce(':' || left(typed.origin::text, 60),
      '') AS id FROM (
  SELECT places.ordinal,
    places.place,
    places.fingerprint,
    places.f_entity,
    places.f_identifier,
    places.f_email,
    places.f_mobile,
    places.f_phone,
    places.f_website,
    places.f_origin,
    lower(places.f_entity) AS entity,
    CASE lower(places.f_entity) WHEN 'company' THEN ingest.company_id(places.f_identifier)
          WHEN 'director' THEN ingest.din(places.f_identifier) WHEN 'gst' THEN coalesce(ingest.gstin(places.f_identifier), ingest.gstin_repaired(places.f_identifier)) END AS identifier,
    CASE WHEN places.plain_email_email IS NOT NULL THEN ARRAY[places.plain_email_email] END AS emails,
    CASE WHEN places.f_email IS NOT NULL AND coalesce(places.plain_email_email) IS NULL THEN ARRAY[places.f_email] END AS unread_emails,
    places.plain_email_email AS email,
    CASE WHEN places.plain_mobile_phone IS NULL OR places.plain_mobile_phone = places.plain_mobile_mobile THEN CASE WHEN places.plain_mobile_mobile IS NOT NULL THEN ARRAY[places.plain_mobile_mobile] END
              ELSE array_remove(ARRAY[places.plain_mobile_mobile, places.plain_mobile_phone], NULL) END AS mobiles,
    CASE WHEN places.f_mobile IS NOT NULL AND coalesce(places.plain_mobile_mobile,
      places.plain_landline_mobile) IS NULL OR places.f_phone IS NOT NULL AND coalesce(places.plain_mobile_phone,
      places.plain_landline_phone) IS NULL THEN ARRAY[places.f_mobile,
      places.f_phone] END AS unread_phones,
    coalesce(places.plain_mobile_mobile, places.plain_mobile_phone) AS mobile,
    CASE WHEN places.plain_landline_phone IS NULL OR places.plain_landline_phone = places.plain_landline_mobile THEN CASE WHEN places.plain_landline_mobile IS NOT NULL THEN ARRAY[places.plain_landline_mobile] END
              ELSE array_remove(ARRAY[places.plain_landline_mobile, places.plain_landline_phone], NULL) END AS landlines,
    coalesce(places.plain_landline_mobile, places.plain_landline_phone) AS phone,
    ingest.website(places.f_website) AS website,
    places.f_origin AS origin FROM (
    SELECT joined.* FROM (
      SELECT prepared.* FROM (
        SELECT cells.*,
    ingest.plain_email(f_email) AS plain_email_email,
    ingest.plain_mobile(f_mobile) AS plain_mobile_mobile,
    ingest.plain_landline(f_mobile) AS plain_landline_mobile,
    ingest.plain_mobile(f_phone) AS plain_mobile_phone,
    ingest.plain_landline(f_phone) AS plain_landline_phone FROM (
          SELECT s.ordinal,
            s.ctid AS place,
            hash_record_extended(ROW(s.c3, s.c1, s.c2, s.c4, s.c7, s.c5, s.c6), 0) AS fingerprint,
            ingest.clean(s.c3) AS f_email,
            ingest.clean(s.c1) AS f_entity,
            ingest.clean(s.c2) AS f_identifier,
            ingest.clean(s.c4) AS f_mobile,
            ingest.clean(s.c7) AS f_origin,
            ingest.clean(s.c5) AS f_phone,
            ingest.clean(s.c6) AS f_website
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
         c.entity AS entity,
           c.identifier AS identifier,
           c.emails AS emails,
           c.email AS email,
           c.mobiles AS mobiles,
           c.mobile AS mobile,
           c.landlines AS landlines,
           c.phone AS phone,
           c.website AS website,
           c.origin AS origin,
         c.fingerprint, c.ordinal,
         CASE WHEN t.id IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.entity IS DISTINCT FROM c.entity
              THEN '"entity":' || coalesce(to_json(t.entity)::text, 'null') END, CASE WHEN t.identifier IS DISTINCT FROM c.identifier
              THEN '"identifier":' || coalesce(to_json(t.identifier)::text, 'null') END, CASE WHEN t.emails IS DISTINCT FROM c.emails
              THEN '"emails":' || coalesce(to_json(t.emails)::text, 'null') END, CASE WHEN t.email IS DISTINCT FROM c.email
              THEN '"email":' || coalesce(to_json(t.email)::text, 'null') END, CASE WHEN t.mobiles IS DISTINCT FROM c.mobiles
              THEN '"mobiles":' || coalesce(to_json(t.mobiles)::text, 'null') END, CASE WHEN t.mobile IS DISTINCT FROM c.mobile
              THEN '"mobile":' || coalesce(to_json(t.mobile)::text, 'null') END, CASE WHEN t.landlines IS DISTINCT FROM c.landlines
              THEN '"landlines":' || coalesce(to_json(t.landlines)::text, 'null') END, CASE WHEN t.phone IS DISTINCT FROM c.phone
              THEN '"phone":' || coalesce(to_json(t.phone)::text, 'null') END, CASE WHEN t.website IS DISTINCT FROM c.website
              THEN '"website":' || coalesce(to_json(t.website)::text, 'null') END, CASE WHEN t.origin IS DISTINCT FROM c.origin
              THEN '"origin":' || coalesce(to_json(t.origin)::text, 'null') END) || '}')::jsonb END AS before,
         CASE WHEN t.id IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.entity IS DISTINCT FROM c.entity
              THEN '"entity":' || coalesce(to_json(c.entity)::text, 'null') END, CASE WHEN t.identifier IS DISTINCT FROM c.identifier
              THEN '"identifier":' || coalesce(to_json(c.identifier)::text, 'null') END, CASE WHEN t.emails IS DISTINCT FROM c.emails
              THEN '"emails":' || coalesce(to_json(c.emails)::text, 'null') END, CASE WHEN t.email IS DISTINCT FROM c.email
              THEN '"email":' || coalesce(to_json(c.email)::text, 'null') END, CASE WHEN t.mobiles IS DISTINCT FROM c.mobiles
              THEN '"mobiles":' || coalesce(to_json(c.mobiles)::text, 'null') END, CASE WHEN t.mobile IS DISTINCT FROM c.mobile
              THEN '"mobile":' || coalesce(to_json(c.mobile)::text, 'null') END, CASE WHEN t.landlines IS DISTINCT FROM c.landlines
              THEN '"landlines":' || coalesce(to_json(c.landlines)::text, 'null') END, CASE WHEN t.phone IS DISTINCT FROM c.phone
              THEN '"phone":' || coalesce(to_json(c.phone)::text, 'null') END, CASE WHEN t.website IS DISTINCT FROM c.website
              THEN '"website":' || coalesce(to_json(c.website)::text, 'null') END, CASE WHEN t.origin IS DISTINCT FROM c.origin
              THEN '"origin":' || coalesce(to_json(c.origin)::text, 'null') END) || '}')::jsonb END AS after
  FROM ingest.checked_0 c LEFT JOIN registry.contact t ON t.id = c.id
  WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]))
    AND (t.id IS NULL OR NOT (coalesce('*', '*') = ANY($3::text[]))
                 AND (t.closed_on IS NOT NULL OR t.entity IS DISTINCT FROM c.entity OR t.identifier IS DISTINCT FROM c.identifier OR t.emails IS DISTINCT FROM c.emails OR t.email IS DISTINCT FROM c.email OR t.mobiles IS DISTINCT FROM c.mobiles OR t.mobile IS DISTINCT FROM c.mobile OR t.landlines IS DISTINCT FROM c.landlines OR t.phone IS DISTINCT FROM c.phone OR t.website IS DISTINCT FROM c.website OR t.origin IS DISTINCT FROM c.origin) AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'contact' AND seen.identifier = t.id AND seen.as_of > $2::date)))
), updated AS (
  UPDATE registry.contact t
  SET entity = found.entity,
    identifier = found.identifier,
    emails = found.emails,
    email = found.email,
    mobiles = found.mobiles,
    mobile = found.mobile,
    landlines = found.landlines,
    phone = found.phone,
    website = found.website,
    origin = found.origin,
      fingerprint = found.fingerprint, closed_on = NULL, last_run_id = $1::bigint, as_of = $2::date
  FROM found WHERE t.ctid = found.place AND t.tableoid = found.stored_in
  RETURNING 1
), inserted AS (
  INSERT INTO registry.contact AS t (id,
    entity,
    identifier,
    emails,
    email,
    mobiles,
    mobile,
    landlines,
    phone,
    website,
    origin,
    fingerprint,
    first_run_id,
    last_run_id,
    as_of)
  SELECT record_key, entity, identifier, emails, email, mobiles, mobile, landlines, phone, website, origin,
         fingerprint, $1::bigint, $1::bigint, $2::date
  FROM found WHERE place IS NULL ORDER BY record_key
  RETURNING 1
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no, before, after)
  SELECT 'contact', record_key, $1::bigint,
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
              WHERE seen.entity = 'contact' AND seen.identifier = absent.record_key AND seen.as_of > :as_of);

-- Close what is absent
-- Invariant: only open records are closed, each with one history row.
WITH closed AS (
  UPDATE registry.contact t SET closed_on = $2::date, last_run_id = $1::bigint, as_of = $2::date
  FROM closing WHERE t.id = closing.record_key AND t.closed_on IS NULL
  RETURNING t.id AS record_key
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT 'contact', record_key, $1::bigint, 'close', $2::date, '{"closed_on": null}',
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
UPDATE registry.contact t SET fingerprint = same.fingerprint
FROM (SELECT t.id AS record_key, c.fingerprint
      FROM registry.contact t JOIN ingest.checked_0 c ON c.id = t.id
      WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint
        AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'contact' AND seen.identifier = t.id AND seen.as_of > $2::date)) AND NOT (coalesce('*', '*') = ANY($3::text[]))
        AND t.fingerprint IS DISTINCT FROM c.fingerprint
      LIMIT $4::bigint) same
WHERE t.id = same.record_key;

-- Delta: store the day of what it found as it is
-- Invariant: the day of a confirmation never decreases, and is later than that of the record and of its partition.
INSERT INTO ingest.confirmation AS known (entity, identifier, run_id, as_of)
SELECT 'contact', t.id, $1::bigint, $2::date
FROM ingest.checked_0 c JOIN registry.contact t ON t.id = c.id
WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint AND t.as_of < $2::date
  AND NOT EXISTS (SELECT FROM ingest.scope s
                  WHERE s.source = 'contacts' AND s.scope = coalesce('*', '*') AND s.as_of >= $2::date)
ON CONFLICT (entity, identifier) DO UPDATE
SET run_id = CASE WHEN known.as_of < excluded.as_of THEN excluded.run_id ELSE known.run_id END,
    others = (CASE WHEN known.as_of < excluded.as_of THEN known.run_id ELSE excluded.run_id END || known.others)[1:8],
    as_of = greatest(known.as_of, excluded.as_of);

-- First load: rows
INSERT INTO registry.shadow (id,
  entity,
  identifier,
  emails,
  email,
  mobiles,
  mobile,
  landlines,
  phone,
  website,
  origin,
  fingerprint,
  first_run_id,
  last_run_id,
  as_of,
  insert_change_id,
  insert_record_no)
SELECT c.id,
  c.entity,
  c.identifier,
  c.emails,
  c.email,
  c.mobiles,
  c.mobile,
  c.landlines,
  c.phone,
  c.website,
  c.origin,
  c.fingerprint,
  $1::bigint,
  $1::bigint,
  $2::date,
  nextval('ingest.change_change_id_seq'),
  c.ordinal::integer FROM ingest.checked_0 c WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]));
