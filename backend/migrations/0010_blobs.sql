-- Transcripts of episodes that have ended, packed: long texts are cut out, so that one that comes often is stored once, and
-- everything is compressed. `pieces` has what came since.

CREATE TABLE blobs (
    hash        TEXT PRIMARY KEY,   -- of the text
    bytes       BIGINT NOT NULL,    -- its size, at most a million
    body        BLOB NOT NULL       -- compressed (raw deflate)
);

CREATE TABLE packed (
    run         TEXT NOT NULL,
    episode     TEXT NOT NULL,
    recipe      TEXT NOT NULL,      -- JSON: of which blobs the text is made
    PRIMARY KEY (run, episode),
    FOREIGN KEY (run, episode) REFERENCES episodes (run, episode)
);

-- The size of all transcripts of a run.
ALTER TABLE runs ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
