-- Writes an operator's schedule as runtime.keep_schedule does, for whoever may name addresses and no path of the machine.
CREATE OR REPLACE FUNCTION runtime.keep_address_schedule(
  by_name text, at_cron text, in_zone text, of_job text, with_payload jsonb) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF with_payload ->> 'input' !~* '^https?://' THEN
    RAISE EXCEPTION 'over HTTP a schedule reads an address, and no path' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN runtime.keep_schedule(by_name, at_cron, in_zone, of_job, with_payload);
END $$;
