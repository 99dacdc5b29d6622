-- Whether the people of an account must have a second factor before they do anything else.

ALTER TABLE access.account ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false;
