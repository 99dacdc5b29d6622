-- Directorships had full pages, unlike the other registers (0002): each cessation moved its row to another page, with new entries in
-- three indexes. Room for one row keeps it on its page. Pages that are full already stay so until their rows have moved.
ALTER TABLE registry.directorship SET (fillfactor = 97);
