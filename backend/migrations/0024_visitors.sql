-- Branches that were opened without an access token: they are bounded, and may do less.

ALTER TABLE runs ADD COLUMN visitor BIGINT NOT NULL DEFAULT 0;  -- 1 where that is so

CREATE INDEX runs_of_visitors ON runs (visitor) WHERE visitor = 1;
