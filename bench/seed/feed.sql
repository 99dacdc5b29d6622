-- As ingest keeps it: one narrow row per registration of the three registers.
INSERT INTO feed.registration (dataset, identifier, registered_on, state, district, pincode, status, business_type, name_key)
SELECT 'company', cin, incorporated_on, state, district, pincode, status, class, name_key FROM registry.company
UNION ALL
SELECT 'gst', gstin, registered_on, state, district, pincode, status, constitution, name_key FROM registry.gst_taxpayer
UNION ALL
SELECT 'director', din, approved_on, state, district, pincode, status, NULL, name_key FROM registry.director
