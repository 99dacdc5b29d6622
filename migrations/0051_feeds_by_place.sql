-- The newest of a district and of a pincode: feeds are granted by them, and no index had their order, so that a page of a
-- rare pincode was looked for through the whole register. Ties of a day are sorted; without the identifier an index has a
-- third of the size, and a merge less to write.
CREATE INDEX company_recent_in_district ON registry.company (lower(district), incorporated_on DESC);
CREATE INDEX company_recent_in_pincode ON registry.company (pincode, incorporated_on DESC);
CREATE INDEX gst_recent_in_district ON registry.gst_taxpayer (lower(district), registered_on DESC);
CREATE INDEX gst_recent_in_pincode ON registry.gst_taxpayer (pincode, registered_on DESC);
CREATE INDEX director_recent_in_district ON registry.director (lower(district), approved_on DESC);
CREATE INDEX director_recent_in_pincode ON registry.director (pincode, approved_on DESC);
