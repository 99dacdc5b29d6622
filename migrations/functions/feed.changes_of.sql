-- The select of what a statement changed of the open records of a register, by some of their columns: one less for each that `went` out of it,
-- one more for each that `came` into it. `beside` is joined to a row.
CREATE OR REPLACE FUNCTION feed.changes_of(operation text, columns text, beside text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(format('SELECT %s, %s FROM %s %s WHERE closed_on IS NULL', columns, more, rows, beside), ' UNION ALL ' ORDER BY more)
  FROM (VALUES ('went', -1, '{UPDATE,DELETE}'::text[]), ('came', 1, '{INSERT,UPDATE}'::text[])) AS side (rows, more, operations)
  WHERE operation = ANY (operations)
$$;
