-- Erases the registrations of people who trade under their own name and objected: register, contacts, history, and what accounts
-- watch. Of PANs that are on the suppression list alone, by their own entry, whatever the caller asks. Twice is once. A GSTIN is
-- two digits of the state, the PAN and three characters more: looked for so, the indexes serve.
CREATE OR REPLACE FUNCTION registry.erase_proprietors(pans text[]) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  stems text[];
  gstins text[];
BEGIN
  SELECT array_agg(lpad(state::text, 2, '0') || asked) INTO stems
  FROM unnest(pans) AS asked
  JOIN access.suppression s ON s.kind = 'pan' AND s.hash = access.suppression_hash('pan', asked)
  CROSS JOIN generate_series(1, 99) AS state;
  SELECT array_agg(DISTINCT known.gstin) INTO gstins FROM unnest(stems) AS stem CROSS JOIN LATERAL (
    SELECT gstin FROM registry.gst_taxpayer WHERE gstin > stem AND gstin < stem || 'zzzz'
    UNION ALL
    SELECT identifier FROM registry.contact WHERE entity = 'gst' AND identifier > stem AND identifier < stem || 'zzzz'
    UNION ALL
    SELECT identifier FROM ingest.change WHERE entity = 'gst' AND identifier > stem AND identifier < stem || 'zzzz'
    UNION ALL
    SELECT substr(identifier, 5) FROM ingest.change
    WHERE entity = 'contact' AND identifier > 'gst:' || stem AND identifier < 'gst:' || stem || 'zzzz'
  ) AS known;
  IF gstins IS NULL THEN RETURN 0; END IF;
  DELETE FROM registry.gst_taxpayer WHERE gstin = ANY (gstins);
  DELETE FROM registry.contact WHERE entity = 'gst' AND identifier = ANY (gstins);
  DELETE FROM ingest.change WHERE entity = 'gst' AND identifier = ANY (gstins);
  DELETE FROM ingest.change WHERE entity = 'contact' AND identifier IN (SELECT 'gst:' || g FROM unnest(gstins) AS g);
  DELETE FROM ingest.confirmation WHERE entity = 'gst' AND identifier = ANY (gstins);
  DELETE FROM ingest.confirmation WHERE entity = 'contact' AND identifier IN (SELECT 'gst:' || g FROM unnest(gstins) AS g);
  DELETE FROM access.watchlist_entity WHERE identifier = ANY (gstins);
  UPDATE registry.version SET version = version + 1, changed_at = now() WHERE entity = 'gst';
  RETURN cardinality(gstins);
END $$;
