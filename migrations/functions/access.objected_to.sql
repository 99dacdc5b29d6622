-- Is the record that of a person who objected: a director by DIN, a registration of somebody who trades under the own name by PAN?
CREATE OR REPLACE FUNCTION access.objected_to(entity text, identifier text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT access.suppressed(CASE entity WHEN 'director' THEN 'din' WHEN 'gst' THEN 'pan' END,
                           CASE WHEN entity IN ('director', 'gst') THEN identifier END)
$$;
