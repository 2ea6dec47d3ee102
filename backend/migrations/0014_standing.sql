-- Replies that stand for all runs: the first reply to a request is given to whoever makes the same request again. Moments are
-- milliseconds since 1970.

CREATE TABLE standing_replies (
    request     TEXT NOT NULL PRIMARY KEY,
    reply       TEXT NOT NULL,
    kept        BIGINT NOT NULL
);
