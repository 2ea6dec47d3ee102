//! What stands where an address names something that is not there.

pub const PAGE: &str = "There is no such page";
pub const PAGE_WHY: &str = "The address may be mistyped, or the run may lie on another server.";
pub const RUN: &str = "There is no such run";
pub const RUN_WHY: &str =
    "The address may be mistyped, the run may lie on another server, or the run may be private.";
pub const RUN_ID_WHY: &str = "The address of a run has its id in it: 32 characters from 0 to 9 and from a to f. This one may be cut off.";
pub const WITHDRAWN: &str = "This run was withdrawn";
pub const WITHDRAWN_WHY: &str = "Its owner withdrew it, so its content is no longer available.";
pub const EPISODE: &str = "There is no such episode";
pub const EPISODE_WHY: &str =
    "The run has no episode of this name, or the episode has not begun yet.";
pub const COMPARED_EPISODE_WHY: &str = "Neither of the two runs has an episode of this name.";
pub const BOARD: &str = "There is no such board";
pub const BOARD_WHY: &str = "The address may be mistyped, or the board no longer has any runs.";
pub const TABLE: &str = "There is no such table";
pub const TABLE_WHY: &str =
    "The address may be mistyped, or the table may be one of another server.";

pub const COMPARISON: &str = "There is no such comparison";
pub const COMPARISON_WHY: &str =
    "Such an address names two runs and an episode of theirs. One of the three cannot be read.";

pub const TO_RUNS: &str = "To all runs";
pub const TO_RUN: &str = "To the run";
pub const TO_BOARDS: &str = "To all boards";
pub const TO_PLAY: &str = "Open a table";
pub const TO_COMPARE: &str = "Choose runs to compare";
pub const TO_COMPARED: &str = "Compare the two runs";
