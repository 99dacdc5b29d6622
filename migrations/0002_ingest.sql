-- Runs, rejects, history and feeds: what ingest writes beside the registers. Staging tables live in this schema
-- too, one unlogged table per run named stage_<run_id>, dropped when the run ends.

CREATE SCHEMA ingest;

CREATE TABLE ingest.run (
  run_id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source                 text NOT NULL,
  input                  text NOT NULL,         -- path or address as given
  mode                   text NOT NULL CHECK (mode IN ('snapshot', 'delta')),
  as_of                  date NOT NULL,
  force                  boolean NOT NULL DEFAULT false,
  status                 text NOT NULL CHECK (status IN ('queued', 'fetching', 'staging', 'checking', 'merging',
                           'needs_approval', 'succeeded', 'no_op', 'failed', 'discarded')),
  attempt                integer NOT NULL DEFAULT 0,   -- fencing token: a late attempt writes nothing
  sha256                 text,
  bytes                  bigint,
  header                 text[],
  covered                text[],                -- target columns that the file's header covers
  scopes                 text[],                -- for mca-companies the registrars in the file
  rows_read              bigint NOT NULL DEFAULT 0,
  inserted               bigint NOT NULL DEFAULT 0,
  updated                bigint NOT NULL DEFAULT 0,
  unchanged              bigint NOT NULL DEFAULT 0,
  closed                 bigint NOT NULL DEFAULT 0,
  rejected               bigint NOT NULL DEFAULT 0,
  progress               jsonb NOT NULL DEFAULT '{}',  -- live: step, bytes_read, bytes_total, rows
  report                 jsonb NOT NULL DEFAULT '{}',  -- rejects by code, healings, unknown values, drift, seconds by step
  error                  jsonb,                 -- {code, message} of a failed run; reasons of needs_approval
  approved_at            timestamptz,           -- an operator let a suspicious run through its guards
  requested_by           text NOT NULL DEFAULT 'operator',
  created_at             timestamptz NOT NULL DEFAULT now(),
  started_at             timestamptz,
  finished_at            timestamptz,
  seconds                double precision,
  CHECK (status <> 'succeeded' OR rows_read = inserted + updated + unchanged + rejected)
);
CREATE INDEX run_by_source ON ingest.run (source, run_id DESC);
CREATE INDEX run_by_content ON ingest.run (source, sha256) WHERE status = 'succeeded';
CREATE INDEX run_by_size ON ingest.run (source, bytes) WHERE status = 'succeeded';

-- The newest snapshot applied to each scope: an older one never overwrites it.
CREATE TABLE ingest.scope (
  source                 text NOT NULL,
  scope                  text NOT NULL,         -- a registrar; '*' where a source has one scope
  as_of                  date NOT NULL,
  run_id                 bigint NOT NULL REFERENCES ingest.run,
  PRIMARY KEY (source, scope)
);

CREATE TABLE ingest.reject (
  run_id                 bigint NOT NULL REFERENCES ingest.run ON DELETE CASCADE,
  line                   bigint NOT NULL,       -- first line of the record in the file, header = 1
  code                   text NOT NULL,
  message                text NOT NULL,
  raw                    text NOT NULL,
  PRIMARY KEY (run_id, line)
);

-- Field-level history. An insert stores no values: they are the present row with later changes undone.
CREATE TABLE ingest.change (
  change_id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity                 text NOT NULL,         -- company, gst, director, directorship, contact, tariff, …
  identifier             text NOT NULL,
  run_id                 bigint NOT NULL,
  kind                   text NOT NULL CHECK (kind IN ('insert', 'update', 'close', 'reopen')),
  as_of                  date NOT NULL,
  before                 jsonb,                 -- only the fields that changed
  after                  jsonb,
  changed_at             timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX change_by_record ON ingest.change (entity, identifier, change_id);
-- Runs of different sources may interleave, but a run's rows lie together: a block range index is enough.
CREATE INDEX change_by_run ON ingest.change USING brin (run_id) WITH (autosummarize = on);

-- The spellings of config/vocabularies.ts and config/states.ts, copied here before each run so that set-based
-- checks can join them. kind: state, state-code, registrar-letters, company-status, gst-status, …
CREATE TABLE ingest.alias (
  kind                   text NOT NULL,
  key                    text NOT NULL,         -- ingest.word_key of a spelling
  value                  text NOT NULL,         -- the one spelling that Panji answers with
  PRIMARY KEY (kind, key)
);

-- Days of the feed that a run touched, before and after: the windows of those days are counted again.
CREATE TABLE ingest.touched_day (
  run_id                 bigint NOT NULL REFERENCES ingest.run ON DELETE CASCADE,
  dataset                text NOT NULL,
  registered_on          date NOT NULL,
  PRIMARY KEY (run_id, dataset, registered_on)
);

-- Recently registered records: a narrow projection of the registers, kept in step by every merge.
CREATE SCHEMA feed;

CREATE TABLE feed.registration (
  dataset                text NOT NULL CHECK (dataset IN ('gst', 'company', 'director')),
  identifier             text NOT NULL,
  registered_on          date NOT NULL,
  state                  text,
  district               text,
  pincode                text,
  status                 text,
  business_type          text,
  name_key               text NOT NULL,
  PRIMARY KEY (dataset, identifier)
);
CREATE INDEX registration_by_day ON feed.registration (dataset, registered_on DESC, identifier);
CREATE INDEX registration_by_state ON feed.registration (dataset, state, registered_on DESC, identifier);

-- Counts within one entitlement's territory and window, recomputed after each merge that touches it.
CREATE TABLE feed.window_count (
  entitlement_id         uuid NOT NULL,
  state                  text NOT NULL,         -- '' where unknown
  registered_on          date NOT NULL,
  total                  bigint NOT NULL,
  PRIMARY KEY (entitlement_id, state, registered_on)
);

-- Rises by one with every merge; cached totals name the version they were counted at.
CREATE TABLE registry.version (
  entity                 text PRIMARY KEY,
  version                bigint NOT NULL DEFAULT 0,
  run_id                 bigint,
  changed_at             timestamptz NOT NULL DEFAULT now()
);

-- Readers of single cells. Each answers null for what it cannot read and never throws, because one bad cell must
-- not stop a statement over millions of rows. src/domain/*.ts are their twins; tests hold the two together.

-- Trimmed text; null for empty cells and for NA in its spellings.
CREATE FUNCTION ingest.clean(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN octet_length(v) <= 8
     AND upper(btrim(v, E' \t\r\n')) IN ('', 'NA', 'N/A', 'N.A.', 'N.A', 'NULL', 'NIL', 'NONE', '-', '--', '.')
    THEN NULL
    ELSE nullif(btrim(v, E' \t\r\n'), '')
  END
$$;

-- The form in which spellings of a vocabulary are compared: small letters without spaces and punctuation.
CREATE FUNCTION ingest.word_key(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT replace(translate(lower(v), ' .,-_()''/', ''), '&', 'and')
$$;

-- Canonical CIN, LLPIN, FLLPIN or FCRN. What is canonical already is recognised in line; only the rest pays for a call.
CREATE FUNCTION ingest.company_id_mended(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  k text := upper(regexp_replace(v, '\s+', '', 'g'));
BEGIN
  IF k ~ '^F?[A-Z]{3}[0-9]{4}$' THEN k := left(k, -4) || '-' || right(k, 4); END IF;
  IF k ~ '^([LU][0-9]{5}[A-Z]{2}[0-9]{4}[A-Z]{3}[0-9]{6}|F?[A-Z]{3}-[0-9]{4}|F[0-9]{4,8})$' THEN RETURN k; END IF;
  RETURN NULL;
END
$$;
CREATE FUNCTION ingest.company_id(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN v ~ '^[LU][0-9]{5}[A-Z]{2}[0-9]{4}[A-Z]{3}[0-9]{6}$' THEN v
    ELSE ingest.company_id_mended(v)
  END
$$;

CREATE FUNCTION ingest.company_type(id text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN length(id) = 21 THEN 'Company'
    WHEN id LIKE '____-%' THEN 'Foreign LLP'
    WHEN id LIKE '___-%' THEN 'LLP'
    WHEN id IS NOT NULL THEN 'Foreign Company'
  END
$$;

-- DIN with its leading zeros, which spreadsheets strip.
CREATE FUNCTION ingest.din(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN v ~ '^[0-9]{1,8}$' AND v !~ '^0+$' THEN lpad(v, 8, '0') END
$$;

CREATE FUNCTION ingest.gstin_check_digit(first14 text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  b bytea := first14::bytea;
  c integer;
  total integer := 0;
BEGIN
  FOR i IN 0..13 LOOP
    c := get_byte(b, i);
    c := CASE WHEN c >= 65 THEN c - 55 ELSE c - 48 END;
    -- Twice a value of 18 or more carries over in base 36: 2v - 36 + 1.
    total := total + CASE WHEN i % 2 = 0 THEN c WHEN c < 18 THEN 2 * c ELSE 2 * c - 35 END;
  END LOOP;
  RETURN substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', (36 - total % 36) % 36 + 1, 1);
END
$$;

CREATE FUNCTION ingest.gstin_kind(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN v ~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z][Z1-9ABE-J][0-9A-Z]$' THEN 'normal'
    WHEN v ~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]C[0-9A-Z]$' THEN 'tcs'
    WHEN v ~ '^[0-9]{2}[A-Z]{4}[A-Z0-9][0-9]{4}[A-Z][1-9A-Z]D[0-9A-Z]$' THEN 'tds'
    WHEN v ~ '^99[0-9]{2}[A-Z]{3}[0-9]{5}OS[0-9A-Z]$' THEN 'oidar'
    WHEN v ~ '^[0-9]{4}[A-Z]{3}[0-9]{5}NR[0-9A-Z]$' THEN 'nrtp'
    WHEN v ~ '^[0-9]{4}[A-Z]{3}[0-9]{5}[UO]N[A-Z0-9]$' THEN 'uin'
    WHEN v ~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]GP$' THEN 'practitioner'
    WHEN v ~ '^[0-9]{2}[A-Z]{4}[0-9]{5}[A-Z][0-9]Z[0-9]$' THEN 'government'
    WHEN v ~ '^[0-9]{12}TMP$' THEN 'temporary'
  END
$$;

-- Canonical GSTIN of a known shape whose check digit holds. Temporary and practitioner numbers have none.
CREATE FUNCTION ingest.gstin(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  k text := v;
  kind text := ingest.gstin_kind(k);
BEGIN
  IF kind IS NULL THEN
    k := upper(regexp_replace(v, '\s+', '', 'g'));
    kind := ingest.gstin_kind(k);
  END IF;
  IF kind IS NULL THEN RETURN NULL; END IF;
  IF kind NOT IN ('temporary', 'practitioner') AND right(k, 1) <> ingest.gstin_check_digit(left(k, 14)) THEN
    RETURN NULL;
  END IF;
  RETURN k;
END
$$;

-- The PAN inside a GSTIN, where its kind is issued on one.
CREATE FUNCTION ingest.gstin_pan(gstin text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN substr(gstin, 3, 10) ~ '^[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z]$'
     AND ingest.gstin_kind(gstin) IN ('normal', 'tcs', 'tds')
    THEN substr(gstin, 3, 10)
  END
$$;

-- Code of goods without spaces. Codes have an even number of digits, and a spreadsheet takes zeros from the front alone:
-- five or seven digits have lost one.
CREATE FUNCTION ingest.hsn_code(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT substring(regexp_replace(regexp_replace(v, '\s', '', 'g'), '^([1-9](?:[0-9]{4}|[0-9]{6}))$', '0\1')
                   FROM '^(?:0[1-9]|[1-8][0-9]|9[0-8])(?:[0-9]{2}){0,3}$')
$$;

-- Code of services without spaces: chapter 99, heading or service.
CREATE FUNCTION ingest.sac_code(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT substring(regexp_replace(v, '\s', '', 'g') FROM '^99(?:[0-9]{2}){0,2}$')
$$;

-- A day that exists, from 1600 on, in the order that the source declares: ymd, dmy or mdy.
CREATE FUNCTION ingest.read_any_date(v text, field_order text) RETURNS date
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  y integer; m integer; d integer;
  parts text[];
BEGIN
  IF v ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' THEN
    y := left(v, 4)::integer; m := substr(v, 6, 2)::integer; d := right(v, 2)::integer;
  ELSE
    parts := regexp_match(v, '^([0-9]{1,4})[-/. ]([0-9]{1,2})[-/. ]([0-9]{1,4})(?:[T ][0-9:.]+Z?)?$');
    IF parts IS NULL THEN RETURN NULL; END IF;
    IF length(parts[1]) = 4 THEN
      y := parts[1]::integer; m := parts[2]::integer; d := parts[3]::integer;
    ELSIF length(parts[3]) <> 4 OR length(parts[1]) > 2 THEN
      RETURN NULL;
    ELSIF field_order = 'mdy' THEN
      m := parts[1]::integer; d := parts[2]::integer; y := parts[3]::integer;
    ELSE
      d := parts[1]::integer; m := parts[2]::integer; y := parts[3]::integer;
    END IF;
  END IF;
  IF y < 1600 OR m < 1 OR m > 12 OR d < 1 OR d > 31 THEN RETURN NULL; END IF;
  IF d > 28 AND d > (CASE
      WHEN m IN (4, 6, 9, 11) THEN 30
      WHEN m <> 2 THEN 31
      WHEN y % 4 = 0 AND (y % 100 <> 0 OR y % 400 = 0) THEN 29
      ELSE 28
    END) THEN RETURN NULL; END IF;
  RETURN make_date(y, m, d);
END
$$;
-- The common spelling, on a day that every month has, is read in line.
CREATE FUNCTION ingest.read_date(v text, field_order text) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN v ~ '^(1[6-9]|[2-9][0-9])[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$'
    THEN make_date(left(v, 4)::integer, substr(v, 6, 2)::integer, right(v, 2)::integer)
    ELSE ingest.read_any_date(v, field_order)
  END
$$;

-- Amounts in rupees: 100000, 1,00,000.00, 9E+9. Null beyond what numeric(20, 2) holds.
CREATE FUNCTION ingest.read_amount(v text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN v ~ '^[0-9]{1,17}(\.[0-9]{1,20})?$' THEN v::numeric
    WHEN v ~ '^[0-9]{1,3}(,[0-9]{2,3})*,[0-9]{3}(\.[0-9]{1,20})?$' AND length(v) <= 30
    THEN replace(v, ',', '')::numeric
    WHEN v ~ '^[0-9](\.[0-9]{1,20})?[eE]\+?(0?[0-9]|1[0-6])$' THEN v::numeric
  END
$$;

-- +91 and ten digits for an Indian mobile number in any of its spellings.
CREATE FUNCTION ingest.read_mobile(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '+91' || substring(regexp_replace(v, '[^0-9]', '', 'g') FROM '^(?:0|91|0091|091)?([6-9][0-9]{9})$')
$$;

-- The PIN of a cell or of an address's last part; 000000 is none.
CREATE FUNCTION ingest.read_pincode(v text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN v ~ '^[1-9][0-9]{5}($|-)' THEN left(v, 6)
    ELSE substring(replace(v, ' ', '') FROM '(?:^|[^0-9])([1-9][0-9]{5})(?:[^0-9]|$)')
  END
$$;

-- A place as written on a letter: "Vasco Da Gama". Edge punctuation and the trailing name of the state go.
-- PL/pgSQL, because a SQL function whose argument is long and used often is called anew for each row, at five times the cost.
CREATE FUNCTION ingest.place_name(v text, state text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  k text := btrim(v, ' .-''');
BEGIN
  IF right(lower(k), length(state) + 1) IN (' ' || lower(state), '-' || lower(state), '.' || lower(state)) THEN
    k := btrim(left(k, -length(state)), ' .-''');
  END IF;
  RETURN initcap(ingest.clean(k));
END
$$;

-- One record as CSV: what an operator mends and ingests again. Null marks an empty cell that was not quoted.
CREATE FUNCTION ingest.csv_line(VARIADIC cells text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(
    CASE
      WHEN cell IS NULL THEN ''
      WHEN cell = '' OR cell ~ '[",\r\n]' THEN '"' || replace(cell, '"', '""') || '"'
      ELSE cell
    END, ',' ORDER BY position)
  FROM unnest(cells) WITH ORDINALITY AS list(cell, position)
$$;
