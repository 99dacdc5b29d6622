-- The rows of a query, with the rights of whoever asks it. PostgreSQL plans a query in here to run in parallel, and no INSERT ... SELECT.
CREATE OR REPLACE FUNCTION ingest.rows_of(query text) RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE query;
END $$;
