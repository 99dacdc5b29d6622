-- gst-taxpayers, header "GST portal keys". Staged columns:
--   c1 id
--   c2 legalName
--   c3 tradeName
--   c4 constitution
--   c5 taxpayerType
--   c6 status
--   c7 registeredOn
--   c8 cancelledOn
--   c9 activities
--   c10 coreBusiness
--   c11 building
--   c12 floor
--   c13 buildingName
--   c14 street
--   c15 locality
--   c16 district
--   c17 city
--   c18 state
--   c19 pincode
--   c20 address
--   c21 stateJurisdiction
--   c22 centreJurisdiction
--   c23 hsnCodes
--   c24 sacCodes
--   c25 lastUpdated

-- Rows that the register was not last written from
SELECT s.ordinal, t.record_key, t.scope_name, t.as_of
       FROM (SELECT s.ordinal, hash_record_extended(ROW(s.c9,
         s.c20,
         s.c11,
         s.c13,
         s.c8,
         s.c22,
         s.c17,
         s.c4,
         s.c10,
         s.c16,
         s.c12,
         s.c23,
         s.c1,
         s.c25,
         s.c2,
         s.c15,
         s.c19,
         s.c7,
         s.c24,
         s.c18,
         s.c21,
         s.c6,
         s.c14,
         s.c5,
         s.c3), 0) AS fingerprint FROM ingest.stage_0 s) s
         FULL JOIN (SELECT gstin AS record_key, t.state_code::text AS scope_name, as_of, fingerprint
                    FROM registry.gst_taxpayer t WHERE closed_on IS NULL) t
              ON t.fingerprint = s.fingerprint
       WHERE s.ordinal IS NULL OR t.record_key IS NULL;

-- Check
SELECT checked.ordinal,
  checked.place,
  checked.fingerprint,
  checked.gstin,
  checked.kind,
  checked.pan,
  checked.legal_name,
  checked.trade_name,
  checked.status,
  checked.status_source,
  checked.taxpayer_type,
  checked.constitution,
  checked.registered_on,
  checked.cancelled_on,
  checked.address,
  checked.city,
  checked.district,
  checked.state_code,
  checked.state,
  checked.pincode,
  checked.core_business,
  checked.business_activities,
  checked.hsn_codes,
  checked.sac_codes,
  checked.state_jurisdiction,
  checked.centre_jurisdiction,
  checked.name_key,
  checked.state_code::text AS scope_name,
       CASE WHEN checked.gstin IS NULL THEN 'gstin_malformed'
            WHEN checked.registered_on IS NULL AND ingest.ascii_form(checked.f_registered_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN 'date_unreadable'
            WHEN checked.cancelled_on IS NULL AND ingest.ascii_form(checked.f_cancelled_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN 'date_unreadable' END AS fault,
       CASE WHEN checked.gstin IS NULL THEN coalesce('"' || left(checked.f_id, 80) || '"', 'an empty cell') || ' is not a well-formed GSTIN, its state code does not exist, or its check digit does not hold'
            WHEN checked.registered_on IS NULL AND ingest.ascii_form(checked.f_registered_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN '"' || left(checked.f_registered_on, 80) || CASE WHEN ingest.ascii_form(checked.f_registered_on) ~ '^[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{2}(?:[T ][0-9:.]+)?$'
        THEN '" in registered_on has a year of two digits, which may be of either century; write it as YYYY-MM-DD'
        WHEN ingest.ascii_form(checked.f_registered_on) ~  E'^[1-9][0-9]{4}(?:\\.[0-9]+)?$'
        THEN '" in registered_on is a spreadsheet''s count of days; format the column as a date there, or write it as YYYY-MM-DD'
        ELSE '" in registered_on is no day, written YYYY-MM-DD' END
            WHEN checked.cancelled_on IS NULL AND ingest.ascii_form(checked.f_cancelled_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN '"' || left(checked.f_cancelled_on, 80) || CASE WHEN ingest.ascii_form(checked.f_cancelled_on) ~ '^[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{2}(?:[T ][0-9:.]+)?$'
        THEN '" in cancelled_on has a year of two digits, which may be of either century; write it as YYYY-MM-DD'
        WHEN ingest.ascii_form(checked.f_cancelled_on) ~  E'^[1-9][0-9]{4}(?:\\.[0-9]+)?$'
        THEN '" in cancelled_on is a spreadsheet''s count of days; format the column as a date there, or write it as YYYY-MM-DD'
        ELSE '" in cancelled_on is no day, written YYYY-MM-DD' END END AS fault_message,
       nullif(concat_ws(' ', CASE WHEN checked.gstin <> checked.f_id THEN concat_ws(' ', CASE WHEN length(ingest.bare_identifier(checked.f_id)) < length(regexp_replace(checked.f_id,
         '^=?["'']|"$',
         '',
         'g')) THEN 'gstin_spaces' END,
        CASE WHEN regexp_replace(checked.f_id, '^=?["'']|"$', '', 'g') <> checked.f_id THEN 'gstin_quotes' END,
        CASE WHEN checked.f_id <> upper(checked.f_id) THEN 'gstin_case' END,
        CASE WHEN checked.f_id <> ingest.ascii_form(checked.f_id) THEN 'gstin_script' END,
        CASE WHEN upper(ingest.bare_identifier(checked.f_id)) <> checked.gstin THEN 'gstin_look_alike' END) END,
          CASE WHEN checked.pincode IS NULL AND (ingest.ascii_form(checked.f_pincode) ~ '[^0 .,-]') THEN 'pincode_dropped' END,
          CASE WHEN checked.f_hsn_codes !~ '^(?:[0-9]{2}){1,4}(?:[;,] ?(?:[0-9]{2}){1,4})*$' THEN nullif(concat_ws(' ',
            CASE WHEN checked.f_hsn_codes ~ '[0-9]\s+[0-9]' THEN 'space_in_code' END,
            CASE WHEN checked.f_hsn_codes ~ '(?<![0-9])[1-9](?:[0-9]{2}){0,3}(?![0-9])' THEN 'lost_leading_zero' END), '') END,
          CASE WHEN checked.f_sac_codes !~ '^(?:[0-9]{2}){1,4}(?:[;,] ?(?:[0-9]{2}){1,4})*$' THEN nullif(concat_ws(' ', CASE WHEN checked.f_sac_codes ~ '[0-9]\s+[0-9]' THEN 'space_in_code' END), '') END), '') AS repair
FROM (SELECT typed.*,
    registry.name_key(coalesce(typed.trade_name, typed.legal_name, '')) AS name_key FROM (
  SELECT places.ordinal,
    places.place,
    places.fingerprint,
    places.f_pincode,
    places.f_address,
    places.f_state,
    places.f_id,
    places.f_district,
    places.f_city,
    places.f_locality,
    places.f_legal_name,
    places.f_trade_name,
    places.f_status,
    places.f_taxpayer_type,
    places.f_constitution,
    places.f_registered_on,
    places.f_cancelled_on,
    places.f_building,
    places.f_floor,
    places.f_building_name,
    places.f_street,
    places.f_core_business,
    places.f_activities,
    places.f_hsn_codes,
    places.f_sac_codes,
    places.f_state_jurisdiction,
    places.f_centre_jurisdiction,
    places.id_id AS gstin,
    ingest.gstin_kind(places.id_id) AS kind,
    ingest.gstin_pan(places.id_id) AS pan,
    places.f_legal_name AS legal_name,
    places.f_trade_name AS trade_name,
    places.word_status AS status,
    places.f_status AS status_source,
    places.word_taxpayer_type AS taxpayer_type,
    places.word_constitution AS constitution,
    places.d_registered_on AS registered_on,
    places.d_cancelled_on AS cancelled_on,
    coalesce(places.f_address, CASE WHEN num_nonnulls(NULL,
      places.f_building,
      places.f_floor,
      places.f_building_name,
      places.f_street,
      places.f_locality) > 0 THEN concat_ws(', ',
      NULL,
      places.f_building,
      places.f_floor,
      places.f_building_name,
      places.f_street,
      places.f_locality,
      places.f_city,
      places.f_district,
      places.f_state,
      places.f_pincode) END) AS address,
    coalesce(ingest.place_name(places.f_city, places.state_name),
      ingest.place_name(places.f_locality, places.state_name),
      places.district_name) AS city,
    places.district_name AS district,
    left(places.id_id, 2) AS state_code,
    places.state_name AS state,
    places.pin AS pincode,
    places.f_core_business AS core_business,
    CASE WHEN places.f_activities IS NULL THEN '{}'::text[]
      WHEN strpos(places.f_activities, ';') = 0 THEN array_remove(ARRAY[btrim(places.f_activities)], '')
      ELSE ARRAY(
        SELECT btrim(part) FROM unnest(string_to_array(places.f_activities, ';')) WITH ORDINALITY AS parts(part, position)
        WHERE btrim(part) <> '' GROUP BY 1 ORDER BY min(position)) END AS business_activities,
    CASE WHEN places.f_hsn_codes IS NULL THEN '{}'::text[]
      WHEN strpos(translate(places.f_hsn_codes, ',', ';'),
        ';') = 0 THEN array_remove(ARRAY[CASE WHEN btrim(places.f_hsn_codes) ~ '^(?:[0-9]{2}){1,4}$' THEN btrim(places.f_hsn_codes) ELSE coalesce(ingest.hsn_code(btrim(places.f_hsn_codes)),
          ingest.sac_code(btrim(places.f_hsn_codes)),
          ingest.hsn_code('0' || btrim(places.f_hsn_codes)),
          btrim(places.f_hsn_codes)) END],
        '')
      ELSE ARRAY(
        SELECT CASE WHEN btrim(part) ~ '^(?:[0-9]{2}){1,4}$' THEN btrim(part) ELSE coalesce(ingest.hsn_code(btrim(part)),
          ingest.sac_code(btrim(part)),
          ingest.hsn_code('0' || btrim(part)),
          btrim(part)) END FROM unnest(string_to_array(translate(places.f_hsn_codes,
            ',',
            ';'), ';')) WITH ORDINALITY AS parts(part,
          position)
        WHERE btrim(part) <> '' GROUP BY 1 ORDER BY min(position)) END AS hsn_codes,
    CASE WHEN places.f_sac_codes IS NULL THEN '{}'::text[]
      WHEN strpos(translate(places.f_sac_codes, ',', ';'),
        ';') = 0 THEN array_remove(ARRAY[CASE WHEN btrim(places.f_sac_codes) ~ '^(?:[0-9]{2}){1,4}$' THEN btrim(places.f_sac_codes) ELSE coalesce(ingest.sac_code(btrim(places.f_sac_codes)), btrim(places.f_sac_codes)) END],
        '')
      ELSE ARRAY(
        SELECT CASE WHEN btrim(part) ~ '^(?:[0-9]{2}){1,4}$' THEN btrim(part) ELSE coalesce(ingest.sac_code(btrim(part)),
          btrim(part)) END FROM unnest(string_to_array(translate(places.f_sac_codes,
            ',',
            ';'), ';')) WITH ORDINALITY AS parts(part,
          position)
        WHERE btrim(part) <> '' GROUP BY 1 ORDER BY min(position)) END AS sac_codes,
    places.f_state_jurisdiction AS state_jurisdiction,
    places.f_centre_jurisdiction AS centre_jurisdiction FROM (
    SELECT joined.*,
    coalesce(joined.pin_district, ingest.place_name(joined.f_district, NULL)) AS district_name FROM (
      SELECT prepared.*,
    coalesce(coalesce(state_word.value, state_word_loose.value),
      state_letters.value,
      pin_any.state,
      prepared.f_state) AS state_name,
    coalesce(pin_named.district, pin_in_state.district,
                CASE WHEN pin_any.state IS NULL THEN pin_any.district END) AS pin_district,
    coalesce(coalesce(word_status.value, word_status_loose.value), prepared.f_status) AS word_status,
    coalesce(coalesce(word_taxpayer_type.value, word_taxpayer_type_loose.value), prepared.f_taxpayer_type) AS word_taxpayer_type,
    coalesce(coalesce(word_constitution.value, word_constitution_loose.value), prepared.f_constitution) AS word_constitution FROM (
        SELECT cells.*,
    coalesce(ingest.read_pincode(f_pincode),
      ingest.read_pincode(split_part(f_address, ',', -1)),
      ingest.read_pincode(split_part(substring(f_address FROM '(?i)^(.*[0-9])[ ,.-]*(?:india|in)[ .]*$'),
        ',',
        -1))) AS pin,
    coalesce(ingest.gstin(f_id), ingest.gstin_repaired(f_id)) AS id_id,
    ingest.read_date(f_registered_on, 'undecided') AS d_registered_on,
    ingest.read_date(f_cancelled_on, 'undecided') AS d_cancelled_on FROM (
          SELECT s.ordinal,
            s.ctid AS place,
            hash_record_extended(ROW(s.c9,
              s.c20,
              s.c11,
              s.c13,
              s.c8,
              s.c22,
              s.c17,
              s.c4,
              s.c10,
              s.c16,
              s.c12,
              s.c23,
              s.c1,
              s.c25,
              s.c2,
              s.c15,
              s.c19,
              s.c7,
              s.c24,
              s.c18,
              s.c21,
              s.c6,
              s.c14,
              s.c5,
              s.c3), 0) AS fingerprint,
            ingest.clean(s.c9) AS f_activities,
            ingest.clean(s.c20) AS f_address,
            ingest.clean(s.c11) AS f_building,
            ingest.clean(s.c13) AS f_building_name,
            ingest.clean(s.c8) AS f_cancelled_on,
            ingest.clean(s.c22) AS f_centre_jurisdiction,
            ingest.clean(s.c17) AS f_city,
            ingest.clean(s.c4) AS f_constitution,
            ingest.clean(s.c10) AS f_core_business,
            ingest.clean(s.c16) AS f_district,
            ingest.clean(s.c12) AS f_floor,
            ingest.clean(s.c23) AS f_hsn_codes,
            ingest.clean(s.c1) AS f_id,
            ingest.clean(s.c2) AS f_legal_name,
            ingest.clean(s.c15) AS f_locality,
            ingest.clean(s.c19) AS f_pincode,
            ingest.clean(s.c7) AS f_registered_on,
            ingest.clean(s.c24) AS f_sac_codes,
            ingest.clean(s.c18) AS f_state,
            ingest.clean(s.c21) AS f_state_jurisdiction,
            ingest.clean(s.c6) AS f_status,
            ingest.clean(s.c14) AS f_street,
            ingest.clean(s.c5) AS f_taxpayer_type,
            ingest.clean(s.c3) AS f_trade_name
          FROM ingest.stage_0 s  OFFSET '0') cells OFFSET '0') prepared
      LEFT JOIN ingest.alias state_word ON state_word.kind = 'exact state' AND state_word.key = prepared.f_state
      LEFT JOIN ingest.alias state_word_loose ON state_word_loose.kind = 'state' AND state_word_loose.key = CASE WHEN state_word.value IS NULL THEN ingest.word_key(prepared.f_state) END
      LEFT JOIN ingest.alias state_letters ON state_letters.kind = 'state-code' AND state_letters.key = left(prepared.id_id, 2)
      LEFT JOIN (SELECT DISTINCT ON (pincode) pincode,
        state,
        district FROM reference.pincode WHERE closed_on IS NULL AND district <> ''
                  ORDER BY pincode, offices DESC, id) pin_any ON pin_any.pincode = prepared.pin
      LEFT JOIN (SELECT DISTINCT ON (pincode, state) pincode,
        state,
        district FROM reference.pincode WHERE closed_on IS NULL
                  AND district <> '' AND state IS NOT NULL ORDER BY pincode, state, offices DESC, id) pin_in_state
         ON pin_in_state.pincode = prepared.pin AND pin_in_state.state = coalesce(coalesce(state_word.value, state_word_loose.value),
           state_letters.value,
           pin_any.state,
           prepared.f_state)
      LEFT JOIN (SELECT pincode, min(district) AS district FROM reference.pincode WHERE closed_on IS NULL
             GROUP BY pincode, lower(district)) pin_named
           ON pin_named.pincode = prepared.pin AND lower(pin_named.district) = lower(prepared.f_district)
      LEFT JOIN ingest.alias word_status ON word_status.kind = 'exact gst-status' AND word_status.key = prepared.f_status
      LEFT JOIN ingest.alias word_status_loose ON word_status_loose.kind = 'gst-status' AND word_status_loose.key = CASE WHEN word_status.value IS NULL THEN ingest.word_key(prepared.f_status) END
      LEFT JOIN ingest.alias word_taxpayer_type ON word_taxpayer_type.kind = 'exact taxpayer-type' AND word_taxpayer_type.key = prepared.f_taxpayer_type
      LEFT JOIN ingest.alias word_taxpayer_type_loose ON word_taxpayer_type_loose.kind = 'taxpayer-type' AND word_taxpayer_type_loose.key = CASE WHEN word_taxpayer_type.value IS NULL THEN ingest.word_key(prepared.f_taxpayer_type) END
      LEFT JOIN ingest.alias word_constitution ON word_constitution.kind = 'exact constitution' AND word_constitution.key = prepared.f_constitution
      LEFT JOIN ingest.alias word_constitution_loose ON word_constitution_loose.kind = 'constitution' AND word_constitution_loose.key = CASE WHEN word_constitution.value IS NULL THEN ingest.word_key(prepared.f_constitution) END OFFSET '0') joined OFFSET '0') places OFFSET '0') typed OFFSET '0') checked;

-- Write what is new and what changed
-- Invariant: an identifier is inserted into the register once. A row is written only if a covered column changed or a
-- closed record reappeared. Each write adds exactly one history row, with the changed fields before and after if there
-- was a record. A row that a newer file changed or a newer delta confirmed is skipped, and so is one that a newer
-- snapshot of its own partition contained, whatever partition an older file claims for it. The source's advisory lock excludes other
-- writers of the register, so neither the absence of a row nor its place can become stale. ctids are unique only within
-- one physical partition of the table. New rows are sorted by key, so that the indexes are filled in order.
WITH found AS MATERIALIZED (
  SELECT c.gstin AS record_key, t.tableoid AS stored_in, t.ctid AS place, t.closed_on AS closed_before,
         c.kind AS kind,
           c.pan AS pan,
           c.legal_name AS legal_name,
           c.trade_name AS trade_name,
           c.status AS status,
           c.status_source AS status_source,
           c.taxpayer_type AS taxpayer_type,
           c.constitution AS constitution,
           c.registered_on AS registered_on,
           c.cancelled_on AS cancelled_on,
           c.address AS address,
           c.city AS city,
           c.district AS district,
           c.state_code AS state_code,
           c.state AS state,
           c.pincode AS pincode,
           c.core_business AS core_business,
           c.business_activities AS business_activities,
           c.hsn_codes AS hsn_codes,
           c.sac_codes AS sac_codes,
           c.state_jurisdiction AS state_jurisdiction,
           c.centre_jurisdiction AS centre_jurisdiction,
           c.name_key AS name_key,
         c.fingerprint, c.ordinal,
         CASE WHEN t.gstin IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.kind IS DISTINCT FROM c.kind
              THEN '"kind":' || coalesce(to_json(t.kind)::text, 'null') END, CASE WHEN t.pan IS DISTINCT FROM c.pan
              THEN '"pan":' || coalesce(to_json(t.pan)::text, 'null') END, CASE WHEN t.legal_name IS DISTINCT FROM c.legal_name
              THEN '"legal_name":' || coalesce(to_json(t.legal_name)::text, 'null') END, CASE WHEN t.trade_name IS DISTINCT FROM c.trade_name
              THEN '"trade_name":' || coalesce(to_json(t.trade_name)::text, 'null') END, CASE WHEN t.status IS DISTINCT FROM c.status
              THEN '"status":' || coalesce(to_json(t.status)::text, 'null') END, CASE WHEN t.status_source IS DISTINCT FROM c.status_source
              THEN '"status_source":' || coalesce(to_json(t.status_source)::text, 'null') END, CASE WHEN t.taxpayer_type IS DISTINCT FROM c.taxpayer_type
              THEN '"taxpayer_type":' || coalesce(to_json(t.taxpayer_type)::text, 'null') END, CASE WHEN t.constitution IS DISTINCT FROM c.constitution
              THEN '"constitution":' || coalesce(to_json(t.constitution)::text, 'null') END, CASE WHEN t.registered_on IS DISTINCT FROM c.registered_on
              THEN '"registered_on":' || coalesce(to_json(t.registered_on)::text, 'null') END, CASE WHEN t.cancelled_on IS DISTINCT FROM c.cancelled_on
              THEN '"cancelled_on":' || coalesce(to_json(t.cancelled_on)::text, 'null') END, CASE WHEN t.address IS DISTINCT FROM c.address
              THEN '"address":' || coalesce(to_json(t.address)::text, 'null') END, CASE WHEN t.city IS DISTINCT FROM c.city
              THEN '"city":' || coalesce(to_json(t.city)::text, 'null') END, CASE WHEN t.district IS DISTINCT FROM c.district
              THEN '"district":' || coalesce(to_json(t.district)::text, 'null') END, CASE WHEN t.state_code IS DISTINCT FROM c.state_code
              THEN '"state_code":' || coalesce(to_json(t.state_code)::text, 'null') END, CASE WHEN t.state IS DISTINCT FROM c.state
              THEN '"state":' || coalesce(to_json(t.state)::text, 'null') END, CASE WHEN t.pincode IS DISTINCT FROM c.pincode
              THEN '"pincode":' || coalesce(to_json(t.pincode)::text, 'null') END, CASE WHEN t.core_business IS DISTINCT FROM c.core_business
              THEN '"core_business":' || coalesce(to_json(t.core_business)::text, 'null') END, CASE WHEN t.business_activities IS DISTINCT FROM c.business_activities
              THEN '"business_activities":' || coalesce(to_json(t.business_activities)::text, 'null') END, CASE WHEN t.hsn_codes IS DISTINCT FROM c.hsn_codes
              THEN '"hsn_codes":' || coalesce(to_json(t.hsn_codes)::text, 'null') END, CASE WHEN t.sac_codes IS DISTINCT FROM c.sac_codes
              THEN '"sac_codes":' || coalesce(to_json(t.sac_codes)::text, 'null') END, CASE WHEN t.state_jurisdiction IS DISTINCT FROM c.state_jurisdiction
              THEN '"state_jurisdiction":' || coalesce(to_json(t.state_jurisdiction)::text, 'null') END, CASE WHEN t.centre_jurisdiction IS DISTINCT FROM c.centre_jurisdiction
              THEN '"centre_jurisdiction":' || coalesce(to_json(t.centre_jurisdiction)::text, 'null') END) || '}')::jsonb END AS before,
         CASE WHEN t.gstin IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.kind IS DISTINCT FROM c.kind
              THEN '"kind":' || coalesce(to_json(c.kind)::text, 'null') END, CASE WHEN t.pan IS DISTINCT FROM c.pan
              THEN '"pan":' || coalesce(to_json(c.pan)::text, 'null') END, CASE WHEN t.legal_name IS DISTINCT FROM c.legal_name
              THEN '"legal_name":' || coalesce(to_json(c.legal_name)::text, 'null') END, CASE WHEN t.trade_name IS DISTINCT FROM c.trade_name
              THEN '"trade_name":' || coalesce(to_json(c.trade_name)::text, 'null') END, CASE WHEN t.status IS DISTINCT FROM c.status
              THEN '"status":' || coalesce(to_json(c.status)::text, 'null') END, CASE WHEN t.status_source IS DISTINCT FROM c.status_source
              THEN '"status_source":' || coalesce(to_json(c.status_source)::text, 'null') END, CASE WHEN t.taxpayer_type IS DISTINCT FROM c.taxpayer_type
              THEN '"taxpayer_type":' || coalesce(to_json(c.taxpayer_type)::text, 'null') END, CASE WHEN t.constitution IS DISTINCT FROM c.constitution
              THEN '"constitution":' || coalesce(to_json(c.constitution)::text, 'null') END, CASE WHEN t.registered_on IS DISTINCT FROM c.registered_on
              THEN '"registered_on":' || coalesce(to_json(c.registered_on)::text, 'null') END, CASE WHEN t.cancelled_on IS DISTINCT FROM c.cancelled_on
              THEN '"cancelled_on":' || coalesce(to_json(c.cancelled_on)::text, 'null') END, CASE WHEN t.address IS DISTINCT FROM c.address
              THEN '"address":' || coalesce(to_json(c.address)::text, 'null') END, CASE WHEN t.city IS DISTINCT FROM c.city
              THEN '"city":' || coalesce(to_json(c.city)::text, 'null') END, CASE WHEN t.district IS DISTINCT FROM c.district
              THEN '"district":' || coalesce(to_json(c.district)::text, 'null') END, CASE WHEN t.state_code IS DISTINCT FROM c.state_code
              THEN '"state_code":' || coalesce(to_json(c.state_code)::text, 'null') END, CASE WHEN t.state IS DISTINCT FROM c.state
              THEN '"state":' || coalesce(to_json(c.state)::text, 'null') END, CASE WHEN t.pincode IS DISTINCT FROM c.pincode
              THEN '"pincode":' || coalesce(to_json(c.pincode)::text, 'null') END, CASE WHEN t.core_business IS DISTINCT FROM c.core_business
              THEN '"core_business":' || coalesce(to_json(c.core_business)::text, 'null') END, CASE WHEN t.business_activities IS DISTINCT FROM c.business_activities
              THEN '"business_activities":' || coalesce(to_json(c.business_activities)::text, 'null') END, CASE WHEN t.hsn_codes IS DISTINCT FROM c.hsn_codes
              THEN '"hsn_codes":' || coalesce(to_json(c.hsn_codes)::text, 'null') END, CASE WHEN t.sac_codes IS DISTINCT FROM c.sac_codes
              THEN '"sac_codes":' || coalesce(to_json(c.sac_codes)::text, 'null') END, CASE WHEN t.state_jurisdiction IS DISTINCT FROM c.state_jurisdiction
              THEN '"state_jurisdiction":' || coalesce(to_json(c.state_jurisdiction)::text, 'null') END, CASE WHEN t.centre_jurisdiction IS DISTINCT FROM c.centre_jurisdiction
              THEN '"centre_jurisdiction":' || coalesce(to_json(c.centre_jurisdiction)::text, 'null') END) || '}')::jsonb END AS after
  FROM ingest.checked_0 c LEFT JOIN registry.gst_taxpayer t ON t.gstin = c.gstin
  WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]))
    AND (t.gstin IS NULL OR NOT (coalesce(t.state_code::text, '*') = ANY($3::text[]))
                 AND (t.closed_on IS NOT NULL OR t.kind IS DISTINCT FROM c.kind OR t.pan IS DISTINCT FROM c.pan OR t.legal_name IS DISTINCT FROM c.legal_name OR t.trade_name IS DISTINCT FROM c.trade_name OR t.status IS DISTINCT FROM c.status OR t.status_source IS DISTINCT FROM c.status_source OR t.taxpayer_type IS DISTINCT FROM c.taxpayer_type OR t.constitution IS DISTINCT FROM c.constitution OR t.registered_on IS DISTINCT FROM c.registered_on OR t.cancelled_on IS DISTINCT FROM c.cancelled_on OR t.address IS DISTINCT FROM c.address OR t.city IS DISTINCT FROM c.city OR t.district IS DISTINCT FROM c.district OR t.state_code IS DISTINCT FROM c.state_code OR t.state IS DISTINCT FROM c.state OR t.pincode IS DISTINCT FROM c.pincode OR t.core_business IS DISTINCT FROM c.core_business OR t.business_activities IS DISTINCT FROM c.business_activities OR t.hsn_codes IS DISTINCT FROM c.hsn_codes OR t.sac_codes IS DISTINCT FROM c.sac_codes OR t.state_jurisdiction IS DISTINCT FROM c.state_jurisdiction OR t.centre_jurisdiction IS DISTINCT FROM c.centre_jurisdiction) AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'gst' AND seen.identifier = t.gstin AND seen.as_of > $2::date)))
), updated AS (
  UPDATE registry.gst_taxpayer t
  SET kind = found.kind,
    pan = found.pan,
    legal_name = found.legal_name,
    trade_name = found.trade_name,
    status = found.status,
    status_source = found.status_source,
    taxpayer_type = found.taxpayer_type,
    constitution = found.constitution,
    registered_on = found.registered_on,
    cancelled_on = found.cancelled_on,
    address = found.address,
    city = found.city,
    district = found.district,
    state_code = found.state_code,
    state = found.state,
    pincode = found.pincode,
    core_business = found.core_business,
    business_activities = found.business_activities,
    hsn_codes = found.hsn_codes,
    sac_codes = found.sac_codes,
    state_jurisdiction = found.state_jurisdiction,
    centre_jurisdiction = found.centre_jurisdiction,
    name_key = found.name_key,
      fingerprint = found.fingerprint, closed_on = NULL, last_run_id = $1::bigint, as_of = $2::date
  FROM found WHERE t.ctid = found.place AND t.tableoid = found.stored_in
  RETURNING 1
), inserted AS (
  INSERT INTO registry.gst_taxpayer AS t (gstin,
    kind,
    pan,
    legal_name,
    trade_name,
    status,
    status_source,
    taxpayer_type,
    constitution,
    registered_on,
    cancelled_on,
    address,
    city,
    district,
    state_code,
    state,
    pincode,
    core_business,
    business_activities,
    hsn_codes,
    sac_codes,
    state_jurisdiction,
    centre_jurisdiction,
    name_key,
    fingerprint,
    first_run_id,
    last_run_id,
    as_of)
  SELECT record_key,
    kind,
    pan,
    legal_name,
    trade_name,
    status,
    status_source,
    taxpayer_type,
    constitution,
    registered_on,
    cancelled_on,
    address,
    city,
    district,
    state_code,
    state,
    pincode,
    core_business,
    business_activities,
    hsn_codes,
    sac_codes,
    state_jurisdiction,
    centre_jurisdiction,
    name_key,
         fingerprint, $1::bigint, $1::bigint, $2::date
  FROM found WHERE place IS NULL ORDER BY record_key
  RETURNING 1
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no, before, after)
  SELECT 'gst', record_key, $1::bigint,
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
  AND NOT EXISTS (SELECT FROM ingest.checked_0 c WHERE c.gstin = absent.record_key)
  AND NOT EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'gst' AND seen.identifier = absent.record_key AND seen.as_of > :as_of);

-- Close what is absent
-- Invariant: only open records are closed, each with one history row.
WITH closed AS (
  UPDATE registry.gst_taxpayer t SET closed_on = $2::date, last_run_id = $1::bigint, as_of = $2::date
  FROM closing WHERE t.gstin = closing.record_key AND t.closed_on IS NULL
  RETURNING t.gstin AS record_key
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT 'gst', record_key, $1::bigint, 'close', $2::date, '{"closed_on": null}',
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
UPDATE registry.gst_taxpayer t SET fingerprint = same.fingerprint
FROM (SELECT t.gstin AS record_key, c.fingerprint
      FROM registry.gst_taxpayer t JOIN ingest.checked_0 c ON c.gstin = t.gstin
      WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint
        AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'gst' AND seen.identifier = t.gstin AND seen.as_of > $2::date)) AND NOT (coalesce(t.state_code::text, '*') = ANY($3::text[]))
        AND t.fingerprint IS DISTINCT FROM c.fingerprint
      LIMIT $4::bigint) same
WHERE t.gstin = same.record_key;

-- Delta: store the day of what it found as it is
-- Invariant: the day of a confirmation never decreases, and is later than that of the record and of its partition.
INSERT INTO ingest.confirmation AS known (entity, identifier, run_id, as_of)
SELECT 'gst', t.gstin, $1::bigint, $2::date
FROM ingest.checked_0 c JOIN registry.gst_taxpayer t ON t.gstin = c.gstin
WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint AND t.as_of < $2::date
  AND NOT EXISTS (SELECT FROM ingest.scope s
                  WHERE s.source = 'gst-taxpayers' AND s.scope = coalesce(t.state_code::text, '*') AND s.as_of >= $2::date)
ON CONFLICT (entity, identifier) DO UPDATE
SET run_id = CASE WHEN known.as_of < excluded.as_of THEN excluded.run_id ELSE known.run_id END,
    others = (CASE WHEN known.as_of < excluded.as_of THEN known.run_id ELSE excluded.run_id END || known.others)[1:8],
    as_of = greatest(known.as_of, excluded.as_of);

-- First load: rows
INSERT INTO registry.shadow (gstin,
  kind,
  pan,
  legal_name,
  trade_name,
  status,
  status_source,
  taxpayer_type,
  constitution,
  registered_on,
  cancelled_on,
  address,
  city,
  district,
  state_code,
  state,
  pincode,
  core_business,
  business_activities,
  hsn_codes,
  sac_codes,
  state_jurisdiction,
  centre_jurisdiction,
  name_key,
  fingerprint,
  first_run_id,
  last_run_id,
  as_of,
  insert_change_id,
  insert_record_no)
SELECT c.gstin,
  c.kind,
  c.pan,
  c.legal_name,
  c.trade_name,
  c.status,
  c.status_source,
  c.taxpayer_type,
  c.constitution,
  c.registered_on,
  c.cancelled_on,
  c.address,
  c.city,
  c.district,
  c.state_code,
  c.state,
  c.pincode,
  c.core_business,
  c.business_activities,
  c.hsn_codes,
  c.sac_codes,
  c.state_jurisdiction,
  c.centre_jurisdiction,
  c.name_key,
  c.fingerprint,
  $1::bigint,
  $1::bigint,
  $2::date,
  nextval('ingest.change_change_id_seq'),
  c.ordinal::integer FROM ingest.checked_0 c WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]));
