-- Who drives a run: the newest lease of each. A run that nobody has ever driven has none.

CREATE TABLE leases (
    run         TEXT PRIMARY KEY REFERENCES runs (id),
    epoch       BIGINT NOT NULL,    -- from 1; one more each time somebody takes it
    holder      TEXT NOT NULL,      -- page or server
    ends        BIGINT NOT NULL,    -- unless something is heard of its holder before
    in_flight   BIGINT NOT NULL,    -- how the server drives it; 0 where a page does
    pause_after BIGINT NOT NULL,
    trouble     TEXT                -- JSON: why the server's driver has stopped before the end
);

-- Those that a server left, for whoever goes on with them.
CREATE INDEX leases_by_holder ON leases (holder, ends);
