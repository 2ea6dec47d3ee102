-- Whether a play stands on a board already is asked by its transcript.

CREATE INDEX summaries_by_chain ON summaries (play_chain);
