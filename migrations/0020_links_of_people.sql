-- Links and e-mails for one person of an account: sign-in links, and invitations.

ALTER TABLE access.sign_in_code ADD COLUMN person_id uuid REFERENCES access.person;
CREATE INDEX sign_in_code_person ON access.sign_in_code (person_id);
ALTER TABLE deliver.mail ADD COLUMN person_id uuid REFERENCES access.person;
CREATE INDEX mail_person ON deliver.mail (person_id) WHERE person_id IS NOT NULL;
