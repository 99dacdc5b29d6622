-- A large order becomes desired records a part at a time, so that its first leads leave while the rest is read: the position of
-- the last item of its order that a push has enrolled. A push stays queued until all of it is, so that a worker of the release
-- before enrols what is left in one go.
ALTER TABLE deliver.push ADD COLUMN enrolled_through integer;
