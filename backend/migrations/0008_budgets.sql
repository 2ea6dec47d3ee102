-- Caps on what may be spent. Money is millionths of a US dollar, times are milliseconds since 1970.

-- What a run may spend, where it was given caps, and with which access token it was opened.
CREATE TABLE caps (
    run         TEXT PRIMARY KEY REFERENCES runs (id),
    caps        TEXT NOT NULL,      -- JSON
    access      TEXT                -- NULL where no token was needed
);

-- What was spent of a purse. What is on its way counts with what it can come to at most, so a call whose end nobody knows is paid for.
CREATE TABLE purses (
    purse       TEXT PRIMARY KEY,   -- 'run RUN', 'access NAME DAY', 'server DAY'
    money       BIGINT NOT NULL,
    tokens      BIGINT NOT NULL,
    calls       BIGINT NOT NULL
);

-- When services asked for fewer calls at once, and when they had enough of them again.
CREATE TABLE paces (
    service     TEXT NOT NULL,
    at          BIGINT NOT NULL,
    allowed     BIGINT NOT NULL,
    most        BIGINT NOT NULL,
    wait        BIGINT,             -- milliseconds
    PRIMARY KEY (service, at)
);
