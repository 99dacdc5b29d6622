-- Counts of days tell states apart and no more. Told by status, business type and class, they were nearly as many as the records,
-- and to write them took as long as the records themselves.
LOCK TABLE registry.company, registry.gst_taxpayer, registry.director IN SHARE ROW EXCLUSIVE MODE;

-- A merge that changes statuses writes most counts of the months anew, each in its page.
ALTER TABLE feed.record_count SET (fillfactor = 60);

WITH finer AS (DELETE FROM feed.record_count WHERE grain = 'day' RETURNING dataset, period, state, records)
INSERT INTO feed.record_count (dataset, grain, period, state, records)
SELECT dataset, 'day', period, state, sum(records) FROM finer GROUP BY dataset, period, state HAVING sum(records) <> 0;

-- The triggers of an earlier release cannot write finer ones meanwhile.
ALTER TABLE feed.record_count
  ADD CONSTRAINT record_count_days CHECK (grain <> 'day' OR num_nonnulls(status, business_type, class) = 0);

CREATE OR REPLACE VIEW feed.shown_count AS
SELECT dataset, grain, period, state, status, business_type, class, records FROM feed.record_count
UNION ALL
SELECT 'director', grain, place, state, shown_status, NULL, NULL, -1
FROM registry.withheld_director JOIN registry.director USING (din)
  CROSS JOIN LATERAL (VALUES ('day', approved_on, NULL), ('month', date_trunc('month', approved_on)::date, status),
                             ('year', date_trunc('year', approved_on)::date, status)) AS of_grain (grain, place, shown_status)
WHERE closed_on IS NULL;

-- Records of a part of a month are counted one by one, by their class, too.
CREATE OR REPLACE VIEW feed.company AS
SELECT cin AS identifier, incorporated_on AS registered_on, state, district, pincode, status,
       company_type AS business_type, name_key, name, class
FROM registry.company WHERE closed_on IS NULL AND incorporated_on IS NOT NULL;
