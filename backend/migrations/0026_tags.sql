-- By which people find a run: a JSON list of texts. The name of a run is its title.

ALTER TABLE runs ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
