-- By which identity at the operator's OIDC provider a person signs in: bound at the first sign-in, so that an address which is given to
-- somebody else later lets nobody else in.

ALTER TABLE access.person
  ADD COLUMN oidc_issuer text,
  ADD COLUMN oidc_subject text,
  ADD CONSTRAINT person_oidc CHECK ((oidc_issuer IS NULL) = (oidc_subject IS NULL));
CREATE INDEX person_oidc_subject ON access.person (oidc_issuer, oidc_subject) WHERE removed_at IS NULL AND oidc_subject IS NOT NULL;
