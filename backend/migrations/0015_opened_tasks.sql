-- Sealed sets of tasks that the operator has opened to everybody.
CREATE TABLE opened_tasks (
    tasks   TEXT PRIMARY KEY,   -- the digest under which the set is known
    reason  TEXT NOT NULL,
    opened  BIGINT NOT NULL     -- milliseconds since 1970
);
