-- The contact of a record as a lead shows it, one row always: the best of each kind, and all of them with who collected
-- them, in which published file and when, and what their owner asked for. A second mobile stands in for a landline. With
-- `leave_out_barred`, contacts whose owner asked not to be contacted are not there.
CREATE OR REPLACE FUNCTION registry.contact_of(of_entity text, of_identifier text, leave_out_barred boolean)
RETURNS TABLE (email text, mobile text, phone text, website text, ways jsonb)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT best.emails[1], best.mobiles[1], coalesce(best.landlines[1], best.mobiles[2]), site.website, best.ways
  FROM (
    SELECT array_agg(way.value ORDER BY way.place) FILTER (WHERE way.kind = 'email') AS emails,
           array_agg(way.value ORDER BY way.place) FILTER (WHERE way.kind = 'mobile') AS mobiles,
           array_agg(way.value ORDER BY way.place) FILTER (WHERE way.kind = 'landline') AS landlines,
           coalesce(jsonb_agg(jsonb_build_object(
               'kind', way.kind, 'value', way.value, 'source', way.origin,
               'file', regexp_replace(run.input, '[?#].*$|^.*/(?=[^/]*$)', '', 'g'), 'sha256', run.sha256, 'day', way.as_of,
               'do_not_contact', way.barred, 'preferences', preference.list)
             ORDER BY way.kind, way.place), '[]') AS ways
    FROM registry.ways_to_reach(of_entity, of_identifier) AS way
    LEFT JOIN ingest.run ON run.run_id = way.run_id
    CROSS JOIN LATERAL (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
          'preference', stated.preference, 'list', stated.list, 'day', coalesce(stated.stated_on, stated.as_of))
        ORDER BY stated.id), '[]') AS list
      FROM registry.contact_preference AS stated
      WHERE stated.value = way.value AND stated.closed_on IS NULL
        AND (stated.expires_on IS NULL OR stated.expires_on >= runtime.indian_day(now()))
    ) AS preference
    WHERE NOT (leave_out_barred AND way.barred)
  ) AS best
  LEFT JOIN LATERAL (
    SELECT contact.website FROM registry.contact
    WHERE contact.entity = of_entity AND contact.identifier = of_identifier AND contact.closed_on IS NULL
      AND contact.website IS NOT NULL
    ORDER BY contact.as_of DESC, contact.id LIMIT 1
  ) AS site ON true
$$;
