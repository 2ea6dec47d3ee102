-- For how long calls that a purse pays were under way, at whichever server; several at once count once. Times are in milliseconds.

ALTER TABLE purses ADD COLUMN milliseconds BIGINT NOT NULL DEFAULT 0;   -- counted so far
ALTER TABLE purses ADD COLUMN counted BIGINT NOT NULL DEFAULT 0;        -- until when, since 1970; 0 where no time is capped

ALTER TABLE reservations ADD COLUMN timed BIGINT NOT NULL DEFAULT 0;    -- 1 where the purse has a cap on time
