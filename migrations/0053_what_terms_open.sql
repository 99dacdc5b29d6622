-- A renewal brings what its plan opens on the day on which it is bought, to its own end: so each term says what it opens.

ALTER TABLE access.subscription_term
  ADD COLUMN opens text[]  -- feeds, and premium for its limits; null: what its subscription began with
    CHECK (opens <@ ARRAY['premium', 'gst', 'company', 'director']);
