-- What feeds read: views of the registers, and counts that are kept with every change of one.

CREATE SCHEMA feed;

-- How many records of each register are in it, kept by every statement that writes one, in its own transaction: a total of the
-- country, of a state or of a status is a sum of these, and no longer a walk through the register. By day, and by month
-- and year for long windows. A cell without records may stay with 0.
CREATE TABLE feed.record_count (
  dataset                text NOT NULL CHECK (dataset IN ('company', 'gst', 'director')),
  grain                  text NOT NULL CHECK (grain IN ('day', 'month', 'year')),
  period                 date,  -- the day of registration, or the first of its month or year; null where the register knows none
  state                  text,
  status                 text,
  business_type          text,                  -- of a company its type, of a GST registration its constitution
  class                  text,                  -- of companies alone
  records                bigint NOT NULL,
  CONSTRAINT record_count_cell UNIQUE NULLS NOT DISTINCT (dataset, grain, period, state, status, business_type, class),
  -- Counts of days tell states apart and no more: told further, they would be nearly as many as the records.
  CONSTRAINT record_count_days CHECK (grain <> 'day' OR num_nonnulls(status, business_type, class) = 0)
-- A merge that changes statuses writes most counts of the months anew, each in its page.
) WITH (fillfactor = 60);

-- Records of a part of a month are counted one by one, by their class, too.
CREATE VIEW feed.company AS
SELECT cin AS identifier, incorporated_on AS registered_on, state, district, pincode, status,
       company_type AS business_type, name_key, name, class
FROM registry.company WHERE closed_on IS NULL AND incorporated_on IS NOT NULL;

CREATE VIEW feed.gst AS
SELECT gstin AS identifier, registered_on, state, district, pincode, status, constitution AS business_type, name_key,
       coalesce(trade_name, legal_name) AS name
FROM registry.gst_taxpayer WHERE closed_on IS NULL AND registered_on IS NOT NULL;

CREATE VIEW feed.director AS
SELECT din AS identifier, approved_on AS registered_on, state, district, pincode, status, NULL AS business_type, name_key,
       full_name AS name
FROM registry.director
WHERE closed_on IS NULL AND approved_on IS NOT NULL
  AND NOT EXISTS (SELECT FROM registry.withheld_director w WHERE w.din = director.din);

-- All of them at once, for questions that span the feeds.
CREATE VIEW feed.registration AS
SELECT 'company' AS dataset, identifier, registered_on, state, district, pincode, status, business_type, name_key FROM feed.company
UNION ALL
SELECT 'gst', identifier, registered_on, state, district, pincode, status, business_type, name_key FROM feed.gst
UNION ALL
SELECT 'director', identifier, registered_on, state, district, pincode, status, business_type, name_key FROM feed.director;

CREATE VIEW feed.shown_count AS
SELECT dataset, grain, period, state, status, business_type, class, records FROM feed.record_count
UNION ALL
SELECT 'director', grain, place, state, shown_status, NULL, NULL, -1
FROM registry.withheld_director JOIN registry.director USING (din)
  CROSS JOIN LATERAL (VALUES ('day', approved_on, NULL), ('month', date_trunc('month', approved_on)::date, status),
                             ('year', date_trunc('year', approved_on)::date, status)) AS of_grain (grain, place, shown_status)
WHERE closed_on IS NULL;

-- Functions of triggers stand in migrations/functions, which are applied after the tables. Until then they refuse every write.
CREATE FUNCTION feed.count_changes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not migrated to the end'; END $$;

DO $$
DECLARE
  register text;
BEGIN
  FOREACH register IN ARRAY '{registry.company,registry.gst_taxpayer,registry.director}'::text[] LOOP
    EXECUTE format('CREATE TRIGGER count_inserted AFTER INSERT ON %s REFERENCING NEW TABLE AS came
      FOR EACH STATEMENT EXECUTE FUNCTION feed.count_changes()', register);
    EXECUTE format('CREATE TRIGGER count_updated AFTER UPDATE ON %s REFERENCING OLD TABLE AS went NEW TABLE AS came
      FOR EACH STATEMENT EXECUTE FUNCTION feed.count_changes()', register);
    EXECUTE format('CREATE TRIGGER count_deleted AFTER DELETE ON %s REFERENCING OLD TABLE AS went
      FOR EACH STATEMENT EXECUTE FUNCTION feed.count_changes()', register);
    EXECUTE format('CREATE TRIGGER count_truncated AFTER TRUNCATE ON %s
      FOR EACH STATEMENT EXECUTE FUNCTION feed.count_changes()', register);
  END LOOP;
END $$;
