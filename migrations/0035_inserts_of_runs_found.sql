-- What a first load entered is listed from the number of its first insert to that of its last, a piece at a time: the whole register would be
-- read for each page. The indexes of the registers follow, one a file.
ALTER TABLE ingest.run
  ADD COLUMN inserted_from bigint,             -- before the first change_id of a first load whose records tell of their inserts
  ADD COLUMN inserted_through bigint;          -- behind its last
