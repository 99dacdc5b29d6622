-- What a destination says of single fields of its CRM, in place of the connector's own mapping.
ALTER TABLE deliver.destination ADD COLUMN mapping jsonb NOT NULL DEFAULT '[]';
