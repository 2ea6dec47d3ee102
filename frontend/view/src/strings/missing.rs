//! What stands where an address names something that is not there.

/// No page has this address.
pub const PAGE: &str = "There is no such page";
/// What it may be.
pub const PAGE_WHY: &str = "The address may be mistyped, or the run may lie on another server.";

/// No run has this address, or none that is told of here.
pub const RUN: &str = "There is no such run";
/// What it may be; a run that is not for everybody is told of in the same words.
pub const RUN_WHY: &str =
    "The address may be mistyped, the run may lie on another server, or the run may be private.";
/// The address holds no id of a run.
pub const RUN_ID_WHY: &str = "The address of a run has its id in it: 32 characters from 0 to 9 and from a to f. This one may be cut off.";

/// A run was withdrawn.
pub const WITHDRAWN: &str = "This run was withdrawn";
/// What that means.
pub const WITHDRAWN_WHY: &str = "Its owner withdrew it, so its content is no longer available.";

/// A run has no episode of this name.
pub const EPISODE: &str = "There is no such episode";
/// What it may be.
pub const EPISODE_WHY: &str =
    "The run has no episode of this name, or the episode has not begun yet.";
/// Neither of two runs has it.
pub const COMPARED_EPISODE_WHY: &str = "Neither of the two runs has an episode of this name.";

/// No board has this address.
pub const BOARD: &str = "There is no such board";
/// What it may be.
pub const BOARD_WHY: &str = "The address may be mistyped, or the board no longer has any runs.";

/// No table has this address.
pub const TABLE: &str = "There is no such table";
/// What it may be.
pub const TABLE_WHY: &str =
    "The address may be mistyped, or the table may be one of another server.";

/// The address of two transcripts side by side is broken.
pub const COMPARISON: &str = "There is no such comparison";
/// What belongs there.
pub const COMPARISON_WHY: &str =
    "Such an address names two runs and an episode of theirs. One of the three cannot be read.";

/// The way to the first page.
pub const TO_RUNS: &str = "To all runs";
/// The way to the run of an episode.
pub const TO_RUN: &str = "To the run";
/// The way to the list of boards.
pub const TO_BOARDS: &str = "To all boards";
/// The way to a new table.
pub const TO_PLAY: &str = "Open a table";
/// The way to the choice of runs that are compared.
pub const TO_COMPARE: &str = "Choose runs to compare";
/// The way to two runs that are compared.
pub const TO_COMPARED: &str = "Compare the two runs";
