-- Addresses of publishers that hold credentials: rows show them bare, and keep the whole sealed under the secret key.
ALTER TABLE ingest.run
  ADD COLUMN sealed_input text;                 -- base64; NULL where the input hides nothing
