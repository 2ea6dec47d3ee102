-- How many runs an owner opened that would stand on a board is told beside how many it published there.

CREATE INDEX runs_by_board ON runs (board, owner);
