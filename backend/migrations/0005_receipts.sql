-- Receipts of calls, the batches under which they are signed, heads over all batches, and the public parts of the keys.

CREATE TABLE signers (
    id          TEXT PRIMARY KEY,   -- the digest of the public key
    public      TEXT NOT NULL,      -- 64 hexadecimal digits
    since       BIGINT NOT NULL,
    put_away    BIGINT              -- NULL while it signs
);

CREATE TABLE receipts (
    signer      TEXT NOT NULL,
    leaf        BIGINT NOT NULL,    -- its number among all of the signer, from 0
    run         TEXT NOT NULL,
    number      BIGINT NOT NULL,    -- its number among those of the run and the signer, from 1
    hash        TEXT NOT NULL,      -- of the leaf
    receipt     TEXT NOT NULL,      -- JSON
    PRIMARY KEY (signer, leaf)
);

CREATE INDEX receipts_by_run ON receipts (run, signer, number);

CREATE TABLE batches (
    signer      TEXT NOT NULL,
    first_leaf  BIGINT NOT NULL,
    leaves      BIGINT NOT NULL,
    root        TEXT NOT NULL,
    signed_at   BIGINT NOT NULL,
    signature   TEXT NOT NULL,
    PRIMARY KEY (signer, first_leaf)
);

CREATE TABLE heads (
    signer      TEXT NOT NULL,
    batches     BIGINT NOT NULL,
    leaves      BIGINT NOT NULL,
    root        TEXT NOT NULL,
    signed_at   BIGINT NOT NULL,
    signature   TEXT NOT NULL,
    PRIMARY KEY (signer, batches)
);
