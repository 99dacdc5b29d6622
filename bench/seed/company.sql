-- $1 companies. Each million of serial numbers has ownership letters of its own, so that no CIN comes twice.
INSERT INTO registry.company (cin, company_type, name, name_key, status, status_source, class, category, sub_category,
  listed, origin, roc_code, authorised_capital, paid_up_capital, incorporated_on, registered_address, city, district,
  state, pincode, nic_code, nic_vintage, nic_description, main_division, main_division_description, first_run_id,
  last_run_id, as_of)
SELECT 'U' || nic || letters || extract(year FROM day) || bench.pick('{PTC,PLC,OPC,NPL,GOI,FTC}'::text[], n / 1000000) || lpad((n % 1000000)::text, 6, '0'),
  'Company', upper(words) || ' PRIVATE LIMITED', words, status, status, class, 'Company limited by shares',
  'Non-government company', CASE WHEN n % 500 = 0 THEN 'Listed' ELSE 'Unlisted' END, 'Indian', 'ROC ' || state,
  capital * 2, capital, day, n % 900 || ', Church Road, ' || district || ', ' || state, district, district, state,
  bench.pincode(n), nic::integer, 2008, 'Other ' || bench.common_word(nic::integer % 44) || ' activities',
  left(nic, 2), 'Division ' || left(nic, 2), 1, 1, '2026-11-01'
FROM (
  SELECT n, bench.name_words(n, first, second, third, fourth) AS words, bench.day(n) AS day, bench.district(n) AS district,
    bench.state_name(bench.state(n)) AS state,
    bench.pick('{MH,DL,KA,TN,GJ,WB,TS,UP,HR,RJ,KL,MP,PB,BR,OR,GA}'::text[], bench.state(n)) AS letters,
    lpad(nic::text, 5, '0') AS nic,
    bench.pick('{Active,Active,Active,Active,Active,Active,"Struck Off","Struck Off","Struck Off","Under Liquidation"}'::text[], bench.draw(n, 13, 10)) AS status,
    bench.pick('{Private,Private,Private,Private,Private,Private,Private,Private,Public,"One Person Company"}'::text[], bench.draw(n, 14, 10)) AS class,
    round(10000 * power(1.12::float8, bench.skewed(n, 15, 120))) AS capital
  FROM (
    SELECT n, bench.skewed(n + 0, 1, 64000) AS first, bench.skewed(n + 0, 2, 64000) AS second,
      bench.skewed(n + 0, 3, 44) AS third, bench.skewed(n + 0, 4, 44) AS fourth,
      1110 + bench.skewed(n, 12, 400) * 237 AS nic
    FROM generate_series(1, $1::bigint) AS n OFFSET 0
  ) AS numbers
) AS drawn
