-- Every address and number under which a record can be reached: of those that are known, what is not on the suppression list.
-- What an order may charge for, what a lead shows, what a filter by contact finds and what a quote counts is decided here
-- alone; `barred` ones are left out beside by accounts whose contact rules say so.
CREATE OR REPLACE FUNCTION registry.ways_to_reach(of_entity text, of_identifier text)
RETURNS TABLE (kind text, value text, origin text, as_of date, run_id bigint, place bigint, barred boolean)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT way.kind, way.value, way.origin, way.as_of, way.run_id, way.place, way.barred
  FROM registry.ways_known(of_entity, of_identifier) AS way WHERE NOT way.suppressed
$$;
