-- Events that were asked for, to try a receiver: nothing of them happened, and what fails is not sent again.
ALTER TABLE deliver.event ADD COLUMN is_test boolean NOT NULL DEFAULT false;
