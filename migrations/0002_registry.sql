-- The registers as Panji serves them: one row per identifier, written by ingest only, read by every other part.
-- Bookkeeping columns are the same in every table: first_run_id, last_run_id (the run that last changed the row),
-- as_of (date of the snapshot that last changed it), closed_on (absent from a later snapshot of its partition).
-- Most changes touch no indexed column; room in each page (fillfactor) lets them stay there without a new entry in every index.

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
  closed_on              date,
  previous_cins          text[],                -- identifiers that it had before; null where no source shows any
  fingerprint            bigint,                -- of the row that it was last written from; null: not known, and checked in full
  emails                 text[]                 -- every address that was found valid; email keeps the first
) WITH (fillfactor = 90);
CREATE INDEX company_incorporated ON registry.company (incorporated_on DESC, cin);
CREATE INDEX company_state_city ON registry.company (state, city);
CREATE INDEX company_paid_up_capital ON registry.company (paid_up_capital);
CREATE INDEX company_roc ON registry.company (roc_code);
CREATE INDEX company_nic ON registry.company (nic_code);
CREATE INDEX company_name_prefix ON registry.company (name_key text_pattern_ops);
CREATE INDEX company_name_words ON registry.company USING gin (to_tsvector('simple', name_key));
CREATE INDEX company_previous_cins ON registry.company USING gin (previous_cins) WHERE previous_cins IS NOT NULL;
-- The newest of a state, which is what most feeds ask for.
CREATE INDEX company_recent_in_state ON registry.company (state, incorporated_on DESC, cin);
-- The newest of a district and of a pincode: feeds are granted by them, and no index had their order, so that a page of a
-- rare pincode was looked for through the whole register. Ties of a day are sorted; without the identifier an index has a
-- third of the size, and a merge less to write.
CREATE INDEX company_recent_in_district ON registry.company (lower(district), incorporated_on DESC);
CREATE INDEX company_recent_in_pincode ON registry.company (pincode, incorporated_on DESC);

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
  closed_on              date,
  fingerprint            bigint                 -- of the row that it was last written from; null: not known, and checked in full
) WITH (fillfactor = 90);
CREATE INDEX gst_registered ON registry.gst_taxpayer (registered_on DESC, gstin);
CREATE INDEX gst_pan ON registry.gst_taxpayer (pan);
CREATE INDEX gst_state_district ON registry.gst_taxpayer (state, district);
CREATE INDEX gst_name_prefix ON registry.gst_taxpayer (name_key text_pattern_ops);
CREATE INDEX gst_name_words ON registry.gst_taxpayer USING gin (to_tsvector('simple', name_key));
-- Finds the registrations of a company or LLP by its legal name; persons and firms without a CIN stay out of it.
CREATE INDEX gst_legal_name ON registry.gst_taxpayer (lower(legal_name)) WHERE substr(pan, 4, 1) IN ('C', 'F');
CREATE INDEX gst_hsn ON registry.gst_taxpayer USING gin (hsn_codes);
CREATE INDEX gst_sac ON registry.gst_taxpayer USING gin (sac_codes);
CREATE INDEX gst_recent_in_state ON registry.gst_taxpayer (state, registered_on DESC, gstin);
CREATE INDEX gst_recent_in_district ON registry.gst_taxpayer (lower(district), registered_on DESC);
CREATE INDEX gst_recent_in_pincode ON registry.gst_taxpayer (pincode, registered_on DESC);

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
  closed_on              date,
  fingerprint            bigint                 -- of the row that it was last written from; null: not known, and checked in full
) WITH (fillfactor = 90);
CREATE INDEX director_approved ON registry.director (approved_on DESC, din);
CREATE INDEX director_state ON registry.director (state, district);
CREATE INDEX director_name_prefix ON registry.director (name_key text_pattern_ops);
CREATE INDEX director_name_words ON registry.director USING gin (to_tsvector('simple', name_key));
CREATE INDEX director_recent_in_state ON registry.director (state, approved_on DESC, din);
CREATE INDEX director_recent_in_district ON registry.director (lower(district), approved_on DESC);
CREATE INDEX director_recent_in_pincode ON registry.director (pincode, approved_on DESC);

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
  closed_on              date,
  fingerprint            bigint                 -- of the row that it was last written from; null: not known, and checked in full
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
  closed_on              date,
  fingerprint            bigint,                -- of the row that it was last written from; null: not known, and checked in full
  emails                 text[],                -- all that were found valid; email, mobile and phone keep the first
  mobiles                text[],
  landlines              text[]
) WITH (fillfactor = 90);
CREATE INDEX contact_of_record ON registry.contact (entity, identifier);

-- Rises by one with every merge; cached totals name the version they were counted at.
CREATE TABLE registry.version (
  entity                 text PRIMARY KEY,
  version                bigint NOT NULL DEFAULT 0,
  run_id                 bigint,
  changed_at             timestamptz NOT NULL DEFAULT now()
);

-- Words of names that the register holds or once held; a word too many costs a little, one too few would hide names.
CREATE TABLE registry.name_word (
  entity                 text NOT NULL,
  word                   text NOT NULL,         -- between spaces of a name_key
  names                  integer NOT NULL,      -- about how many names hold it; tells common words from rare ones
  PRIMARY KEY (entity, word)
);
CREATE INDEX name_word_trigrams ON registry.name_word USING gin (word gin_trgm_ops);

-- The registry version whose names all have their words in name_word.
CREATE TABLE registry.name_word_state (
  entity                 text PRIMARY KEY,
  version                bigint NOT NULL
);

-- The words of the open records, once each, with the number of records that hold them. A job keeps them after each merge.
CREATE TABLE registry.held_word (
  entity                 text NOT NULL,
  column_name            text NOT NULL,         -- of the register's table
  word                   text NOT NULL,         -- as the register holds it
  records                bigint NOT NULL,
  PRIMARY KEY (entity, column_name, word)
);

-- The registry version whose words held_word lists.
CREATE TABLE registry.held_word_state (
  entity                 text PRIMARY KEY,
  version                bigint NOT NULL
);

-- What the owner of an address or a number has asked for or agreed to, as an operator's list says it: the register of
-- preferences of the telephone authority, or a record of consents. A source like any other, so it keeps its history.
CREATE TABLE registry.contact_preference (
  id                     text PRIMARY KEY,      -- value|list
  value                  text NOT NULL,         -- an address in lower case, or a number in E.164
  preference             text NOT NULL CHECK (preference IN ('do_not_contact', 'consent')),
  list                   text NOT NULL,         -- the register that says so
  stated_on              date,
  expires_on             date,
  fingerprint            bigint,                -- of the row that it was last written from; null: not known, and checked in full
  first_run_id           bigint NOT NULL,
  last_run_id            bigint NOT NULL,
  as_of                  date NOT NULL,
  closed_on              date
);
CREATE INDEX contact_preference_value ON registry.contact_preference (value);

-- Directors of the register whose DIN is on the list, for reads that pass over millions of rows: to hash each would take
-- seconds. Kept by whoever adds to the list and by each merge of directors; empty where nobody objected.
CREATE TABLE registry.withheld_director (
  din                    text PRIMARY KEY,
  suppression_id         uuid NOT NULL REFERENCES access.suppression ON DELETE CASCADE
);
CREATE INDEX withheld_director_suppression ON registry.withheld_director (suppression_id);
