-- What the keys of accounts called, for whoever looks for the fault of a program. Not logged: a crash of the server may lose it.
CREATE UNLOGGED TABLE access.request_log (
  account_id             uuid NOT NULL,
  api_key_id             uuid NOT NULL,
  at                     timestamptz NOT NULL,
  method                 text NOT NULL,
  route                  text NOT NULL,          -- its pattern: no identifier and no token stands in it
  status                 smallint NOT NULL,
  error_code             text,
  ms                     integer NOT NULL,
  request_id             text NOT NULL
);
CREATE INDEX request_log_key ON access.request_log (api_key_id, at DESC);
CREATE INDEX request_log_at ON access.request_log (at);
