-- Where a call went, noted with what came back: whoever signs its receipt later may be configured otherwise by then. Of answers from
-- before this nobody knows.

ALTER TABLE ledger ADD COLUMN endpoint TEXT;   -- JSON
