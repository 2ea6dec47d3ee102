-- Sealed tasks: the secret under which everything about them is committed to, and what was said that nobody is told.

CREATE TABLE secrets (
    name        TEXT PRIMARY KEY,
    value       TEXT NOT NULL       -- 64 hexadecimal digits
);

CREATE TABLE withheld (
    run         TEXT NOT NULL,
    episode     TEXT NOT NULL,
    call        BIGINT NOT NULL,
    digest      TEXT NOT NULL,      -- of the request, as the episode made it
    task        TEXT NOT NULL,      -- the digest of the task, as it is handed out
    answered    BIGINT NOT NULL,
    said        TEXT NOT NULL,      -- JSON: everything that the seat said for this call
    PRIMARY KEY (run, episode, call, digest)
);

CREATE INDEX withheld_by_task ON withheld (task, answered);
