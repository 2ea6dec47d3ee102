-- Whether a reply has its receipt is asked by the reply. Receipts from before this have none here.

ALTER TABLE receipts ADD COLUMN reply TEXT;   -- the digest of what came back

CREATE INDEX receipts_by_reply ON receipts (run, reply);
