-- People who object: what may not leave, by keyed hash, so that the list is no list of persons. The registers keep what
-- their publishers say; every reader withholds.
CREATE TABLE access.suppression (
  suppression_id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind                   text NOT NULL CHECK (kind IN ('email', 'mobile', 'din')),
  hash                   bytea NOT NULL UNIQUE,  -- HMAC-SHA256 of kind and canonical value, see access.suppression_hash
  key_id                 text NOT NULL,          -- of the key that it was hashed under
  reason                 text,
  reference              text,                   -- the operator's own: a ticket, a letter
  created_by             text NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX suppression_key ON access.suppression (key_id);
CREATE INDEX suppression_newest ON access.suppression (created_at DESC, suppression_id);

-- The key of those hashes, sealed under PANJI_SECRET_KEY. A rotation seals it anew and leaves it as it is.
CREATE TABLE runtime.suppression_key (
  only_one               boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  sealed                 bytea NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now()
);

-- Directors of the register whose DIN is on the list, for reads that pass over millions of rows: to hash each would take
-- seconds. Kept by whoever adds to the list and by each merge of directors; empty where nobody objected.
CREATE TABLE registry.withheld_director (
  din                    text PRIMARY KEY,
  suppression_id         uuid NOT NULL REFERENCES access.suppression ON DELETE CASCADE
);
CREATE INDEX withheld_director_suppression ON registry.withheld_director (suppression_id);

CREATE OR REPLACE VIEW feed.director AS
SELECT din AS identifier, approved_on AS registered_on, state, district, pincode, status, NULL AS business_type, name_key,
       full_name AS name
FROM registry.director
WHERE closed_on IS NULL AND approved_on IS NOT NULL
  AND NOT EXISTS (SELECT FROM registry.withheld_director w WHERE w.din = director.din);

-- What had reached a CRM when somebody objected, and what the CRM answered to its erasure.
CREATE TABLE deliver.recall (
  recall_id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  destination_id         uuid NOT NULL REFERENCES deliver.destination,
  external_id            text NOT NULL,          -- company:CIN, director:DIN, gst:GSTIN
  crm_id                 text,                   -- link to the vendor's record, where one was acknowledged
  status                 text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'erased', 'gone', 'failed')),
  answer                 jsonb,                  -- of the CRM: the receipt
  attempts               integer NOT NULL DEFAULT 0,
  requested_at           timestamptz NOT NULL DEFAULT now(),
  settled_at             timestamptz
);
CREATE UNIQUE INDEX recall_open ON deliver.recall (destination_id, external_id) WHERE status = 'pending';
CREATE INDEX recall_newest ON deliver.recall (requested_at DESC);
