-- A session of a browser ends when nobody has used it for a while. Null: of a program, or of a browser that signed in before.
ALTER TABLE access.session ADD COLUMN last_used_at timestamptz; -- to the minute
