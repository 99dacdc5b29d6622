-- mca-directors, header "director master data". Staged columns:
--   c1 id
--   c2 firstName
--   c3 middleName
--   c4 lastName
--   c5 fullName
--   c6 status
--   c7 approvedOn
--   c8 disqualified
--   c9 nationality
--   c10 gender
--   c11 bornOn
--   c12 citizenOfIndia
--   c13 residentOfIndia
--   c14 address
--   c15 city
--   c16 district
--   c17 state
--   c18 country
--   c19 pincode

-- Rows that the register was not last written from
SELECT s.ordinal, t.record_key, t.scope_name, t.as_of
       FROM (SELECT s.ordinal, hash_record_extended(ROW(s.c14,
         s.c7,
         s.c11,
         s.c12,
         s.c15,
         s.c18,
         s.c8,
         s.c16,
         s.c2,
         s.c5,
         s.c10,
         s.c1,
         s.c4,
         s.c3,
         s.c9,
         s.c19,
         s.c13,
         s.c17,
         s.c6), 0) AS fingerprint FROM ingest.stage_0 s) s
         FULL JOIN (SELECT din AS record_key, '*' AS scope_name, as_of, fingerprint
                    FROM registry.director t WHERE closed_on IS NULL) t
              ON t.fingerprint = s.fingerprint
       WHERE s.ordinal IS NULL OR t.record_key IS NULL;

-- Check
SELECT checked.ordinal,
  checked.place,
  checked.fingerprint,
  checked.din,
  checked.first_name,
  checked.middle_name,
  checked.last_name,
  checked.full_name,
  checked.status,
  checked.approved_on,
  checked.disqualified,
  checked.nationality,
  checked.gender,
  checked.born_on,
  checked.citizen_of_india,
  checked.resident_of_india,
  checked.address,
  checked.city,
  checked.district,
  checked.state,
  checked.country,
  checked.pincode,
  checked.name_key,
  NULL::text AS scope_name,
       CASE WHEN checked.din IS NULL THEN 'din_malformed'
            WHEN checked.full_name IS NULL THEN 'value_missing'
            WHEN checked.approved_on IS NULL AND ingest.ascii_form(checked.f_approved_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN 'date_unreadable'
            WHEN checked.born_on IS NULL AND ingest.ascii_form(checked.f_born_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN 'date_unreadable' END AS fault,
       CASE WHEN checked.din IS NULL THEN coalesce('"' || left(checked.f_id, 80) || '"', 'an empty cell') || ' is not a DIN of one to eight digits'
            WHEN checked.full_name IS NULL THEN 'full_name is empty (fullName)'
            WHEN checked.approved_on IS NULL AND ingest.ascii_form(checked.f_approved_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN '"' || left(checked.f_approved_on, 80) || CASE WHEN ingest.ascii_form(checked.f_approved_on) ~ '^[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{2}(?:[T ][0-9:.]+)?$'
        THEN '" in approved_on has a year of two digits, which may be of either century; write it as YYYY-MM-DD'
        WHEN ingest.ascii_form(checked.f_approved_on) ~  E'^[1-9][0-9]{4}(?:\\.[0-9]+)?$'
        THEN '" in approved_on is a spreadsheet''s count of days; format the column as a date there, or write it as YYYY-MM-DD'
        ELSE '" in approved_on is no day, written YYYY-MM-DD' END
            WHEN checked.born_on IS NULL AND ingest.ascii_form(checked.f_born_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN '"' || left(checked.f_born_on, 80) || CASE WHEN ingest.ascii_form(checked.f_born_on) ~ '^[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{2}(?:[T ][0-9:.]+)?$'
        THEN '" in born_on has a year of two digits, which may be of either century; write it as YYYY-MM-DD'
        WHEN ingest.ascii_form(checked.f_born_on) ~  E'^[1-9][0-9]{4}(?:\\.[0-9]+)?$'
        THEN '" in born_on is a spreadsheet''s count of days; format the column as a date there, or write it as YYYY-MM-DD'
        ELSE '" in born_on is no day, written YYYY-MM-DD' END END AS fault_message,
       nullif(concat_ws(' ', CASE WHEN checked.din <> checked.f_id THEN concat_ws(' ', CASE WHEN length(ingest.bare_identifier(checked.f_id)) < length(regexp_replace(checked.f_id,
         '^=?["'']|"$',
         '',
         'g')) THEN 'din_spaces' END,
        CASE WHEN regexp_replace(checked.f_id, '^=?["'']|"$', '', 'g') <> checked.f_id THEN 'din_quotes' END,
        CASE WHEN checked.f_id <> upper(checked.f_id) THEN 'din_case' END,
        CASE WHEN checked.f_id <> ingest.ascii_form(checked.f_id) THEN 'din_script' END,
        CASE WHEN length(regexp_replace(ingest.bare_identifier(checked.f_id),
          '\.0+$',
          '')) < length(checked.din) THEN 'din_lost_zeros' END, CASE WHEN strpos(checked.f_id, '.') > 0 THEN 'din_point' END) END, CASE WHEN checked.pincode IS NULL AND (ingest.ascii_form(checked.f_pincode) ~ '[^0 .,-]') THEN 'pincode_dropped' END), '') AS repair
FROM (SELECT typed.*,
    registry.name_key(coalesce(typed.full_name, '')) AS name_key FROM (
  SELECT places.ordinal,
    places.place,
    places.fingerprint,
    places.f_pincode,
    places.f_address,
    places.f_country,
    places.f_state,
    places.f_district,
    places.f_city,
    places.f_id,
    places.f_first_name,
    places.f_full_name,
    places.f_last_name,
    places.f_middle_name,
    places.f_status,
    places.f_approved_on,
    places.f_disqualified,
    places.f_nationality,
    places.f_gender,
    places.f_born_on,
    places.f_citizen_of_india,
    places.f_resident_of_india,
    places.id_id AS din,
    CASE WHEN coalesce(CASE WHEN places.f_last_name IS NULL AND places.f_full_name IS NOT NULL THEN nullif(btrim(substring(places.f_full_name FROM '^\S+\s+(.*)\s+\S+$')), '') ELSE places.f_middle_name END,
      CASE WHEN places.f_last_name IS NULL AND places.f_full_name IS NOT NULL THEN CASE WHEN places.f_full_name LIKE '% %' THEN split_part(places.f_full_name,
        ' ',
        -1) END ELSE places.f_last_name END) IS NOT NULL THEN CASE WHEN places.f_last_name IS NULL AND places.f_full_name IS NOT NULL THEN split_part(places.f_full_name,
      ' ',
      1) ELSE places.f_first_name END END AS first_name,
    CASE WHEN CASE WHEN places.f_last_name IS NULL AND places.f_full_name IS NOT NULL THEN CASE WHEN places.f_full_name LIKE '% %' THEN split_part(places.f_full_name,
      ' ',
      -1) END ELSE places.f_last_name END IS NOT NULL THEN CASE WHEN places.f_last_name IS NULL AND places.f_full_name IS NOT NULL THEN nullif(btrim(substring(places.f_full_name FROM '^\S+\s+(.*)\s+\S+$')),
      '') ELSE places.f_middle_name END END AS middle_name,
    coalesce(CASE WHEN places.f_last_name IS NULL AND places.f_full_name IS NOT NULL THEN CASE WHEN places.f_full_name LIKE '% %' THEN split_part(places.f_full_name,
      ' ',
      -1) END ELSE places.f_last_name END,
      CASE WHEN places.f_last_name IS NULL AND places.f_full_name IS NOT NULL THEN nullif(btrim(substring(places.f_full_name FROM '^\S+\s+(.*)\s+\S+$')), '') ELSE places.f_middle_name END,
      CASE WHEN places.f_last_name IS NULL AND places.f_full_name IS NOT NULL THEN split_part(places.f_full_name,
        ' ',
        1) ELSE places.f_first_name END) AS last_name,
    coalesce(places.f_full_name, nullif(concat_ws(' ',
      places.f_first_name,
      places.f_middle_name,
      places.f_last_name), '')) AS full_name,
    places.word_status AS status,
    places.d_approved_on AS approved_on,
    places.word_disqualified AS disqualified,
    places.f_nationality AS nationality,
    places.word_gender AS gender,
    places.d_born_on AS born_on,
    places.word_citizen_of_india AS citizen_of_india,
    places.word_resident_of_india AS resident_of_india,
    places.f_address AS address,
    coalesce(ingest.place_name(places.f_city, places.state_name), places.district_name) AS city,
    places.district_name AS district,
    places.state_name AS state,
    places.f_country AS country,
    CASE WHEN places.is_abroad THEN places.f_pincode ELSE places.pin END AS pincode FROM (
    SELECT joined.*,
    coalesce(joined.pin_district, ingest.place_name(joined.f_district, NULL)) AS district_name FROM (
      SELECT prepared.*,
    coalesce(country_word.value, country_word_loose.value) IS NOT NULL AS is_abroad,
    CASE WHEN coalesce(country_word.value,
      country_word_loose.value) IS NOT NULL THEN prepared.f_state ELSE coalesce(coalesce(state_word.value, state_word_loose.value),
      pin_any.state,
      prepared.f_state) END AS state_name,
    coalesce(pin_named.district, pin_in_state.district,
                CASE WHEN pin_any.state IS NULL THEN pin_any.district END) AS pin_district,
    coalesce(coalesce(word_status.value, word_status_loose.value), prepared.f_status) AS word_status,
    coalesce(coalesce(word_disqualified.value, word_disqualified_loose.value), prepared.f_disqualified) AS word_disqualified,
    coalesce(coalesce(word_gender.value, word_gender_loose.value), prepared.f_gender) AS word_gender,
    coalesce(coalesce(word_citizen_of_india.value, word_citizen_of_india_loose.value), prepared.f_citizen_of_india) AS word_citizen_of_india,
    coalesce(coalesce(word_resident_of_india.value, word_resident_of_india_loose.value), prepared.f_resident_of_india) AS word_resident_of_india FROM (
        SELECT cells.*,
    coalesce(ingest.read_pincode(f_pincode),
      ingest.read_pincode(split_part(f_address, ',', -1)),
      ingest.read_pincode(split_part(substring(f_address FROM '(?i)^(.*[0-9])[ ,.-]*(?:india|in)[ .]*$'),
        ',',
        -1))) AS pin,
    ingest.din(f_id) AS id_id,
    ingest.read_date(f_approved_on, 'undecided') AS d_approved_on,
    ingest.read_date(f_born_on, 'undecided') AS d_born_on FROM (
          SELECT s.ordinal,
            s.ctid AS place,
            hash_record_extended(ROW(s.c14,
              s.c7,
              s.c11,
              s.c12,
              s.c15,
              s.c18,
              s.c8,
              s.c16,
              s.c2,
              s.c5,
              s.c10,
              s.c1,
              s.c4,
              s.c3,
              s.c9,
              s.c19,
              s.c13,
              s.c17,
              s.c6), 0) AS fingerprint,
            ingest.clean(s.c14) AS f_address,
            ingest.clean(s.c7) AS f_approved_on,
            ingest.clean(s.c11) AS f_born_on,
            ingest.clean(s.c12) AS f_citizen_of_india,
            ingest.clean(s.c15) AS f_city,
            ingest.clean(s.c18) AS f_country,
            ingest.clean(s.c8) AS f_disqualified,
            ingest.clean(s.c16) AS f_district,
            ingest.clean(s.c2) AS f_first_name,
            ingest.clean(s.c5) AS f_full_name,
            ingest.clean(s.c10) AS f_gender,
            ingest.clean(s.c1) AS f_id,
            ingest.clean(s.c4) AS f_last_name,
            ingest.clean(s.c3) AS f_middle_name,
            ingest.clean(s.c9) AS f_nationality,
            ingest.clean(s.c19) AS f_pincode,
            ingest.clean(s.c13) AS f_resident_of_india,
            ingest.clean(s.c17) AS f_state,
            ingest.clean(s.c6) AS f_status
          FROM ingest.stage_0 s  OFFSET '0') cells OFFSET '0') prepared
      LEFT JOIN ingest.alias country_word ON country_word.kind = 'exact country' AND country_word.key = prepared.f_country
      LEFT JOIN ingest.alias country_word_loose ON country_word_loose.kind = 'country' AND country_word_loose.key = CASE WHEN country_word.value IS NULL THEN ingest.word_key(prepared.f_country) END
      LEFT JOIN ingest.alias state_word ON state_word.kind = 'exact state' AND state_word.key = prepared.f_state
      LEFT JOIN ingest.alias state_word_loose ON state_word_loose.kind = 'state' AND state_word_loose.key = CASE WHEN state_word.value IS NULL THEN ingest.word_key(prepared.f_state) END
      LEFT JOIN (SELECT DISTINCT ON (pincode) pincode,
        state,
        district FROM reference.pincode WHERE closed_on IS NULL AND district <> ''
                  ORDER BY pincode,
                    offices DESC,
                    id) pin_any ON pin_any.pincode = CASE WHEN NOT (coalesce(country_word.value, country_word_loose.value) IS NOT NULL) THEN prepared.pin END
      LEFT JOIN (SELECT DISTINCT ON (pincode, state) pincode,
        state,
        district FROM reference.pincode WHERE closed_on IS NULL
                  AND district <> '' AND state IS NOT NULL ORDER BY pincode, state, offices DESC, id) pin_in_state
         ON pin_in_state.pincode = CASE WHEN NOT (coalesce(country_word.value,
           country_word_loose.value) IS NOT NULL) THEN prepared.pin END AND pin_in_state.state = coalesce(coalesce(state_word.value,
           state_word_loose.value),
           pin_any.state,
           prepared.f_state)
      LEFT JOIN (SELECT pincode, min(district) AS district FROM reference.pincode WHERE closed_on IS NULL
             GROUP BY pincode, lower(district)) pin_named
           ON pin_named.pincode = CASE WHEN NOT (coalesce(country_word.value, country_word_loose.value) IS NOT NULL) THEN prepared.pin END AND lower(pin_named.district) = lower(prepared.f_district)
      LEFT JOIN ingest.alias word_status ON word_status.kind = 'exact director-status' AND word_status.key = prepared.f_status
      LEFT JOIN ingest.alias word_status_loose ON word_status_loose.kind = 'director-status' AND word_status_loose.key = CASE WHEN word_status.value IS NULL THEN ingest.word_key(prepared.f_status) END
      LEFT JOIN ingest.alias word_disqualified ON word_disqualified.kind = 'exact yes-no' AND word_disqualified.key = prepared.f_disqualified
      LEFT JOIN ingest.alias word_disqualified_loose ON word_disqualified_loose.kind = 'yes-no' AND word_disqualified_loose.key = CASE WHEN word_disqualified.value IS NULL THEN ingest.word_key(prepared.f_disqualified) END
      LEFT JOIN ingest.alias word_gender ON word_gender.kind = 'exact gender' AND word_gender.key = prepared.f_gender
      LEFT JOIN ingest.alias word_gender_loose ON word_gender_loose.kind = 'gender' AND word_gender_loose.key = CASE WHEN word_gender.value IS NULL THEN ingest.word_key(prepared.f_gender) END
      LEFT JOIN ingest.alias word_citizen_of_india ON word_citizen_of_india.kind = 'exact yes-no' AND word_citizen_of_india.key = prepared.f_citizen_of_india
      LEFT JOIN ingest.alias word_citizen_of_india_loose ON word_citizen_of_india_loose.kind = 'yes-no' AND word_citizen_of_india_loose.key = CASE WHEN word_citizen_of_india.value IS NULL THEN ingest.word_key(prepared.f_citizen_of_india) END
      LEFT JOIN ingest.alias word_resident_of_india ON word_resident_of_india.kind = 'exact yes-no' AND word_resident_of_india.key = prepared.f_resident_of_india
      LEFT JOIN ingest.alias word_resident_of_india_loose ON word_resident_of_india_loose.kind = 'yes-no' AND word_resident_of_india_loose.key = CASE WHEN word_resident_of_india.value IS NULL THEN ingest.word_key(prepared.f_resident_of_india) END OFFSET '0') joined OFFSET '0') places OFFSET '0') typed OFFSET '0') checked;

-- Write what is new and what changed
-- Invariant: an identifier is inserted into the register once. A row is written only if a covered column changed or a
-- closed record reappeared. Each write adds exactly one history row, with the changed fields before and after if there
-- was a record. A row that a newer file changed or a newer delta confirmed is skipped, and so is one that a newer
-- snapshot of its own partition contained, whatever partition an older file claims for it. The source's advisory lock excludes other
-- writers of the register, so neither the absence of a row nor its place can become stale. ctids are unique only within
-- one physical partition of the table. New rows are sorted by key, so that the indexes are filled in order.
WITH found AS MATERIALIZED (
  SELECT c.din AS record_key, t.tableoid AS stored_in, t.ctid AS place, t.closed_on AS closed_before,
         c.first_name AS first_name,
           c.middle_name AS middle_name,
           c.last_name AS last_name,
           c.full_name AS full_name,
           c.status AS status,
           c.approved_on AS approved_on,
           c.disqualified AS disqualified,
           c.nationality AS nationality,
           c.gender AS gender,
           c.born_on AS born_on,
           c.citizen_of_india AS citizen_of_india,
           c.resident_of_india AS resident_of_india,
           c.address AS address,
           c.city AS city,
           c.district AS district,
           c.state AS state,
           c.country AS country,
           c.pincode AS pincode,
           c.name_key AS name_key,
         c.fingerprint, c.ordinal,
         CASE WHEN t.din IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.first_name IS DISTINCT FROM c.first_name
              THEN '"first_name":' || coalesce(to_json(t.first_name)::text, 'null') END, CASE WHEN t.middle_name IS DISTINCT FROM c.middle_name
              THEN '"middle_name":' || coalesce(to_json(t.middle_name)::text, 'null') END, CASE WHEN t.last_name IS DISTINCT FROM c.last_name
              THEN '"last_name":' || coalesce(to_json(t.last_name)::text, 'null') END, CASE WHEN t.full_name IS DISTINCT FROM c.full_name
              THEN '"full_name":' || coalesce(to_json(t.full_name)::text, 'null') END, CASE WHEN t.status IS DISTINCT FROM c.status
              THEN '"status":' || coalesce(to_json(t.status)::text, 'null') END, CASE WHEN t.approved_on IS DISTINCT FROM c.approved_on
              THEN '"approved_on":' || coalesce(to_json(t.approved_on)::text, 'null') END, CASE WHEN t.disqualified IS DISTINCT FROM c.disqualified
              THEN '"disqualified":' || coalesce(to_json(t.disqualified)::text, 'null') END, CASE WHEN t.nationality IS DISTINCT FROM c.nationality
              THEN '"nationality":' || coalesce(to_json(t.nationality)::text, 'null') END, CASE WHEN t.gender IS DISTINCT FROM c.gender
              THEN '"gender":' || coalesce(to_json(t.gender)::text, 'null') END, CASE WHEN t.born_on IS DISTINCT FROM c.born_on
              THEN '"born_on":' || coalesce(to_json(t.born_on)::text, 'null') END, CASE WHEN t.citizen_of_india IS DISTINCT FROM c.citizen_of_india
              THEN '"citizen_of_india":' || coalesce(to_json(t.citizen_of_india)::text, 'null') END, CASE WHEN t.resident_of_india IS DISTINCT FROM c.resident_of_india
              THEN '"resident_of_india":' || coalesce(to_json(t.resident_of_india)::text, 'null') END, CASE WHEN t.address IS DISTINCT FROM c.address
              THEN '"address":' || coalesce(to_json(t.address)::text, 'null') END, CASE WHEN t.city IS DISTINCT FROM c.city
              THEN '"city":' || coalesce(to_json(t.city)::text, 'null') END, CASE WHEN t.district IS DISTINCT FROM c.district
              THEN '"district":' || coalesce(to_json(t.district)::text, 'null') END, CASE WHEN t.state IS DISTINCT FROM c.state
              THEN '"state":' || coalesce(to_json(t.state)::text, 'null') END, CASE WHEN t.country IS DISTINCT FROM c.country
              THEN '"country":' || coalesce(to_json(t.country)::text, 'null') END, CASE WHEN t.pincode IS DISTINCT FROM c.pincode
              THEN '"pincode":' || coalesce(to_json(t.pincode)::text, 'null') END) || '}')::jsonb END AS before,
         CASE WHEN t.din IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.first_name IS DISTINCT FROM c.first_name
              THEN '"first_name":' || coalesce(to_json(c.first_name)::text, 'null') END, CASE WHEN t.middle_name IS DISTINCT FROM c.middle_name
              THEN '"middle_name":' || coalesce(to_json(c.middle_name)::text, 'null') END, CASE WHEN t.last_name IS DISTINCT FROM c.last_name
              THEN '"last_name":' || coalesce(to_json(c.last_name)::text, 'null') END, CASE WHEN t.full_name IS DISTINCT FROM c.full_name
              THEN '"full_name":' || coalesce(to_json(c.full_name)::text, 'null') END, CASE WHEN t.status IS DISTINCT FROM c.status
              THEN '"status":' || coalesce(to_json(c.status)::text, 'null') END, CASE WHEN t.approved_on IS DISTINCT FROM c.approved_on
              THEN '"approved_on":' || coalesce(to_json(c.approved_on)::text, 'null') END, CASE WHEN t.disqualified IS DISTINCT FROM c.disqualified
              THEN '"disqualified":' || coalesce(to_json(c.disqualified)::text, 'null') END, CASE WHEN t.nationality IS DISTINCT FROM c.nationality
              THEN '"nationality":' || coalesce(to_json(c.nationality)::text, 'null') END, CASE WHEN t.gender IS DISTINCT FROM c.gender
              THEN '"gender":' || coalesce(to_json(c.gender)::text, 'null') END, CASE WHEN t.born_on IS DISTINCT FROM c.born_on
              THEN '"born_on":' || coalesce(to_json(c.born_on)::text, 'null') END, CASE WHEN t.citizen_of_india IS DISTINCT FROM c.citizen_of_india
              THEN '"citizen_of_india":' || coalesce(to_json(c.citizen_of_india)::text, 'null') END, CASE WHEN t.resident_of_india IS DISTINCT FROM c.resident_of_india
              THEN '"resident_of_india":' || coalesce(to_json(c.resident_of_india)::text, 'null') END, CASE WHEN t.address IS DISTINCT FROM c.address
              THEN '"address":' || coalesce(to_json(c.address)::text, 'null') END, CASE WHEN t.city IS DISTINCT FROM c.city
              THEN '"city":' || coalesce(to_json(c.city)::text, 'null') END, CASE WHEN t.district IS DISTINCT FROM c.district
              THEN '"district":' || coalesce(to_json(c.district)::text, 'null') END, CASE WHEN t.state IS DISTINCT FROM c.state
              THEN '"state":' || coalesce(to_json(c.state)::text, 'null') END, CASE WHEN t.country IS DISTINCT FROM c.country
              THEN '"country":' || coalesce(to_json(c.country)::text, 'null') END, CASE WHEN t.pincode IS DISTINCT FROM c.pincode
              THEN '"pincode":' || coalesce(to_json(c.pincode)::text, 'null') END) || '}')::jsonb END AS after
  FROM ingest.checked_0 c LEFT JOIN registry.director t ON t.din = c.din
  WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]))
    AND (t.din IS NULL OR NOT (coalesce('*', '*') = ANY($3::text[]))
                 AND (t.closed_on IS NOT NULL OR t.first_name IS DISTINCT FROM c.first_name OR t.middle_name IS DISTINCT FROM c.middle_name OR t.last_name IS DISTINCT FROM c.last_name OR t.full_name IS DISTINCT FROM c.full_name OR t.status IS DISTINCT FROM c.status OR t.approved_on IS DISTINCT FROM c.approved_on OR t.disqualified IS DISTINCT FROM c.disqualified OR t.nationality IS DISTINCT FROM c.nationality OR t.gender IS DISTINCT FROM c.gender OR t.born_on IS DISTINCT FROM c.born_on OR t.citizen_of_india IS DISTINCT FROM c.citizen_of_india OR t.resident_of_india IS DISTINCT FROM c.resident_of_india OR t.address IS DISTINCT FROM c.address OR t.city IS DISTINCT FROM c.city OR t.district IS DISTINCT FROM c.district OR t.state IS DISTINCT FROM c.state OR t.country IS DISTINCT FROM c.country OR t.pincode IS DISTINCT FROM c.pincode) AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'director' AND seen.identifier = t.din AND seen.as_of > $2::date)))
), updated AS (
  UPDATE registry.director t
  SET first_name = found.first_name,
    middle_name = found.middle_name,
    last_name = found.last_name,
    full_name = found.full_name,
    status = found.status,
    approved_on = found.approved_on,
    disqualified = found.disqualified,
    nationality = found.nationality,
    gender = found.gender,
    born_on = found.born_on,
    citizen_of_india = found.citizen_of_india,
    resident_of_india = found.resident_of_india,
    address = found.address,
    city = found.city,
    district = found.district,
    state = found.state,
    country = found.country,
    pincode = found.pincode,
    name_key = found.name_key,
      fingerprint = found.fingerprint, closed_on = NULL, last_run_id = $1::bigint, as_of = $2::date
  FROM found WHERE t.ctid = found.place AND t.tableoid = found.stored_in
  RETURNING 1
), inserted AS (
  INSERT INTO registry.director AS t (din,
    first_name,
    middle_name,
    last_name,
    full_name,
    status,
    approved_on,
    disqualified,
    nationality,
    gender,
    born_on,
    citizen_of_india,
    resident_of_india,
    address,
    city,
    district,
    state,
    country,
    pincode,
    name_key,
    fingerprint,
    first_run_id,
    last_run_id,
    as_of)
  SELECT record_key,
    first_name,
    middle_name,
    last_name,
    full_name,
    status,
    approved_on,
    disqualified,
    nationality,
    gender,
    born_on,
    citizen_of_india,
    resident_of_india,
    address,
    city,
    district,
    state,
    country,
    pincode,
    name_key,
         fingerprint, $1::bigint, $1::bigint, $2::date
  FROM found WHERE place IS NULL ORDER BY record_key
  RETURNING 1
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no, before, after)
  SELECT 'director', record_key, $1::bigint,
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
  AND NOT EXISTS (SELECT FROM ingest.checked_0 c WHERE c.din = absent.record_key)
  AND NOT EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'director' AND seen.identifier = absent.record_key AND seen.as_of > :as_of);

-- Close what is absent
-- Invariant: only open records are closed, each with one history row.
WITH closed AS (
  UPDATE registry.director t SET closed_on = $2::date, last_run_id = $1::bigint, as_of = $2::date
  FROM closing WHERE t.din = closing.record_key AND t.closed_on IS NULL
  RETURNING t.din AS record_key
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT 'director', record_key, $1::bigint, 'close', $2::date, '{"closed_on": null}',
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
UPDATE registry.director t SET fingerprint = same.fingerprint
FROM (SELECT t.din AS record_key, c.fingerprint
      FROM registry.director t JOIN ingest.checked_0 c ON c.din = t.din
      WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint
        AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'director' AND seen.identifier = t.din AND seen.as_of > $2::date)) AND NOT (coalesce('*', '*') = ANY($3::text[]))
        AND t.fingerprint IS DISTINCT FROM c.fingerprint
      LIMIT $4::bigint) same
WHERE t.din = same.record_key;

-- Delta: store the day of what it found as it is
-- Invariant: the day of a confirmation never decreases, and is later than that of the record and of its partition.
INSERT INTO ingest.confirmation AS known (entity, identifier, run_id, as_of)
SELECT 'director', t.din, $1::bigint, $2::date
FROM ingest.checked_0 c JOIN registry.director t ON t.din = c.din
WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint AND t.as_of < $2::date
  AND NOT EXISTS (SELECT FROM ingest.scope s
                  WHERE s.source = 'mca-directors' AND s.scope = coalesce('*', '*') AND s.as_of >= $2::date)
ON CONFLICT (entity, identifier) DO UPDATE
SET run_id = CASE WHEN known.as_of < excluded.as_of THEN excluded.run_id ELSE known.run_id END,
    others = (CASE WHEN known.as_of < excluded.as_of THEN known.run_id ELSE excluded.run_id END || known.others)[1:8],
    as_of = greatest(known.as_of, excluded.as_of);

-- First load: rows
INSERT INTO registry.shadow (din,
  first_name,
  middle_name,
  last_name,
  full_name,
  status,
  approved_on,
  disqualified,
  nationality,
  gender,
  born_on,
  citizen_of_india,
  resident_of_india,
  address,
  city,
  district,
  state,
  country,
  pincode,
  name_key,
  fingerprint,
  first_run_id,
  last_run_id,
  as_of,
  insert_change_id,
  insert_record_no)
SELECT c.din,
  c.first_name,
  c.middle_name,
  c.last_name,
  c.full_name,
  c.status,
  c.approved_on,
  c.disqualified,
  c.nationality,
  c.gender,
  c.born_on,
  c.citizen_of_india,
  c.resident_of_india,
  c.address,
  c.city,
  c.district,
  c.state,
  c.country,
  c.pincode,
  c.name_key,
  c.fingerprint,
  $1::bigint,
  $1::bigint,
  $2::date,
  nextval('ingest.change_change_id_seq'),
  c.ordinal::integer FROM ingest.checked_0 c WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]));
