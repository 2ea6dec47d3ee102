-- Live tables: runs in which people sit, driven by the server. While `ended` is NULL, the run of the same id is sealed.

CREATE TABLE live (
    run         TEXT PRIMARY KEY,   -- also of the run, once it has begun
    info        TEXT NOT NULL,      -- JSON: what everybody may know
    secret      TEXT NOT NULL,      -- the server's part of the seed; told to nobody before the end
    nonces      TEXT,               -- JSON: what everybody named who sat down; NULL until the run has begun
    ended       BIGINT
);
