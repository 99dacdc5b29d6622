-- Sessions that a person opened, with no API key.

ALTER TABLE access.session ADD COLUMN person_id uuid REFERENCES access.person;
CREATE INDEX session_person ON access.session (person_id) WHERE person_id IS NOT NULL;
