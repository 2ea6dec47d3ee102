-- What a check found that contradicts what a run says of itself; NULL where nothing was found, or nobody checked.

ALTER TABLE runs ADD COLUMN refused TEXT;   -- JSON: when, and the refusal
