-- The day of an instant in India, where the registers are published, invoices are issued and the ledger keeps its days.
CREATE OR REPLACE FUNCTION runtime.indian_day(at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (at AT TIME ZONE 'Asia/Kolkata')::date
$$;
