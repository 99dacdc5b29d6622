-- mca-companies, header "2023: data.gov.in API". Staged columns:
--   c1 id
--   c2 name
--   c3 status
--   c4 class
--   c5 category
--   c6 subCategory
--   c7 authorisedCapital
--   c8 paidUpCapital
--   c9 contribution
--   c10 registeredOn
--   c11 address
--   c12 registrar
--   c13 listing
--   c14 state
--   c15 origin
--   c16 nicCode
--   c17 industry
--   c18 email
--   c19 lastAgmOn
--   c20 balanceSheetOn
--   c21 district
--   c22 previousIds

-- Rows that the register was not last written from
SELECT s.ordinal, t.record_key, t.scope_name, t.as_of
       FROM (SELECT s.ordinal, hash_record_extended(ROW(s.c11,
         s.c7,
         s.c20,
         s.c5,
         s.c4,
         s.c9,
         s.c21,
         s.c18,
         s.c1,
         s.c17,
         s.c19,
         s.c13,
         s.c2,
         s.c16,
         s.c15,
         s.c8,
         s.c22,
         s.c10,
         s.c12,
         s.c14,
         s.c3,
         s.c6), 0) AS fingerprint FROM ingest.stage_0 s) s
         FULL JOIN (SELECT cin AS record_key, t.roc_code::text AS scope_name, as_of, fingerprint
                    FROM registry.company t WHERE closed_on IS NULL) t
              ON t.fingerprint = s.fingerprint
       WHERE s.ordinal IS NULL OR t.record_key IS NULL;

-- Check
SELECT checked.ordinal,
  checked.place,
  checked.fingerprint,
  checked.cin,
  checked.company_type,
  checked.name,
  checked.status,
  checked.status_source,
  checked.class,
  checked.category,
  checked.sub_category,
  checked.listed,
  checked.origin,
  checked.roc_code,
  checked.authorised_capital,
  checked.paid_up_capital,
  checked.incorporated_on,
  checked.registered_address,
  checked.city,
  checked.district,
  checked.state,
  checked.pincode,
  checked.emails,
  checked.email,
  checked.last_agm_on,
  checked.balance_sheet_on,
  checked.nic_code,
  checked.nic_vintage,
  checked.nic_description,
  checked.main_division,
  checked.main_division_description,
  checked.previous_cins,
  checked.name_key,
  checked.roc_code::text AS scope_name,
       CASE WHEN checked.cin IS NULL THEN 'cin_malformed'
            WHEN checked.name IS NULL THEN 'value_missing'
            WHEN checked.authorised_capital IS NULL AND checked.f_authorised_capital IS NOT NULL THEN 'amount_unreadable'
            WHEN checked.paid_up_capital IS NULL AND checked.f_paid_up_capital IS NOT NULL THEN 'amount_unreadable'
            WHEN checked.incorporated_on IS NULL AND ingest.ascii_form(checked.f_registered_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN 'date_unreadable'
            WHEN checked.last_agm_on IS NULL AND ingest.ascii_form(checked.f_last_agm_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN 'date_unreadable'
            WHEN checked.balance_sheet_on IS NULL AND ingest.ascii_form(checked.f_balance_sheet_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN 'date_unreadable' END AS fault,
       CASE WHEN checked.cin IS NULL THEN coalesce('"' || left(checked.f_id, 80) || '"', 'an empty cell') || ' is not a well-formed CIN, LLPIN, FLLPIN or FCRN'
            WHEN checked.name IS NULL THEN 'name is empty (name)'
            WHEN checked.authorised_capital IS NULL AND checked.f_authorised_capital IS NOT NULL THEN '"' || left(checked.f_authorised_capital, 80) || '" in authorised_capital is no amount in rupees; write it in digits, such as 100000 or 1,00,000.00'
            WHEN checked.paid_up_capital IS NULL AND checked.f_paid_up_capital IS NOT NULL THEN '"' || left(checked.f_paid_up_capital, 80) || '" in paid_up_capital is no amount in rupees; write it in digits, such as 100000 or 1,00,000.00'
            WHEN checked.incorporated_on IS NULL AND ingest.ascii_form(checked.f_registered_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN '"' || left(checked.f_registered_on, 80) || CASE WHEN ingest.ascii_form(checked.f_registered_on) ~ '^[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{2}(?:[T ][0-9:.]+)?$'
        THEN '" in incorporated_on has a year of two digits, which may be of either century; write it as YYYY-MM-DD'
        WHEN ingest.ascii_form(checked.f_registered_on) ~  E'^[1-9][0-9]{4}(?:\\.[0-9]+)?$'
        THEN '" in incorporated_on is a spreadsheet''s count of days; format the column as a date there, or write it as YYYY-MM-DD'
        ELSE '" in incorporated_on is no day, written YYYY-MM-DD' END
            WHEN checked.last_agm_on IS NULL AND ingest.ascii_form(checked.f_last_agm_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN '"' || left(checked.f_last_agm_on, 80) || CASE WHEN ingest.ascii_form(checked.f_last_agm_on) ~ '^[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{2}(?:[T ][0-9:.]+)?$'
        THEN '" in last_agm_on has a year of two digits, which may be of either century; write it as YYYY-MM-DD'
        WHEN ingest.ascii_form(checked.f_last_agm_on) ~  E'^[1-9][0-9]{4}(?:\\.[0-9]+)?$'
        THEN '" in last_agm_on is a spreadsheet''s count of days; format the column as a date there, or write it as YYYY-MM-DD'
        ELSE '" in last_agm_on is no day, written YYYY-MM-DD' END
            WHEN checked.balance_sheet_on IS NULL AND ingest.ascii_form(checked.f_balance_sheet_on) !~* '^(?:0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[T ][0:.]+)?|00?[-/. ](?:0?1|jan)[-/. ](?:19)?00|1900-01-00)$' THEN '"' || left(checked.f_balance_sheet_on, 80) || CASE WHEN ingest.ascii_form(checked.f_balance_sheet_on) ~ '^[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{2}(?:[T ][0-9:.]+)?$'
        THEN '" in balance_sheet_on has a year of two digits, which may be of either century; write it as YYYY-MM-DD'
        WHEN ingest.ascii_form(checked.f_balance_sheet_on) ~  E'^[1-9][0-9]{4}(?:\\.[0-9]+)?$'
        THEN '" in balance_sheet_on is a spreadsheet''s count of days; format the column as a date there, or write it as YYYY-MM-DD'
        ELSE '" in balance_sheet_on is no day, written YYYY-MM-DD' END END AS fault_message,
       nullif(concat_ws(' ', CASE WHEN checked.cin <> checked.f_id THEN concat_ws(' ', CASE WHEN length(ingest.bare_identifier(checked.f_id)) < length(regexp_replace(checked.f_id,
         '^=?["'']|"$',
         '',
         'g')) THEN 'company_id_spaces' END,
        CASE WHEN regexp_replace(checked.f_id, '^=?["'']|"$', '', 'g') <> checked.f_id THEN 'company_id_quotes' END,
        CASE WHEN checked.f_id <> upper(checked.f_id) THEN 'company_id_case' END,
        CASE WHEN checked.f_id <> ingest.ascii_form(checked.f_id) THEN 'company_id_script' END,
        CASE WHEN strpos(checked.cin, '-') > 0 AND strpos(checked.f_id, '-') = 0 THEN 'company_id_hyphen' END) END,
          CASE WHEN checked.pincode IS NULL AND (ingest.ascii_form(substring(checked.f_address FROM ',([^,]*)-India$')) ~ '[1-9]') THEN 'pincode_dropped' END,
          CASE WHEN checked.f_previous_ids IS NOT NULL
      AND coalesce(cardinality(checked.previous_cins), 0) < cardinality(regexp_split_to_array(checked.f_previous_ids, '[,;|/]')) THEN 'previous_id_dropped' END), '') AS repair, checked.unread_emails
FROM (SELECT typed.*,
    registry.name_key(coalesce(typed.name, '')) AS name_key FROM (
  SELECT places.ordinal,
    places.place,
    places.fingerprint,
    places.f_address,
    places.f_state,
    places.f_id,
    places.f_district,
    places.f_name,
    places.f_status,
    places.f_class,
    places.f_category,
    places.f_sub_category,
    places.f_listing,
    places.f_origin,
    places.f_registrar,
    places.f_authorised_capital,
    places.f_paid_up_capital,
    places.f_registered_on,
    places.f_email,
    places.f_last_agm_on,
    places.f_balance_sheet_on,
    places.f_nic_code,
    places.f_industry,
    places.f_previous_ids,
    places.id_id AS cin,
    ingest.company_type(places.id_id) AS company_type,
    places.f_name AS name,
    places.word_status AS status,
    places.f_status AS status_source,
    places.word_class AS class,
    places.word_category AS category,
    places.f_sub_category AS sub_category,
    coalesce(places.word_listing, CASE WHEN length(places.id_id) = 21 THEN CASE left(places.id_id, 1) WHEN 'L' THEN 'Listed' ELSE 'Unlisted' END END) AS listed,
    places.f_origin AS origin,
    places.word_roc_code AS roc_code,
    ingest.read_amount(places.f_authorised_capital)::numeric(20, 2) AS authorised_capital,
    ingest.read_amount(places.f_paid_up_capital)::numeric(20, 2) AS paid_up_capital,
    places.d_registered_on AS incorporated_on,
    places.f_address AS registered_address,
    coalesce(ingest.place_name(CASE
         WHEN lower(btrim(places.a3, ' .-')) IN ('new ' || lower(places.state_name), 'old ' || lower(places.state_name)) THEN places.a3
         WHEN NOT places.a3_is_state AND (places.a3_district IS NOT NULL) IS NOT TRUE AND octet_length(places.a3) BETWEEN 3 AND 40 AND places.a3 !~ '[0-9]'
       AND lower(btrim(places.a3, ' .-')) <> lower(coalesce(places.state_name, ''))
       AND (strpos(places.a3, ' ') = 0 OR places.a3 !~* '^ *(north|south|east|west|central) +[^ ]+ *$') THEN places.a3
         WHEN octet_length(places.a4) BETWEEN 3 AND 40 AND places.a4 !~ '[0-9]'
       AND lower(btrim(places.a4, ' .-')) <> lower(coalesce(places.state_name, ''))
       AND (strpos(places.a4, ' ') = 0 OR places.a4 !~* '^ *(north|south|east|west|central) +[^ ]+ *$') THEN places.a4
         WHEN octet_length(places.a5) BETWEEN 3 AND 40 AND places.a5 !~ '[0-9]'
       AND lower(btrim(places.a5, ' .-')) <> lower(coalesce(places.state_name, ''))
       AND (strpos(places.a5, ' ') = 0 OR places.a5 !~* '^ *(north|south|east|west|central) +[^ ]+ *$') THEN places.a5 END, places.state_name), places.district_name) AS city,
    places.district_name AS district,
    places.state_name AS state,
    places.pin AS pincode,
    CASE WHEN places.plain_email_email IS NOT NULL THEN ARRAY[places.plain_email_email] END AS emails,
    CASE WHEN places.f_email IS NOT NULL AND coalesce(places.plain_email_email) IS NULL THEN ARRAY[places.f_email] END AS unread_emails,
    places.plain_email_email AS email,
    places.d_last_agm_on AS last_agm_on,
    places.d_balance_sheet_on AS balance_sheet_on,
    places.nic_digits::integer AS nic_code,
    CASE WHEN places.nic_digits IS NOT NULL THEN places.vintage::smallint END AS nic_vintage,
    coalesce(places.nic_sub_class, places.f_industry) AS nic_description,
    left(places.nic_digits, 2) AS main_division,
    coalesce(places.nic_division, places.f_industry) AS main_division_description,
    ingest.company_ids(places.f_previous_ids) AS previous_cins FROM (
    SELECT joined.*,
    coalesce(joined.pin_district,
      ingest.place_name(joined.f_district, NULL),
      joined.a3_district) AS district_name FROM (
      SELECT prepared.*,
    coalesce(coalesce(state_word.value, state_word_loose.value),
      coalesce(state_text.value, state_text_loose.value),
      pin_any.state,
      state_letters.value,
      prepared.f_state) AS state_name,
    coalesce(pin_named.district, pin_in_state.district,
                CASE WHEN pin_any.state IS NULL THEN pin_any.district END) AS pin_district,
    coalesce(a3_state.value, a3_state_loose.value) IS NOT NULL AS a3_is_state,
    a3_district.district AS a3_district,
    coalesce(coalesce(word_status.value, word_status_loose.value), prepared.f_status) AS word_status,
    coalesce(coalesce(word_class.value, word_class_loose.value), prepared.f_class) AS word_class,
    coalesce(coalesce(word_category.value, word_category_loose.value), prepared.f_category) AS word_category,
    coalesce(coalesce(word_listing.value, word_listing_loose.value), prepared.f_listing) AS word_listing,
    coalesce(coalesce(word_roc_code.value, word_roc_code_loose.value),
                CASE WHEN prepared.f_registrar ~* '^roc[-.\s]' THEN 'ROC ' || ingest.title_case(regexp_replace(prepared.f_registrar,
                  '^roc[-.\s]+',
                  '',
                  'i')) ELSE prepared.f_registrar END) AS word_roc_code,
    coalesce(CASE WHEN ingest.ascii_form(prepared.f_nic_code) ~ '^[0-9]{4,5}(\.0+)?$' THEN lpad(split_part(ingest.ascii_form(prepared.f_nic_code),
      '.',
      1),
      5,
      '0') END, CASE WHEN length(prepared.id_id) = 21 THEN substr(prepared.id_id,
      2,
      5) END,
    CASE WHEN ingest.ascii_form(prepared.f_nic_code) ~ '^[0-9]{1,3}(\.0+)?$' THEN lpad(split_part(ingest.ascii_form(prepared.f_nic_code),
      '.',
      1),
      greatest(length(split_part(ingest.ascii_form(prepared.f_nic_code), '.', 1)), 2),
      '0') END) AS nic_digits,
    CASE WHEN coalesce(extract(year FROM prepared.d_registered_on), CASE WHEN length(prepared.id_id) = 21 THEN substr(prepared.id_id,
      9,
      4)::integer END)
                 >= 2023 THEN 2008 ELSE 2004 END AS vintage,
    nic_sub_class.description AS nic_sub_class,
    nic_division.description AS nic_division FROM (
        SELECT cells.*,
    CASE WHEN f_address LIKE '%-India' THEN split_part(split_part(f_address, ',', -2), '   ', -1) END AS a2,
    CASE WHEN f_address LIKE '%-India' THEN split_part(split_part(f_address, ',', -3), '   ', -1) END AS a3,
    CASE WHEN f_address LIKE '%-India' THEN split_part(split_part(f_address, ',', -4), '   ', -1) END AS a4,
    CASE WHEN f_address LIKE '%-India' THEN split_part(split_part(f_address, ',', -5), '   ', -1) END AS a5,
    coalesce(ingest.read_pincode(split_part(f_address,
      ',',
      -1)), ingest.read_pincode(split_part(substring(f_address FROM '(?i)^(.*[0-9])[ ,.-]*(?:india|in)[ .]*$'),
      ',',
      -1))) AS pin,
    ingest.company_id(f_id) AS id_id,
    ingest.read_date(f_registered_on, 'undecided') AS d_registered_on,
    ingest.plain_email(f_email) AS plain_email_email,
    coalesce(ingest.read_date(f_last_agm_on, 'undecided'), ingest.year_end(f_last_agm_on)) AS d_last_agm_on,
    coalesce(ingest.read_date(f_balance_sheet_on, 'undecided'), ingest.year_end(f_balance_sheet_on)) AS d_balance_sheet_on FROM (
          SELECT s.ordinal,
            s.ctid AS place,
            hash_record_extended(ROW(s.c11,
              s.c7,
              s.c20,
              s.c5,
              s.c4,
              s.c9,
              s.c21,
              s.c18,
              s.c1,
              s.c17,
              s.c19,
              s.c13,
              s.c2,
              s.c16,
              s.c15,
              s.c8,
              s.c22,
              s.c10,
              s.c12,
              s.c14,
              s.c3,
              s.c6), 0) AS fingerprint,
            ingest.clean(s.c11) AS f_address,
            ingest.clean(s.c7) AS f_authorised_capital,
            ingest.clean(s.c20) AS f_balance_sheet_on,
            ingest.clean(s.c5) AS f_category,
            ingest.clean(s.c4) AS f_class,
            ingest.clean(s.c21) AS f_district,
            ingest.clean(s.c18) AS f_email,
            ingest.clean(s.c1) AS f_id,
            ingest.clean(s.c17) AS f_industry,
            ingest.clean(s.c19) AS f_last_agm_on,
            ingest.clean(s.c13) AS f_listing,
            ingest.clean(s.c2) AS f_name,
            ingest.clean(s.c16) AS f_nic_code,
            ingest.clean(s.c15) AS f_origin,
            ingest.clean(s.c8) AS f_paid_up_capital,
            ingest.clean(s.c22) AS f_previous_ids,
            ingest.clean(s.c10) AS f_registered_on,
            ingest.clean(s.c12) AS f_registrar,
            ingest.clean(s.c14) AS f_state,
            ingest.clean(s.c3) AS f_status,
            ingest.clean(s.c6) AS f_sub_category
          FROM ingest.stage_0 s  OFFSET '0') cells OFFSET '0') prepared
      LEFT JOIN ingest.alias state_word ON state_word.kind = 'exact state' AND state_word.key = prepared.f_state
      LEFT JOIN ingest.alias state_word_loose ON state_word_loose.kind = 'state' AND state_word_loose.key = CASE WHEN state_word.value IS NULL THEN ingest.word_key(prepared.f_state) END
      LEFT JOIN ingest.alias state_text ON state_text.kind = 'exact state' AND state_text.key = prepared.a2
      LEFT JOIN ingest.alias state_text_loose ON state_text_loose.kind = 'state' AND state_text_loose.key = CASE WHEN state_text.value IS NULL THEN ingest.word_key(prepared.a2) END
      LEFT JOIN ingest.alias state_letters ON state_letters.kind = 'registrar-letters' AND state_letters.key = substr(prepared.id_id,
        7,
        2)
      LEFT JOIN (SELECT DISTINCT ON (pincode) pincode,
        state,
        district FROM reference.pincode WHERE closed_on IS NULL AND district <> ''
                  ORDER BY pincode, offices DESC, id) pin_any ON pin_any.pincode = prepared.pin
      LEFT JOIN (SELECT DISTINCT ON (pincode, state) pincode,
        state,
        district FROM reference.pincode WHERE closed_on IS NULL
                  AND district <> '' AND state IS NOT NULL ORDER BY pincode, state, offices DESC, id) pin_in_state
         ON pin_in_state.pincode = prepared.pin AND pin_in_state.state = coalesce(coalesce(state_word.value, state_word_loose.value),
           coalesce(state_text.value, state_text_loose.value),
           pin_any.state,
           state_letters.value,
           prepared.f_state)
      LEFT JOIN (SELECT pincode, min(district) AS district FROM reference.pincode WHERE closed_on IS NULL
             GROUP BY pincode, lower(district)) pin_named
           ON pin_named.pincode = prepared.pin AND lower(pin_named.district) = lower(prepared.f_district)
      LEFT JOIN ingest.alias a3_state ON a3_state.kind = 'exact state' AND a3_state.key = prepared.a3
      LEFT JOIN ingest.alias a3_state_loose ON a3_state_loose.kind = 'state' AND a3_state_loose.key = CASE WHEN a3_state.value IS NULL THEN ingest.word_key(prepared.a3) END
      LEFT JOIN (SELECT min(district) AS district FROM reference.pincode WHERE closed_on IS NULL AND district <> '' GROUP BY lower(district)) a3_district
           ON lower(a3_district.district) = lower(btrim(prepared.a3))
      LEFT JOIN ingest.alias word_status ON word_status.kind = 'exact company-status' AND word_status.key = prepared.f_status
      LEFT JOIN ingest.alias word_status_loose ON word_status_loose.kind = 'company-status' AND word_status_loose.key = CASE WHEN word_status.value IS NULL THEN ingest.word_key(prepared.f_status) END
      LEFT JOIN ingest.alias word_class ON word_class.kind = 'exact class' AND word_class.key = prepared.f_class
      LEFT JOIN ingest.alias word_class_loose ON word_class_loose.kind = 'class' AND word_class_loose.key = CASE WHEN word_class.value IS NULL THEN ingest.word_key(prepared.f_class) END
      LEFT JOIN ingest.alias word_category ON word_category.kind = 'exact category' AND word_category.key = prepared.f_category
      LEFT JOIN ingest.alias word_category_loose ON word_category_loose.kind = 'category' AND word_category_loose.key = CASE WHEN word_category.value IS NULL THEN ingest.word_key(prepared.f_category) END
      LEFT JOIN ingest.alias word_listing ON word_listing.kind = 'exact listing' AND word_listing.key = prepared.f_listing
      LEFT JOIN ingest.alias word_listing_loose ON word_listing_loose.kind = 'listing' AND word_listing_loose.key = CASE WHEN word_listing.value IS NULL THEN ingest.word_key(prepared.f_listing) END
      LEFT JOIN ingest.alias word_roc_code ON word_roc_code.kind = 'exact registrar' AND word_roc_code.key = prepared.f_registrar
      LEFT JOIN ingest.alias word_roc_code_loose ON word_roc_code_loose.kind = 'registrar' AND word_roc_code_loose.key = CASE WHEN word_roc_code.value IS NULL THEN ingest.word_key(prepared.f_registrar) END
      LEFT JOIN reference.nic nic_sub_class ON nic_sub_class.closed_on IS NULL AND nic_sub_class.id =
       CASE WHEN coalesce(extract(year FROM prepared.d_registered_on), CASE WHEN length(prepared.id_id) = 21 THEN substr(prepared.id_id,
         9,
         4)::integer END)
                 >= 2023 THEN 2008 ELSE 2004 END || ':' || coalesce(CASE WHEN ingest.ascii_form(prepared.f_nic_code) ~ '^[0-9]{4,5}(\.0+)?$' THEN lpad(split_part(ingest.ascii_form(prepared.f_nic_code),
                   '.',
                   1),
                   5,
                   '0') END, CASE WHEN length(prepared.id_id) = 21 THEN substr(prepared.id_id,
                   2,
                   5) END,
    CASE WHEN ingest.ascii_form(prepared.f_nic_code) ~ '^[0-9]{1,3}(\.0+)?$' THEN lpad(split_part(ingest.ascii_form(prepared.f_nic_code),
      '.',
      1),
      greatest(length(split_part(ingest.ascii_form(prepared.f_nic_code), '.', 1)), 2),
      '0') END)
      LEFT JOIN reference.nic nic_division ON nic_division.closed_on IS NULL AND nic_division.id =
       CASE WHEN coalesce(extract(year FROM prepared.d_registered_on), CASE WHEN length(prepared.id_id) = 21 THEN substr(prepared.id_id,
         9,
         4)::integer END)
                 >= 2023 THEN 2008 ELSE 2004 END || ':' || left(coalesce(CASE WHEN ingest.ascii_form(prepared.f_nic_code) ~ '^[0-9]{4,5}(\.0+)?$' THEN lpad(split_part(ingest.ascii_form(prepared.f_nic_code),
                   '.',
                   1),
                   5,
                   '0') END, CASE WHEN length(prepared.id_id) = 21 THEN substr(prepared.id_id,
                   2,
                   5) END,
    CASE WHEN ingest.ascii_form(prepared.f_nic_code) ~ '^[0-9]{1,3}(\.0+)?$' THEN lpad(split_part(ingest.ascii_form(prepared.f_nic_code),
      '.',
      1),
      greatest(length(split_part(ingest.ascii_form(prepared.f_nic_code), '.', 1)), 2),
      '0') END), 2) OFFSET '0') joined OFFSET '0') places OFFSET '0') typed OFFSET '0') checked;

-- Write what is new and what changed
-- Invariant: an identifier is inserted into the register once. A row is written only if a covered column changed or a
-- closed record reappeared. Each write adds exactly one history row, with the changed fields before and after if there
-- was a record. A row that a newer file changed or a newer delta confirmed is skipped, and so is one that a newer
-- snapshot of its own partition contained, whatever partition an older file claims for it. The source's advisory lock excludes other
-- writers of the register, so neither the absence of a row nor its place can become stale. ctids are unique only within
-- one physical partition of the table. New rows are sorted by key, so that the indexes are filled in order.
WITH found AS MATERIALIZED (
  SELECT c.cin AS record_key, t.tableoid AS stored_in, t.ctid AS place, t.closed_on AS closed_before,
         c.company_type AS company_type,
           c.name AS name,
           c.status AS status,
           c.status_source AS status_source,
           c.class AS class,
           c.category AS category,
           c.sub_category AS sub_category,
           c.listed AS listed,
           c.origin AS origin,
           c.roc_code AS roc_code,
           c.authorised_capital AS authorised_capital,
           c.paid_up_capital AS paid_up_capital,
           c.incorporated_on AS incorporated_on,
           c.registered_address AS registered_address,
           c.city AS city,
           c.district AS district,
           c.state AS state,
           c.pincode AS pincode,
           c.emails AS emails,
           c.email AS email,
           c.last_agm_on AS last_agm_on,
           c.balance_sheet_on AS balance_sheet_on,
           c.nic_code AS nic_code,
           CASE WHEN t.cin IS NOT NULL AND (c.nic_vintage IS NULL AND c.nic_code IS NOT NULL) THEN t.nic_vintage ELSE c.nic_vintage END AS nic_vintage,
           c.nic_description AS nic_description,
           c.main_division AS main_division,
           c.main_division_description AS main_division_description,
           c.previous_cins AS previous_cins,
           c.name_key AS name_key,
         c.fingerprint, c.ordinal,
         CASE WHEN t.cin IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.company_type IS DISTINCT FROM c.company_type
              THEN '"company_type":' || coalesce(to_json(t.company_type)::text, 'null') END, CASE WHEN t.name IS DISTINCT FROM c.name
              THEN '"name":' || coalesce(to_json(t.name)::text, 'null') END, CASE WHEN t.status IS DISTINCT FROM c.status
              THEN '"status":' || coalesce(to_json(t.status)::text, 'null') END, CASE WHEN t.status_source IS DISTINCT FROM c.status_source
              THEN '"status_source":' || coalesce(to_json(t.status_source)::text, 'null') END, CASE WHEN t.class IS DISTINCT FROM c.class
              THEN '"class":' || coalesce(to_json(t.class)::text, 'null') END, CASE WHEN t.category IS DISTINCT FROM c.category
              THEN '"category":' || coalesce(to_json(t.category)::text, 'null') END, CASE WHEN t.sub_category IS DISTINCT FROM c.sub_category
              THEN '"sub_category":' || coalesce(to_json(t.sub_category)::text, 'null') END, CASE WHEN t.listed IS DISTINCT FROM c.listed
              THEN '"listed":' || coalesce(to_json(t.listed)::text, 'null') END, CASE WHEN t.origin IS DISTINCT FROM c.origin
              THEN '"origin":' || coalesce(to_json(t.origin)::text, 'null') END, CASE WHEN t.roc_code IS DISTINCT FROM c.roc_code
              THEN '"roc_code":' || coalesce(to_json(t.roc_code)::text, 'null') END, CASE WHEN t.authorised_capital IS DISTINCT FROM c.authorised_capital
              THEN '"authorised_capital":' || coalesce(to_json(t.authorised_capital)::text, 'null') END, CASE WHEN t.paid_up_capital IS DISTINCT FROM c.paid_up_capital
              THEN '"paid_up_capital":' || coalesce(to_json(t.paid_up_capital)::text, 'null') END, CASE WHEN t.incorporated_on IS DISTINCT FROM c.incorporated_on
              THEN '"incorporated_on":' || coalesce(to_json(t.incorporated_on)::text, 'null') END, CASE WHEN t.registered_address IS DISTINCT FROM c.registered_address
              THEN '"registered_address":' || coalesce(to_json(t.registered_address)::text, 'null') END, CASE WHEN t.city IS DISTINCT FROM c.city
              THEN '"city":' || coalesce(to_json(t.city)::text, 'null') END, CASE WHEN t.district IS DISTINCT FROM c.district
              THEN '"district":' || coalesce(to_json(t.district)::text, 'null') END, CASE WHEN t.state IS DISTINCT FROM c.state
              THEN '"state":' || coalesce(to_json(t.state)::text, 'null') END, CASE WHEN t.pincode IS DISTINCT FROM c.pincode
              THEN '"pincode":' || coalesce(to_json(t.pincode)::text, 'null') END, CASE WHEN t.emails IS DISTINCT FROM c.emails
              THEN '"emails":' || coalesce(to_json(t.emails)::text, 'null') END, CASE WHEN t.email IS DISTINCT FROM c.email
              THEN '"email":' || coalesce(to_json(t.email)::text, 'null') END, CASE WHEN t.last_agm_on IS DISTINCT FROM c.last_agm_on
              THEN '"last_agm_on":' || coalesce(to_json(t.last_agm_on)::text, 'null') END, CASE WHEN t.balance_sheet_on IS DISTINCT FROM c.balance_sheet_on
              THEN '"balance_sheet_on":' || coalesce(to_json(t.balance_sheet_on)::text, 'null') END, CASE WHEN t.nic_code IS DISTINCT FROM c.nic_code
              THEN '"nic_code":' || coalesce(to_json(t.nic_code)::text, 'null') END, CASE WHEN t.nic_vintage IS DISTINCT FROM CASE WHEN t.cin IS NOT NULL AND (c.nic_vintage IS NULL AND c.nic_code IS NOT NULL) THEN t.nic_vintage ELSE c.nic_vintage END
              THEN '"nic_vintage":' || coalesce(to_json(t.nic_vintage)::text, 'null') END, CASE WHEN t.nic_description IS DISTINCT FROM c.nic_description
              THEN '"nic_description":' || coalesce(to_json(t.nic_description)::text, 'null') END, CASE WHEN t.main_division IS DISTINCT FROM c.main_division
              THEN '"main_division":' || coalesce(to_json(t.main_division)::text, 'null') END, CASE WHEN t.main_division_description IS DISTINCT FROM c.main_division_description
              THEN '"main_division_description":' || coalesce(to_json(t.main_division_description)::text, 'null') END, CASE WHEN t.previous_cins IS DISTINCT FROM c.previous_cins
              THEN '"previous_cins":' || coalesce(to_json(t.previous_cins)::text, 'null') END) || '}')::jsonb END AS before,
         CASE WHEN t.cin IS NOT NULL THEN ('{' || concat_ws(',', CASE WHEN t.company_type IS DISTINCT FROM c.company_type
              THEN '"company_type":' || coalesce(to_json(c.company_type)::text, 'null') END, CASE WHEN t.name IS DISTINCT FROM c.name
              THEN '"name":' || coalesce(to_json(c.name)::text, 'null') END, CASE WHEN t.status IS DISTINCT FROM c.status
              THEN '"status":' || coalesce(to_json(c.status)::text, 'null') END, CASE WHEN t.status_source IS DISTINCT FROM c.status_source
              THEN '"status_source":' || coalesce(to_json(c.status_source)::text, 'null') END, CASE WHEN t.class IS DISTINCT FROM c.class
              THEN '"class":' || coalesce(to_json(c.class)::text, 'null') END, CASE WHEN t.category IS DISTINCT FROM c.category
              THEN '"category":' || coalesce(to_json(c.category)::text, 'null') END, CASE WHEN t.sub_category IS DISTINCT FROM c.sub_category
              THEN '"sub_category":' || coalesce(to_json(c.sub_category)::text, 'null') END, CASE WHEN t.listed IS DISTINCT FROM c.listed
              THEN '"listed":' || coalesce(to_json(c.listed)::text, 'null') END, CASE WHEN t.origin IS DISTINCT FROM c.origin
              THEN '"origin":' || coalesce(to_json(c.origin)::text, 'null') END, CASE WHEN t.roc_code IS DISTINCT FROM c.roc_code
              THEN '"roc_code":' || coalesce(to_json(c.roc_code)::text, 'null') END, CASE WHEN t.authorised_capital IS DISTINCT FROM c.authorised_capital
              THEN '"authorised_capital":' || coalesce(to_json(c.authorised_capital)::text, 'null') END, CASE WHEN t.paid_up_capital IS DISTINCT FROM c.paid_up_capital
              THEN '"paid_up_capital":' || coalesce(to_json(c.paid_up_capital)::text, 'null') END, CASE WHEN t.incorporated_on IS DISTINCT FROM c.incorporated_on
              THEN '"incorporated_on":' || coalesce(to_json(c.incorporated_on)::text, 'null') END, CASE WHEN t.registered_address IS DISTINCT FROM c.registered_address
              THEN '"registered_address":' || coalesce(to_json(c.registered_address)::text, 'null') END, CASE WHEN t.city IS DISTINCT FROM c.city
              THEN '"city":' || coalesce(to_json(c.city)::text, 'null') END, CASE WHEN t.district IS DISTINCT FROM c.district
              THEN '"district":' || coalesce(to_json(c.district)::text, 'null') END, CASE WHEN t.state IS DISTINCT FROM c.state
              THEN '"state":' || coalesce(to_json(c.state)::text, 'null') END, CASE WHEN t.pincode IS DISTINCT FROM c.pincode
              THEN '"pincode":' || coalesce(to_json(c.pincode)::text, 'null') END, CASE WHEN t.emails IS DISTINCT FROM c.emails
              THEN '"emails":' || coalesce(to_json(c.emails)::text, 'null') END, CASE WHEN t.email IS DISTINCT FROM c.email
              THEN '"email":' || coalesce(to_json(c.email)::text, 'null') END, CASE WHEN t.last_agm_on IS DISTINCT FROM c.last_agm_on
              THEN '"last_agm_on":' || coalesce(to_json(c.last_agm_on)::text, 'null') END, CASE WHEN t.balance_sheet_on IS DISTINCT FROM c.balance_sheet_on
              THEN '"balance_sheet_on":' || coalesce(to_json(c.balance_sheet_on)::text, 'null') END, CASE WHEN t.nic_code IS DISTINCT FROM c.nic_code
              THEN '"nic_code":' || coalesce(to_json(c.nic_code)::text, 'null') END, CASE WHEN t.nic_vintage IS DISTINCT FROM CASE WHEN t.cin IS NOT NULL AND (c.nic_vintage IS NULL AND c.nic_code IS NOT NULL) THEN t.nic_vintage ELSE c.nic_vintage END
              THEN '"nic_vintage":' || coalesce(to_json(CASE WHEN t.cin IS NOT NULL AND (c.nic_vintage IS NULL AND c.nic_code IS NOT NULL) THEN t.nic_vintage ELSE c.nic_vintage END)::text, 'null') END, CASE WHEN t.nic_description IS DISTINCT FROM c.nic_description
              THEN '"nic_description":' || coalesce(to_json(c.nic_description)::text, 'null') END, CASE WHEN t.main_division IS DISTINCT FROM c.main_division
              THEN '"main_division":' || coalesce(to_json(c.main_division)::text, 'null') END, CASE WHEN t.main_division_description IS DISTINCT FROM c.main_division_description
              THEN '"main_division_description":' || coalesce(to_json(c.main_division_description)::text, 'null') END, CASE WHEN t.previous_cins IS DISTINCT FROM c.previous_cins
              THEN '"previous_cins":' || coalesce(to_json(c.previous_cins)::text, 'null') END) || '}')::jsonb END AS after
  FROM ingest.checked_0 c LEFT JOIN registry.company t ON t.cin = c.cin
  WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]))
    AND (t.cin IS NULL OR NOT (coalesce(t.roc_code::text, '*') = ANY($3::text[]))
                 AND (t.closed_on IS NOT NULL OR t.company_type IS DISTINCT FROM c.company_type OR t.name IS DISTINCT FROM c.name OR t.status IS DISTINCT FROM c.status OR t.status_source IS DISTINCT FROM c.status_source OR t.class IS DISTINCT FROM c.class OR t.category IS DISTINCT FROM c.category OR t.sub_category IS DISTINCT FROM c.sub_category OR t.listed IS DISTINCT FROM c.listed OR t.origin IS DISTINCT FROM c.origin OR t.roc_code IS DISTINCT FROM c.roc_code OR t.authorised_capital IS DISTINCT FROM c.authorised_capital OR t.paid_up_capital IS DISTINCT FROM c.paid_up_capital OR t.incorporated_on IS DISTINCT FROM c.incorporated_on OR t.registered_address IS DISTINCT FROM c.registered_address OR t.city IS DISTINCT FROM c.city OR t.district IS DISTINCT FROM c.district OR t.state IS DISTINCT FROM c.state OR t.pincode IS DISTINCT FROM c.pincode OR t.emails IS DISTINCT FROM c.emails OR t.email IS DISTINCT FROM c.email OR t.last_agm_on IS DISTINCT FROM c.last_agm_on OR t.balance_sheet_on IS DISTINCT FROM c.balance_sheet_on OR t.nic_code IS DISTINCT FROM c.nic_code OR t.nic_vintage IS DISTINCT FROM CASE WHEN t.cin IS NOT NULL AND (c.nic_vintage IS NULL AND c.nic_code IS NOT NULL) THEN t.nic_vintage ELSE c.nic_vintage END OR t.nic_description IS DISTINCT FROM c.nic_description OR t.main_division IS DISTINCT FROM c.main_division OR t.main_division_description IS DISTINCT FROM c.main_division_description OR t.previous_cins IS DISTINCT FROM c.previous_cins) AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'company' AND seen.identifier = t.cin AND seen.as_of > $2::date)))
), updated AS (
  UPDATE registry.company t
  SET company_type = found.company_type,
    name = found.name,
    status = found.status,
    status_source = found.status_source,
    class = found.class,
    category = found.category,
    sub_category = found.sub_category,
    listed = found.listed,
    origin = found.origin,
    roc_code = found.roc_code,
    authorised_capital = found.authorised_capital,
    paid_up_capital = found.paid_up_capital,
    incorporated_on = found.incorporated_on,
    registered_address = found.registered_address,
    city = found.city,
    district = found.district,
    state = found.state,
    pincode = found.pincode,
    emails = found.emails,
    email = found.email,
    last_agm_on = found.last_agm_on,
    balance_sheet_on = found.balance_sheet_on,
    nic_code = found.nic_code,
    nic_vintage = found.nic_vintage,
    nic_description = found.nic_description,
    main_division = found.main_division,
    main_division_description = found.main_division_description,
    previous_cins = found.previous_cins,
    name_key = found.name_key,
      fingerprint = found.fingerprint, closed_on = NULL, last_run_id = $1::bigint, as_of = $2::date
  FROM found WHERE t.ctid = found.place AND t.tableoid = found.stored_in
  RETURNING 1
), inserted AS (
  INSERT INTO registry.company AS t (cin,
    company_type,
    name,
    status,
    status_source,
    class,
    category,
    sub_category,
    listed,
    origin,
    roc_code,
    authorised_capital,
    paid_up_capital,
    incorporated_on,
    registered_address,
    city,
    district,
    state,
    pincode,
    emails,
    email,
    last_agm_on,
    balance_sheet_on,
    nic_code,
    nic_vintage,
    nic_description,
    main_division,
    main_division_description,
    previous_cins,
    name_key,
    fingerprint,
    first_run_id,
    last_run_id,
    as_of)
  SELECT record_key,
    company_type,
    name,
    status,
    status_source,
    class,
    category,
    sub_category,
    listed,
    origin,
    roc_code,
    authorised_capital,
    paid_up_capital,
    incorporated_on,
    registered_address,
    city,
    district,
    state,
    pincode,
    emails,
    email,
    last_agm_on,
    balance_sheet_on,
    nic_code,
    nic_vintage,
    nic_description,
    main_division,
    main_division_description,
    previous_cins,
    name_key,
         fingerprint, $1::bigint, $1::bigint, $2::date
  FROM found WHERE place IS NULL ORDER BY record_key
  RETURNING 1
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no, before, after)
  SELECT 'company', record_key, $1::bigint,
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
  AND NOT EXISTS (SELECT FROM ingest.checked_0 c WHERE c.cin = absent.record_key)
  AND NOT EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'company' AND seen.identifier = absent.record_key AND seen.as_of > :as_of);

-- Close what is absent
-- Invariant: only open records are closed, each with one history row.
WITH closed AS (
  UPDATE registry.company t SET closed_on = $2::date, last_run_id = $1::bigint, as_of = $2::date
  FROM closing WHERE t.cin = closing.record_key AND t.closed_on IS NULL
  RETURNING t.cin AS record_key
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT 'company', record_key, $1::bigint, 'close', $2::date, '{"closed_on": null}',
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
UPDATE registry.company t SET fingerprint = same.fingerprint
FROM (SELECT t.cin AS record_key, c.fingerprint
      FROM registry.company t JOIN ingest.checked_0 c ON c.cin = t.cin
      WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint
        AND NOT (t.as_of > $2::date OR EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = 'company' AND seen.identifier = t.cin AND seen.as_of > $2::date)) AND NOT (coalesce(t.roc_code::text, '*') = ANY($3::text[]))
        AND t.fingerprint IS DISTINCT FROM c.fingerprint
      LIMIT $4::bigint) same
WHERE t.cin = same.record_key;

-- Delta: store the day of what it found as it is
-- Invariant: the day of a confirmation never decreases, and is later than that of the record and of its partition.
INSERT INTO ingest.confirmation AS known (entity, identifier, run_id, as_of)
SELECT 'company', t.cin, $1::bigint, $2::date
FROM ingest.checked_0 c JOIN registry.company t ON t.cin = c.cin
WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint AND t.as_of < $2::date
  AND NOT EXISTS (SELECT FROM ingest.scope s
                  WHERE s.source = 'mca-companies' AND s.scope = coalesce(t.roc_code::text, '*') AND s.as_of >= $2::date)
ON CONFLICT (entity, identifier) DO UPDATE
SET run_id = CASE WHEN known.as_of < excluded.as_of THEN excluded.run_id ELSE known.run_id END,
    others = (CASE WHEN known.as_of < excluded.as_of THEN known.run_id ELSE excluded.run_id END || known.others)[1:8],
    as_of = greatest(known.as_of, excluded.as_of);

-- First load: rows
INSERT INTO registry.shadow (cin,
  company_type,
  name,
  status,
  status_source,
  class,
  category,
  sub_category,
  listed,
  origin,
  roc_code,
  authorised_capital,
  paid_up_capital,
  incorporated_on,
  registered_address,
  city,
  district,
  state,
  pincode,
  emails,
  email,
  last_agm_on,
  balance_sheet_on,
  nic_code,
  nic_vintage,
  nic_description,
  main_division,
  main_division_description,
  previous_cins,
  name_key,
  fingerprint,
  first_run_id,
  last_run_id,
  as_of,
  insert_change_id,
  insert_record_no)
SELECT c.cin,
  c.company_type,
  c.name,
  c.status,
  c.status_source,
  c.class,
  c.category,
  c.sub_category,
  c.listed,
  c.origin,
  c.roc_code,
  c.authorised_capital,
  c.paid_up_capital,
  c.incorporated_on,
  c.registered_address,
  c.city,
  c.district,
  c.state,
  c.pincode,
  c.emails,
  c.email,
  c.last_agm_on,
  c.balance_sheet_on,
  c.nic_code,
  c.nic_vintage,
  c.nic_description,
  c.main_division,
  c.main_division_description,
  c.previous_cins,
  c.name_key,
  c.fingerprint,
  $1::bigint,
  $1::bigint,
  $2::date,
  nextval('ingest.change_change_id_seq'),
  c.ordinal::integer FROM ingest.checked_0 c WHERE c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]));
