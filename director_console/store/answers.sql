-- Since version 3: why a table refused a command, as a key of the dictionary with what its words speak of.
ALTER TABLE commands ADD COLUMN code TEXT NOT NULL DEFAULT '';
ALTER TABLE commands ADD COLUMN slots TEXT NOT NULL DEFAULT '{}';
