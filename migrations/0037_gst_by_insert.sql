-- GST registrations of a first load lie in the order of their inserts: see 0035.
CREATE INDEX gst_taxpayer_insert ON registry.gst_taxpayer USING brin (insert_change_id);
