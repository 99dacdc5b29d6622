-- The counter of a series begins with 1 and goes one by one.
CREATE OR REPLACE FUNCTION orders.guard_counter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.last <> 1
     OR TG_OP = 'UPDATE' AND (NEW.series, NEW.financial_year, NEW.last)
                             IS DISTINCT FROM (OLD.series, OLD.financial_year, OLD.last + 1) THEN
    RAISE EXCEPTION 'numbers of documents go one by one' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
