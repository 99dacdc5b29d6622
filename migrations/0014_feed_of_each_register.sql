-- One view per feed. PostgreSQL pulls such a view into a statement and reads the newest by their index; a member of a
-- UNION ALL with conditions of its own is planned apart, without any order, and was read and sorted whole.
CREATE VIEW feed.company AS
SELECT cin AS identifier, incorporated_on AS registered_on, state, district, pincode, status,
       company_type AS business_type, name_key
FROM registry.company WHERE closed_on IS NULL AND incorporated_on IS NOT NULL;

CREATE VIEW feed.gst AS
SELECT gstin AS identifier, registered_on, state, district, pincode, status, constitution AS business_type, name_key
FROM registry.gst_taxpayer WHERE closed_on IS NULL AND registered_on IS NOT NULL;

CREATE VIEW feed.director AS
SELECT din AS identifier, approved_on AS registered_on, state, district, pincode, status, NULL AS business_type, name_key
FROM registry.director WHERE closed_on IS NULL AND approved_on IS NOT NULL;

-- All of them at once, for questions that span the feeds.
CREATE OR REPLACE VIEW feed.registration AS
SELECT 'company' AS dataset, * FROM feed.company
UNION ALL SELECT 'gst', * FROM feed.gst
UNION ALL SELECT 'director', * FROM feed.director;
