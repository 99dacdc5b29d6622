-- A record that somebody deleted in the CRM stays deleted, unless a person asks for its lead again: then it is made anew, once.
ALTER TABLE deliver.record ADD COLUMN recreate boolean NOT NULL DEFAULT false;
