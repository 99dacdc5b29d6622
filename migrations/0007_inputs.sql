-- What a run knows of its input: by which version the server knows it again, and the folder it was dropped into.
ALTER TABLE ingest.run
  ADD COLUMN validators  jsonb,                 -- {url, etag, lastModified} of a file fetched by http(s)
  ADD COLUMN drop_folder text;                  -- the watched folder or pattern that the input was taken from

CREATE INDEX run_by_input ON ingest.run (source, input, run_id DESC) WHERE validators IS NOT NULL;
CREATE INDEX run_by_dropped_file ON ingest.run (input) WHERE drop_folder IS NOT NULL;
