-- $1 registrations. Their names are not those of the companies.
INSERT INTO registry.gst_taxpayer (gstin, kind, pan, legal_name, trade_name, name_key, status, status_source,
  taxpayer_type, constitution, registered_on, address, city, district, state_code, state, pincode, core_business,
  business_activities, hsn_codes, sac_codes, first_run_id, last_run_id, as_of)
SELECT code || pan || '1Z' || n % 10, 'normal', pan, upper(words), initcap(words), words, status, status, 'Regular',
  constitution, bench.day(n), n % 900 || ', Station Road, ' || district, district, district, code,
  bench.state_name(bench.state(n)), bench.pincode(n), 'Trader',
  ARRAY[bench.pick('{"Retail Business","Wholesale Business","Factory / Manufacturing",Export,"Supplier of Services"}'::text[], bench.skewed(n, 20, 5))],
  ARRAY[lpad((101 + bench.skewed(n, 21, 900) * 10)::text, 4, '0'), lpad((101 + bench.skewed(n, 22, 900) * 10)::text, 4, '0')],
  CASE WHEN n % 3 = 0 THEN ARRAY[(998311 + bench.skewed(n, 23, 40))::text] ELSE '{}'::text[] END, 1, 1, '2026-11-01'
FROM (
  SELECT n, bench.name_words(n, first, second, third, fourth) AS words, bench.district(n) AS district,
    lpad((27 - bench.state(n))::text, 2, '0') AS code,
    'A' || chr(66 + (n / 6760000)::integer) || chr(65 + (n / 260000 % 26)::integer) || CASE WHEN n % 2 = 0 THEN 'C' ELSE 'P' END || chr(65 + (n / 10000 % 26)::integer) || lpad((n % 10000)::text, 4, '0') || 'K' AS pan,
    bench.pick('{Active,Active,Active,Active,Active,Active,Active,Cancelled,Cancelled,Suspended}'::text[], bench.draw(n, 24, 10)) AS status,
    bench.pick('{Proprietorship,Proprietorship,Proprietorship,Partnership,"Private Limited Company"}'::text[], bench.draw(n, 25, 5)) AS constitution
  FROM (
    SELECT n, bench.skewed(n + 10000000, 1, 64000) AS first, bench.skewed(n + 10000000, 2, 64000) AS second,
      bench.skewed(n + 10000000, 3, 44) AS third, bench.skewed(n + 10000000, 4, 44) AS fourth
    FROM generate_series(1, $1::bigint) AS n OFFSET 0
  ) AS numbers
) AS drawn
