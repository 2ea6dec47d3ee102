-- Published runs and the public log. Whose a run is, is told by the digest of the owner key with which it was opened.

ALTER TABLE runs ADD COLUMN owner TEXT;
ALTER TABLE runs ADD COLUMN board TEXT;  -- on which board it would stand

CREATE INDEX runs_by_owner ON runs (owner, board);

-- Rows of boards. A run has one at most; one that was withdrawn or removed stays, with its time, and can be published again.
CREATE TABLE entries (
    run         TEXT PRIMARY KEY REFERENCES runs (id),
    board       TEXT NOT NULL,      -- the digest of the spec's board
    benchmark   TEXT NOT NULL,
    standing    TEXT NOT NULL,      -- verified, self_reported, human, human_unattended, baseline
    owner       TEXT,
    opened_at   BIGINT NOT NULL,
    published_at BIGINT NOT NULL,
    score       DOUBLE PRECISION,   -- the number to be seen first
    players     TEXT NOT NULL,      -- JSON: who sat in the seats under evaluation
    numbers     TEXT NOT NULL,      -- JSON
    transcripts TEXT NOT NULL,      -- the digest over names and chains of everything that was checked
    maker       TEXT NOT NULL,      -- the program that computed the numbers
    findings    TEXT NOT NULL,      -- JSON: what was found, and how many replies have which evidence
    left_at     BIGINT              -- when it was withdrawn or removed; NULL while it stands
);

CREATE INDEX entries_by_board ON entries (board, left_at);
CREATE INDEX entries_by_owner ON entries (owner);

-- The public log. Rows are added and never changed; each names the one before by its hash.
CREATE TABLE log (
    number      BIGINT PRIMARY KEY, -- from 1, without gaps
    run         TEXT NOT NULL,
    entry       TEXT NOT NULL,      -- JSON
    hash        TEXT NOT NULL
);

CREATE INDEX log_by_run ON log (run);
