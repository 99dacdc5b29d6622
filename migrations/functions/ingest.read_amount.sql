-- Amounts in rupees: 100000, 1,00,000.00, 9E+9, Rs. 10,00,000/-. Null beyond what numeric(20, 2) holds. Plain digits, as most
-- files have them, are spared the regular expressions.
CREATE OR REPLACE FUNCTION ingest.read_amount(v text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN octet_length(v) <= 17 AND ascii(v) BETWEEN 48 AND 57 AND ltrim(v, '0123456789') IN ('', '.0', '.00') THEN v::numeric
    WHEN v ~ '^[0-9]{1,17}(\.[0-9]{1,20})?$' THEN v::numeric
    WHEN v ~ '^[0-9]{1,3}(,[0-9]{2,3})*,[0-9]{3}(\.[0-9]{1,20})?$' AND length(v) <= 30
    THEN replace(v, ',', '')::numeric
    WHEN v ~ '^[0-9](\.[0-9]{1,20})?[eE]\+?(0?[0-9]|1[0-6])$' THEN v::numeric
    ELSE ingest.marked_amount(v)
  END
$$;
