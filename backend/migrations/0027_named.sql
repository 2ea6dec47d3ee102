-- How often the name of a run was changed, so that boards that show it are made anew.

ALTER TABLE runs ADD COLUMN named BIGINT NOT NULL DEFAULT 0;
