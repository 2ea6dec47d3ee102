-- Runs, their transcripts, and the ledger of their calls. Times are milliseconds since 1970, digests 64 hexadecimal digits.

CREATE TABLE runs (
    id          TEXT PRIMARY KEY,
    token       TEXT NOT NULL,      -- the digest of the run's token
    title       TEXT NOT NULL,
    benchmark   TEXT NOT NULL,
    spec        TEXT NOT NULL,      -- JSON
    state       TEXT NOT NULL,
    opened      BIGINT NOT NULL,
    episodes    BIGINT NOT NULL     -- planned
);

CREATE INDEX runs_by_time ON runs (opened);

-- The head of a transcript.
CREATE TABLE episodes (
    run         TEXT NOT NULL REFERENCES runs (id),
    episode     TEXT NOT NULL,
    lines       BIGINT NOT NULL,
    bytes       BIGINT NOT NULL,
    chain       TEXT NOT NULL,
    ending      TEXT,               -- NULL while it is under way
    PRIMARY KEY (run, episode)
);

-- The transcript itself, in the pieces in which it came.
CREATE TABLE pieces (
    run         TEXT NOT NULL,
    episode     TEXT NOT NULL,
    line        BIGINT NOT NULL,    -- the number of the first line, from 0
    text        TEXT NOT NULL,
    PRIMARY KEY (run, episode, line),
    FOREIGN KEY (run, episode) REFERENCES episodes (run, episode)
);

-- What a transcript once went on with, before it was taken up again at an earlier line. Nothing is thrown away.
CREATE TABLE branches (
    run         TEXT NOT NULL,
    episode     TEXT NOT NULL,
    line        BIGINT NOT NULL,
    chain       TEXT NOT NULL,      -- after its last line
    text        TEXT NOT NULL,
    left_at     BIGINT NOT NULL,
    PRIMARY KEY (run, episode, chain),
    FOREIGN KEY (run, episode) REFERENCES episodes (run, episode)
);

-- Calls. A row is written before a call is sent; what came back is added to it.
CREATE TABLE ledger (
    run         TEXT NOT NULL REFERENCES runs (id),
    episode     TEXT NOT NULL,
    call        BIGINT NOT NULL,
    digest      TEXT NOT NULL,      -- of the request, as the episode made it
    request     TEXT NOT NULL,      -- the digest of what was sent
    sent_at     BIGINT NOT NULL,    -- when it was sent last
    sent        BIGINT NOT NULL,    -- how many times
    lost        BIGINT NOT NULL,    -- how many times nobody knows what came back
    reply       TEXT,               -- JSON; NULL until there is one
    failure     TEXT,               -- JSON of the last failure, if that is what came back
    timing      TEXT,               -- JSON
    PRIMARY KEY (run, episode, call, digest)
);

-- Plays in a few numbers, computed from the transcripts; made anew whenever these or the program change.
CREATE TABLE summaries (
    run         TEXT NOT NULL REFERENCES runs (id),
    play        TEXT NOT NULL,
    play_chain  TEXT NOT NULL,
    grading_chain TEXT,
    maker       TEXT NOT NULL,      -- the program that computed it
    score       DOUBLE PRECISION,
    summary     TEXT NOT NULL,      -- JSON
    PRIMARY KEY (run, play)
);
