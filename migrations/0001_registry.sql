-- The registers as Panji serves them: one row per identifier, written by ingest only, read by every other part.
-- Bookkeeping columns are the same in every table: first_run_id, last_run_id (the run that last changed the row),
-- as_of (date of the snapshot that last changed it), closed_on (absent from a later snapshot of its scope).

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE SCHEMA registry;

CREATE TABLE registry.company (
  cin                    text PRIMARY KEY,      -- CIN, LLPIN (AAC-3965), FLLPIN or FCRN, canonical spelling
  company_type           text NOT NULL,         -- Company, LLP, Foreign LLP, Foreign Company
  name                   text NOT NULL,
  name_key               text NOT NULL,         -- normalised for search: no legal form, punctuation, accents
  status                 text,                  -- API word: Active, Struck Off, …
  status_source          text,                  -- the registrar's own word: Strike Off
  class                  text,                  -- Private, Public, One Person Company
  category               text,
  sub_category           text,
  listed                 text,                  -- Listed, Unlisted
  origin                 text,                  -- Indian, Foreign
  roc_code               text,                  -- ROC Goa; also the scope of a snapshot
  authorised_capital     numeric(20, 2),        -- INR
  paid_up_capital        numeric(20, 2),        -- INR
  incorporated_on        date,
  registered_address     text,
  city                   text,
  district               text,
  state                  text,                  -- canonical spelling of the alias table
  pincode                text,
  email                  text,
  nic_code               integer,               -- the five digits as a number; padStart(5, '0') to print
  nic_vintage            smallint,              -- 2004 or 2008: the same digits mean different things
  nic_description        text,
  main_division          text,                  -- first two digits
  main_division_description text,
  last_agm_on            date,
  balance_sheet_on       date,
  first_run_id           bigint NOT NULL,
  last_run_id            bigint NOT NULL,
  as_of                  date NOT NULL,
  closed_on              date
);
CREATE INDEX company_incorporated ON registry.company (incorporated_on DESC, cin);
CREATE INDEX company_state_city ON registry.company (state, city);
CREATE INDEX company_paid_up_capital ON registry.company (paid_up_capital);
CREATE INDEX company_roc ON registry.company (roc_code);
CREATE INDEX company_nic ON registry.company (nic_code);
CREATE INDEX company_name_prefix ON registry.company (name_key text_pattern_ops);
CREATE INDEX company_name_words ON registry.company USING gin (to_tsvector('simple', name_key));

CREATE TABLE registry.gst_taxpayer (
  gstin                  text PRIMARY KEY,
  kind                   text NOT NULL,         -- normal, government, tds, tcs, nrtp, oidar, uin, temporary, practitioner
  pan                    text,                  -- embedded PAN where the kind has one
  legal_name             text,
  trade_name             text,
  name_key               text NOT NULL,
  status                 text,                  -- API word: Active, Cancelled, Suspended, …
  status_source          text,                  -- Cancelled suo-moto
  taxpayer_type          text,
  constitution           text,
  registered_on          date,
  cancelled_on           date,
  address                text,
  city                   text,
  district               text,
  state_code             text,                  -- first two characters
  state                  text,
  pincode                text,
  core_business          text,
  business_activities    text[] NOT NULL DEFAULT '{}',
  hsn_codes              text[] NOT NULL DEFAULT '{}',
  sac_codes              text[] NOT NULL DEFAULT '{}',
  state_jurisdiction     text,
  centre_jurisdiction    text,
  first_run_id           bigint NOT NULL,
  last_run_id            bigint NOT NULL,
  as_of                  date NOT NULL,
  closed_on              date
);
CREATE INDEX gst_registered ON registry.gst_taxpayer (registered_on DESC, gstin);
CREATE INDEX gst_pan ON registry.gst_taxpayer (pan);
CREATE INDEX gst_state_district ON registry.gst_taxpayer (state, district);
CREATE INDEX gst_name_prefix ON registry.gst_taxpayer (name_key text_pattern_ops);
CREATE INDEX gst_name_words ON registry.gst_taxpayer USING gin (to_tsvector('simple', name_key));
-- Finds the registrations of a company or LLP by its legal name; persons and firms without a CIN stay out of it.
CREATE INDEX gst_legal_name ON registry.gst_taxpayer (lower(legal_name)) WHERE substr(pan, 4, 1) IN ('C', 'F');
CREATE INDEX gst_hsn ON registry.gst_taxpayer USING gin (hsn_codes);
CREATE INDEX gst_sac ON registry.gst_taxpayer USING gin (sac_codes);

CREATE TABLE registry.director (
  din                    text PRIMARY KEY,      -- eight digits
  first_name             text,
  middle_name            text,
  last_name              text,
  full_name              text NOT NULL,
  name_key               text NOT NULL,
  status                 text,                  -- Approved, Deactivated, …
  approved_on            date,
  disqualified           text,                  -- Yes, No
  nationality            text,
  gender                 text,
  born_on                date,
  citizen_of_india       text,                  -- Yes, No
  resident_of_india      text,                  -- Yes, No
  address                text,
  city                   text,
  district               text,
  state                  text,
  country                text,
  pincode                text,
  first_run_id           bigint NOT NULL,
  last_run_id            bigint NOT NULL,
  as_of                  date NOT NULL,
  closed_on              date
);
CREATE INDEX director_approved ON registry.director (approved_on DESC, din);
CREATE INDEX director_state ON registry.director (state, district);
CREATE INDEX director_name_prefix ON registry.director (name_key text_pattern_ops);
CREATE INDEX director_name_words ON registry.director USING gin (to_tsvector('simple', name_key));

CREATE TABLE registry.directorship (
  id                     text PRIMARY KEY,      -- CIN|DIN|designation|date of appointment
  cin                    text NOT NULL,         -- no foreign key: the registers are published apart
  din                    text NOT NULL,
  designation            text NOT NULL,
  appointed_on           date,
  ceased_on              date,
  first_run_id           bigint NOT NULL,
  last_run_id            bigint NOT NULL,
  as_of                  date NOT NULL,
  closed_on              date
);
CREATE INDEX directorship_cin ON registry.directorship (cin);
CREATE INDEX directorship_din ON registry.directorship (din);

CREATE TABLE registry.contact (
  id                     text PRIMARY KEY,      -- company:CIN, director:DIN or gst:GSTIN
  entity                 text NOT NULL CHECK (entity IN ('company', 'director', 'gst')),
  identifier             text NOT NULL,
  email                  text,
  mobile                 text,                  -- E.164: +919812345678
  phone                  text,
  website                text,
  origin                 text,                  -- who collected it
  first_run_id           bigint NOT NULL,
  last_run_id            bigint NOT NULL,
  as_of                  date NOT NULL,
  closed_on              date
);

CREATE SCHEMA reference;

-- One publication holds the codes of goods (HSN) and of services (SAC); no code is both, services begin with 99.
-- Readers use the two parts, ingest the whole.
CREATE TABLE reference.tariff (
  kind                   text NOT NULL,
  code                   text NOT NULL,
  description            text NOT NULL,
  chapter                smallint CHECK (chapter IS NOT NULL OR kind = 'sac'),
  section                text,
  first_run_id bigint NOT NULL, last_run_id bigint NOT NULL, as_of date NOT NULL, closed_on date,
  PRIMARY KEY (code, kind)
) PARTITION BY LIST (kind);
CREATE TABLE reference.hsn PARTITION OF reference.tariff (kind DEFAULT 'hsn') FOR VALUES IN ('hsn');
CREATE TABLE reference.sac PARTITION OF reference.tariff (kind DEFAULT 'sac') FOR VALUES IN ('sac');
CREATE TABLE reference.nic (
  id                     text PRIMARY KEY,      -- vintage:code
  vintage                smallint NOT NULL CHECK (vintage IN (2004, 2008)),
  code                   text NOT NULL,         -- digits with leading zeros; 2 to 5 of them
  level                  text NOT NULL,         -- division, group, class, sub-class
  section                text,
  division               smallint,
  description            text NOT NULL,
  first_run_id bigint NOT NULL, last_run_id bigint NOT NULL, as_of date NOT NULL, closed_on date
);
CREATE TABLE reference.pincode (
  id                     text PRIMARY KEY,      -- pincode|district|state: a PIN may lie in several
  pincode                text NOT NULL,
  district               text NOT NULL,
  state                  text,
  offices                integer NOT NULL,      -- the row with most offices decides
  first_run_id bigint NOT NULL, last_run_id bigint NOT NULL, as_of date NOT NULL, closed_on date
);
CREATE INDEX pincode_by_pin ON reference.pincode (pincode, offices DESC);

-- The search form of a company, trade or person name: one spelling for what people write in many ways.
-- Used at ingest for name_key and at query time for the words searched; both must stay the same function.
-- Case, accents, punctuation, `&`/AND and legal-form words go. Sources broke names at 40 characters
-- ("PRI VATE LIMITED"); the pieces are joined again. PL/pgSQL on replace(), because three regular expressions per
-- name cost more than writing the row.
CREATE FUNCTION registry.name_key(name text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  k text := lower(name);
BEGIN
  IF octet_length(k) > length(k) THEN
    -- The dictionary is named with its schema, so that no search path changes what this immutable function returns.
    k := lower(public.unaccent('public.unaccent', translate(k, '“”–—' || chr(160) || '’‘' || chr(65533), '     ')));
  END IF;
  k := ' ' || translate(k, '.,"-/()[]{}&_:;!?*+=#@%$^|\~<>' || E'\t\n\r' || '`''', repeat(' ', 33)) || ' ';
  IF k LIKE '%  %' THEN k := regexp_replace(k, ' {2,}', ' ', 'g'); END IF;
  -- Most names end like this and hold no other legal-form word.
  IF right(k, 17) = ' private limited ' THEN
    k := left(k, -16);
  ELSE
    k := regexp_replace(k, ' p ?r ?i ?v ?a ?t ?e(?= )', ' private', 'g');
    k := regexp_replace(k, ' l ?i ?m ?i ?t ?e ?d(?= )', ' limited', 'g');
  END IF;
  IF k ~ ' (private|pvt|limited|ltd|llp|opc|the|and) ' THEN
    -- Every word gets spaces of its own, so that neighbouring legal-form words all go in one pass.
    k := regexp_replace(replace(k, ' ', '  '), ' (private|pvt|limited|ltd|llp|opc|the|and) ', '', 'g');
    k := regexp_replace(k, ' {2,}', ' ', 'g');
  END IF;
  RETURN btrim(k);
END
$$;
