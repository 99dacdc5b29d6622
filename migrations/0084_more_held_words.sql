-- The words of two more columns are counted, registrars and genders: until the next count nothing is said of any.
DELETE FROM registry.held_word_state WHERE entity IN ('company', 'director');
