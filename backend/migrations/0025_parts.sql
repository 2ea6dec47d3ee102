-- Transcripts in parts that say where they lie, so that whoever wants some bytes or some lines touches those parts alone. They take
-- the place of `pieces` and `packed`, whose rows become parts when the program starts (store/parts/earlier.rs).

CREATE TABLE parts (
    run         TEXT NOT NULL,
    episode     TEXT NOT NULL,
    at          BIGINT NOT NULL,    -- the byte of the transcript with which it begins, from 0
    bytes       BIGINT NOT NULL,    -- how long its text is
    line        BIGINT NOT NULL,    -- the number of its first line, from 0
    failed      BIGINT,             -- the number of its last line that tells of a call that failed; NULL if none does
    text        TEXT,               -- as it came; NULL once it is packed
    recipe      TEXT,               -- JSON: of which blobs the text is made
    PRIMARY KEY (run, episode, at),
    FOREIGN KEY (run, episode) REFERENCES episodes (run, episode)
);

CREATE INDEX parts_by_line ON parts (run, episode, line);

-- The last call that failed, and the first part that is not packed.
CREATE INDEX parts_by_failure ON parts (run, episode, failed) WHERE failed IS NOT NULL;
CREATE INDEX parts_as_they_came ON parts (run, episode, at) WHERE recipe IS NULL;

-- How often a transcript was taken up again at an earlier line. As long as that stays the same, so does every byte that is there.
ALTER TABLE episodes ADD COLUMN cuts BIGINT NOT NULL DEFAULT 0;

-- What a transcript once went on with, in the place of `branches`.
CREATE TABLE left_parts (
    run         TEXT NOT NULL,
    episode     TEXT NOT NULL,
    chain       TEXT NOT NULL,      -- after its last line
    line        BIGINT NOT NULL,
    bytes       BIGINT NOT NULL,
    text        TEXT,
    recipe      TEXT,
    left_at     BIGINT NOT NULL,
    PRIMARY KEY (run, episode, chain, line),
    FOREIGN KEY (run, episode) REFERENCES episodes (run, episode)
);

INSERT INTO left_parts (run, episode, chain, line, bytes, text, left_at)
SELECT run, episode, chain, line, OCTET_LENGTH(text), text, left_at FROM branches;

DROP TABLE branches;
