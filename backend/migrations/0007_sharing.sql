-- Who may see a run, and from where a run branches that goes on from another one's play.

ALTER TABLE runs ADD COLUMN visibility TEXT NOT NULL DEFAULT 'unlisted';  -- private, unlisted, public
ALTER TABLE runs ADD COLUMN parent TEXT;            -- the run whose play it goes on from; NULL if it is no branch
ALTER TABLE runs ADD COLUMN parent_episode TEXT;
ALTER TABLE runs ADD COLUMN parent_turn BIGINT;     -- from 1
ALTER TABLE runs ADD COLUMN parent_lines BIGINT;    -- lines that both have in common

CREATE INDEX runs_by_parent ON runs (parent, parent_episode);
