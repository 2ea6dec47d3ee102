-- For how long a run was driven, and what it could not pay. Times are in milliseconds.

ALTER TABLE leases ADD COLUMN driven BIGINT NOT NULL DEFAULT 0;     -- counted so far
ALTER TABLE leases ADD COLUMN since BIGINT;     -- from when it is not counted yet; 0 while its holder is away, NULL while the run rests
ALTER TABLE leases ADD COLUMN refused TEXT;     -- JSON: what the call could come to that its budget did not let out last

UPDATE leases SET since = 0 WHERE run IN (SELECT id FROM runs WHERE state = 'running');
