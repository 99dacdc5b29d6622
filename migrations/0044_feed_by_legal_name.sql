-- The feed of GST registrations is searched by the legal name, too, beside the trade name that it shows first.

CREATE OR REPLACE VIEW feed.gst AS
SELECT gstin AS identifier, registered_on, state, district, pincode, status, constitution AS business_type, name_key,
       coalesce(trade_name, legal_name) AS name, legal_name
FROM registry.gst_taxpayer WHERE closed_on IS NULL AND registered_on IS NOT NULL;
