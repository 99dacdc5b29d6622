-- Which registers are counted in feed.industry_count, and by which of their columns: the state, the status, and what industry is: of
-- a company the words of its NIC code, of a GST registration each heading of its HSN codes, and apart from these each of the codes. `beside`
-- is joined to a row of the register.
CREATE OR REPLACE FUNCTION feed.counted_industries(OUT register text, OUT dataset text, OUT columns text, OUT beside text)
RETURNS SETOF record LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  VALUES ('registry.company', 'company', 'state, status, nic_description', ''),
         ('registry.gst_taxpayer', 'gst', 'state, status, heading',
          'CROSS JOIN LATERAL (SELECT DISTINCT left(code, 4) AS heading FROM unnest(hsn_codes) AS code WHERE length(code) >= 4) AS held'),
         ('registry.gst_taxpayer', 'gst_code', 'state, status, code',
          'CROSS JOIN LATERAL (SELECT DISTINCT code FROM unnest(hsn_codes) AS code) AS held')
$$;
