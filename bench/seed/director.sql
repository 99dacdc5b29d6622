-- $1 directors.
INSERT INTO registry.director (din, first_name, last_name, full_name, name_key, status, approved_on, disqualified,
  nationality, gender, born_on, citizen_of_india, resident_of_india, district, state, country, pincode, first_run_id,
  last_run_id, as_of)
SELECT lpad(n::text, 8, '0'), initcap(first), initcap(last), initcap(first || ' ' || last), first || ' ' || last,
  'Approved', bench.day(n), 'No', 'Indian', CASE WHEN n % 3 = 0 THEN 'Female' ELSE 'Male' END,
  date '1960-01-01' + (n % 15000)::integer, 'Yes', 'Yes', bench.district(n), bench.state_name(bench.state(n)), 'India',
  bench.pincode(n), 1, 1, '2026-11-01'
FROM (
  SELECT n, bench.rare_word(first) AS first, bench.rare_word(last) AS last
  FROM (
    SELECT n, bench.skewed(n, 30, 20000) AS first, bench.skewed(n, 31, 20000) AS last
    FROM generate_series(1, $1::bigint) AS n OFFSET 0
  ) AS numbers
) AS drawn
