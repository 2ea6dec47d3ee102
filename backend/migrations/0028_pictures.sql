-- Pictures by their digest; the bytes are blobs.
CREATE TABLE pictures (
    digest      TEXT PRIMARY KEY,   -- of the whole file
    parts       TEXT NOT NULL       -- JSON: the hashes of its blobs, in order
);

-- Which pictures the transcripts of a run show: whoever may read the run may have them.
CREATE TABLE shown_pictures (
    run         TEXT NOT NULL,
    digest      TEXT NOT NULL,
    PRIMARY KEY (run, digest)
);
