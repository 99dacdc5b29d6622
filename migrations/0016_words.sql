-- Words that the registers hold are counted, so that every one of them can be asked for.

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

-- The name as written, for a search by words that its key leaves out.
CREATE OR REPLACE VIEW feed.company AS
SELECT cin AS identifier, incorporated_on AS registered_on, state, district, pincode, status,
       company_type AS business_type, name_key, name
FROM registry.company WHERE closed_on IS NULL AND incorporated_on IS NOT NULL;

CREATE OR REPLACE VIEW feed.gst AS
SELECT gstin AS identifier, registered_on, state, district, pincode, status, constitution AS business_type, name_key,
       coalesce(trade_name, legal_name) AS name
FROM registry.gst_taxpayer WHERE closed_on IS NULL AND registered_on IS NOT NULL;

CREATE OR REPLACE VIEW feed.director AS
SELECT din AS identifier, approved_on AS registered_on, state, district, pincode, status, NULL AS business_type, name_key,
       full_name AS name
FROM registry.director WHERE closed_on IS NULL AND approved_on IS NOT NULL;
