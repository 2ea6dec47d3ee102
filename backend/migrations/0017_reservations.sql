-- What was taken from purses for calls on their way, as long as it may still be put right: some of it may come back then. It is a part
-- of what stands in the purses. What a server that is gone had on its way stays spent, and counts here no longer.
CREATE TABLE reservations (
    id          TEXT NOT NULL,      -- of the reservation, by chance
    purse       TEXT NOT NULL,
    server      TEXT NOT NULL,      -- that sends the call
    money       BIGINT NOT NULL,
    tokens      BIGINT NOT NULL,
    PRIMARY KEY (purse, id)
);

CREATE INDEX reservations_by_id ON reservations (id);
