-- The words that names are made of, once each: what holds a part of a word, and what is spelt like a word, is looked
-- for here instead of in every name. A job keeps them after each merge, so that a merge does not wait for them.

-- Words of names that the register holds or once held; a word too many costs a little, one too few would hide names.
CREATE TABLE registry.name_word (
  entity                 text NOT NULL,
  word                   text NOT NULL,         -- between spaces of a name_key
  names                  integer NOT NULL,      -- about how many names hold it; tells common words from rare ones
  PRIMARY KEY (entity, word)
);
CREATE INDEX name_word_trigrams ON registry.name_word USING gin (word gin_trgm_ops);

-- The registry version whose names all have their words in name_word.
CREATE TABLE registry.name_word_state (
  entity                 text PRIMARY KEY,
  version                bigint NOT NULL
);
