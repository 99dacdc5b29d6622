-- Records of a CRM that its owner had before and let us take for leads. They are written to like others and never deleted by us.
CREATE TABLE deliver.adoption (
  destination_id uuid NOT NULL REFERENCES deliver.destination,
  crm_id         text NOT NULL,
  external_id    text NOT NULL,          -- of the lead that the record stands for: company:CIN, director:DIN, gst:GSTIN
  adopted_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (destination_id, crm_id)
);

-- What was the customer's before is not erased by a recall; the receipt says so.
ALTER TABLE deliver.recall DROP CONSTRAINT recall_status_check;
ALTER TABLE deliver.recall ADD CONSTRAINT recall_status_check CHECK (status IN ('pending', 'erased', 'gone', 'kept', 'failed'));
