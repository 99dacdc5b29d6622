-- Reports of runs count the columns that their source does not know, where they named them: a header line is text of the
-- input. Which names of earlier reports were known cannot be told here, so all of them are counted.
UPDATE ingest.run SET report = jsonb_set(report, '{header}', report->'header'
    || jsonb_build_object('extra', '[]'::jsonb, 'unknown', jsonb_array_length(report->'header'->'extra')))
WHERE jsonb_typeof(report->'header'->'extra') = 'array';
UPDATE ingest.run SET report = jsonb_set(report, '{header_drift}', report->'header_drift'
    || jsonb_build_object('added', '[]'::jsonb, 'unknown_added', jsonb_array_length(report->'header_drift'->'added'),
         'removed', '[]'::jsonb, 'unknown_removed', jsonb_array_length(report->'header_drift'->'removed')))
WHERE jsonb_typeof(report->'header_drift'->'added') = 'array';
