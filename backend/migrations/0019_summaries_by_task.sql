-- Plays are looked up by their task: how did everybody else do on it?

ALTER TABLE summaries ADD COLUMN task TEXT;  -- the task's digest; NULL where an older program kept the row, until one of ours starts

CREATE INDEX summaries_by_task ON summaries (task, run);
