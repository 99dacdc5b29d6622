-- How many records of each register are in it, kept by every statement that writes one, in its own transaction: a total of the
-- country, of a state or of a status is a sum of these, and no longer a walk through the register. By day, and by month
-- and year for long windows. A cell without records may stay with 0.
CREATE TABLE feed.record_count (
  dataset       text NOT NULL CHECK (dataset IN ('company', 'gst', 'director')),
  grain         text NOT NULL CHECK (grain IN ('day', 'month', 'year')),
  period        date,             -- the day of registration, or the first of its month or year; null where the register knows none
  state         text,
  status        text,
  business_type text,             -- of a company its type, of a GST registration its constitution
  class         text,             -- of companies alone
  records       bigint NOT NULL,
  CONSTRAINT record_count_cell UNIQUE NULLS NOT DISTINCT (dataset, grain, period, state, status, business_type, class)
);

-- What may be shown of it: a director whose objection is on the suppression list is in the register, and in no list.
CREATE VIEW feed.shown_count AS
SELECT dataset, grain, period, state, status, business_type, class, records FROM feed.record_count
UNION ALL
SELECT 'director', grain, place, state, status, NULL, NULL, -1
FROM registry.withheld_director JOIN registry.director USING (din)
  CROSS JOIN LATERAL (VALUES ('day', approved_on), ('month', date_trunc('month', approved_on)::date), ('year', date_trunc('year', approved_on)::date)) AS of_grain (grain, place)
WHERE closed_on IS NULL;

-- The functions themselves are in migrations/functions.
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

-- What is there already. The triggers hold every writer off until this has committed.
INSERT INTO feed.record_count (dataset, grain, period, state, status, business_type, class, records)
SELECT cell.dataset, grain, place, state, status, business_type, class, sum(records)
FROM (
  SELECT 'company' AS dataset, incorporated_on AS day, state, status, company_type AS business_type, class, count(*) AS records
  FROM registry.company WHERE closed_on IS NULL GROUP BY 1, 2, 3, 4, 5, 6
  UNION ALL
  SELECT 'gst', registered_on, state, status, constitution, NULL, count(*)
  FROM registry.gst_taxpayer WHERE closed_on IS NULL GROUP BY 1, 2, 3, 4, 5, 6
  UNION ALL
  SELECT 'director', approved_on, state, status, NULL, NULL, count(*)
  FROM registry.director WHERE closed_on IS NULL GROUP BY 1, 2, 3, 4, 5, 6
) AS cell CROSS JOIN LATERAL (VALUES ('day', day), ('month', date_trunc('month', day)::date), ('year', date_trunc('year', day)::date)) AS of_grain (grain, place)
GROUP BY 1, 2, 3, 4, 5, 6, 7;
