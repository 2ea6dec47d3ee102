-- Several servers over one database: who is there, and whose a call on its way or an open table is.

CREATE TABLE servers (
    id          TEXT PRIMARY KEY,   -- of a process; a new one each time it starts
    ends        BIGINT NOT NULL     -- it counts as gone from then on, unless it is heard of before
);

ALTER TABLE ledger ADD COLUMN owner TEXT;   -- who sends the call; NULL once something came back

ALTER TABLE live ADD COLUMN owner TEXT;     -- where the table stands
