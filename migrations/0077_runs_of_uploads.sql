-- A run that was asked for over HTTP reads an upload or an address: a path of the machine comes from its terminal alone.
ALTER TABLE ingest.run ADD COLUMN over_http boolean NOT NULL DEFAULT false;
