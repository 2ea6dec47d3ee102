-- A run that grades the plays of another run again: it has gradings and no plays.

ALTER TABLE runs ADD COLUMN regrades TEXT REFERENCES runs (id);

CREATE INDEX runs_by_regraded ON runs (regrades);
