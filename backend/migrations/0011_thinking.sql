-- How long questions lay in front of people in seats of runs that a page drives. What the page says; the ledger has what the
-- server saw itself. Times are milliseconds, moments milliseconds since 1970.

CREATE TABLE thinking (
    run         TEXT NOT NULL REFERENCES runs (id),
    episode     TEXT NOT NULL,
    call        BIGINT NOT NULL,
    started     BIGINT NOT NULL,
    took        BIGINT NOT NULL,
    PRIMARY KEY (run, episode, call)
);
