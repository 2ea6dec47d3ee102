//! Texts of the published poker logs.

use crate::view::number::counted;

/// What is done with them.
pub const LEAD: &str = "The published poker ranking comes from a web app that wrote down what happened. Its files are read here, \
     the ranking is computed again, and shown as it becomes when chips that nobody called are given back.";
/// Where it does that.
pub const PRIVATE: &str =
    "Nothing is uploaded: the files are read in this page and forgotten when it is closed.";
/// What to drop.
pub const DROP: &str = "Drop stats-log-*.ndjson here, or choose them";
/// More about it.
pub const DROP_NOTE: &str = "Several files at once, or their folder";

/// What the list of files is, for screen readers.
pub const FILES: &str = "Files that were read";
/// A file of statistics.
pub fn stats_file(table: u32, lines: usize) -> String {
    let lines = counted(lines as u64, "line", "lines");
    format!("statistics of table {table}, {lines}")
}
/// The button that puts a file away.
pub fn put_away(file: &str) -> String {
    format!("Put {file} away")
}
/// Puts all files away.
pub const CLEAR: &str = "Put all away";

/// There is nothing in a file.
pub const NO_BYTES: &str = "it is empty";
/// A file is of another kind.
pub const NO_LOG: &str = "it is no log of statistics; tasks are read on the page New run, logs of Inspect (.eval) in the field further down";
/// The title of an error.
pub fn cannot_read(file: &str) -> String {
    format!("{file} cannot be read")
}
/// What it means where no other file is there.
pub const LEFT_OUT: &str = "The file is left out.";
/// What it means where numbers of other files are there.
pub const LEFT_OUT_OF_NUMBERS: &str = "The file is left out; the numbers below are of the others.";
/// Two files are of one table.
pub const NOT_TOGETHER: &str = "These files do not go together";
/// What to do then.
pub const PUT_ONE_AWAY: &str = "Put one of them away.";

/// Nothing was dropped yet.
pub const EMPTY: &str = "Where such files come from";
/// Where from.
pub const EMPTY_WHY: &[&str] = &[
    "The authors' app writes the statistics of a table into a file. Those of their 5,000 hands, ten tables of six models, lie in \
     their repository as stats-log-1.ndjson to stats-log-10.ndjson.",
];
/// Fills the page with something made up.
pub const EXAMPLE: &str = "Show it on a made-up table";
/// What that is.
pub const EXAMPLE_NOTE: &str =
    "Random players at a table of our reference engine, which pays as the app does.";

/// The section of the ranking.
pub const RANKING: &str = "Winnings per hand, as published and corrected";
/// What the plot shows.
pub fn plot_label(players: usize) -> String {
    format!(
        "Winnings per hand of {players} players, as published and corrected, with sample deviations; the table below says the same"
    )
}
/// The axis.
pub const PLOT_AXIS: &str = "chips per hand";
/// What dots and lines are.
pub fn plot_note(tables: usize) -> String {
    match tables {
        1 => "The mean of one table; there is no deviation of one.".to_owned(),
        tables => format!(
            "Means over {tables} tables; the line is one sample deviation to either side. The correction is a lower bound: it \
             returns only chips that nobody called."
        ),
    }
}
/// The open dot.
pub const PUBLISHED: &str = "as published";
/// The full dot.
pub const CORRECTED: &str = "corrected";

/// The section of players over tables.
pub const OVERALL: &str = "Players over all tables";
/// Column: who.
pub const PLAYER: &str = "Player";
/// Column: winnings.
pub const PER_HAND: &str = "Winnings per hand";
/// Column: the same, corrected.
pub const PER_HAND_CORRECTED: &str = "Corrected";
/// Column: the interval.
pub const INTERVAL: &str = "95 % interval";
/// Column: the mean in standard errors.
pub const T: &str = "t";
/// Column: hands that were played.
pub const VPIP: &str = "VPIP";
/// Column: hands with a fold.
pub const FOLDS: &str = "Folds";
/// Column: time of a decision.
pub const THINKS: &str = "Thinks";
/// Column: how many hands.
pub const HANDS: &str = "Hands";
/// What ± is.
pub const PM_NOTE: &str =
    "± is the sample deviation over tables, the interval Student's t over tables, published.";

/// The section of tables.
pub const TABLES: &str = "Table by table";
/// What is shown of each.
pub const SHOWN: &str = "What is shown of each player";
/// Choice: chips.
pub const SHOW_TOTAL: &str = "Chips";
/// Choice: winnings.
pub const SHOW_PER_HAND: &str = "Per hand";
/// Column: the table.
pub const TABLE: &str = "Table";
/// Column: lines.
pub const LINES: &str = "Lines";
/// Column: hands without a line.
pub const MISSING: &str = "Showdowns";
/// Column: all together.
pub const SUM: &str = "Sum";
/// What the columns mean.
pub const TABLES_NOTE: &str = "A showdown has no line of its own: the app looked at the payment before it had happened. The sum is \
     zero unless an odd chip was lost.";

/// The section of wrong payments.
pub const SETTLEMENT: &str = "Paid wrongly";
/// What it is, in the empty page.
pub const MEANING: &str = "What is paid wrongly";
/// The same in words.
pub const MEANING_TEXT: &str = "Whoever is all-in for little can win only that much from each of the others. The rules therefore \
     keep what lies above apart: as a side pot between those who put it in, or back in the hands of the one whom nobody called. \
     The app has a single pot and gives all of it to the winner.";
/// The section's figures.
pub const BUSTS: &str = "Busts recovered";
/// How they are found.
pub const BUSTS_NOTE: &str = "hands in which somebody lost everything";
/// Hands with too much paid.
pub const OVERPAID: &str = "Overpaid";
/// Chips beyond the winner's stack.
pub const OVERPAID_CHIPS: &str = "Beyond the winner's stack";
/// Chips that nobody called.
pub const RETURNED: &str = "Called by nobody";
/// The unit of amounts.
pub const CHIPS: &str = "chips";
/// So many of so many.
pub fn share_of(part: usize, all: usize) -> String {
    if all == 0 {
        return String::new();
    }
    format!("{:.0} % of them", part as f64 / all as f64 * 100.0)
}
/// What the corrected row does with it.
pub const RETURNED_NOTE: &str = "what the correction gives back";
/// Where the rest of the overpaid chips is.
pub const OVERPAID_NOTE: &str = "of one opponent, side pots included";
/// Hands that cannot be told.
pub fn several(hands: usize) -> String {
    let hands = counted(hands as u64, "more bust has", "more busts have");
    format!(
        "{hands} several winners, whose shares cannot be told apart; nothing is corrected there."
    )
}
/// The rule's head.
pub const RULE: &str = "How such hands are found, and what is corrected";
/// The same in words.
pub const RULE_TEXT: &str = "Showdowns have no line, but their chips must be somewhere. If exactly one hand number is missing and all \
     stacks were reset before the next line, then that line's chips tell its own winnings, and the rest of its winnings is the \
     missing hand's. The program says it so:";

/// The made-up picture.
pub const MADE_UP: &str = "A made-up hand";
/// The names in it: winner and the two others.
pub const MADE_UP_NAMES: [&str; 3] = ["Bo", "Ada", "Cem"];
/// A hand of the files.
pub fn hand_of(table: u32, hand: u32) -> String {
    format!("Table {table}, hand {hand}")
}
/// The winner's row.
pub fn had(chips: &str) -> String {
    format!("had {chips}")
}
/// Part: what the winner may win.
pub fn legend_main(winner: &str, chips: &str) -> String {
    format!("{winner}'s to win: {chips}")
}
/// Part: what the others play for.
pub fn legend_side(chips: &str) -> String {
    format!("a side pot of the others: {chips}")
}
/// Part: what goes back.
pub fn legend_back(who: &str, chips: &str) -> String {
    format!("called by nobody, back to {who}: {chips}")
}
/// The row of what the app did.
pub const APP_PAID: &str = "The app pays";
/// What it did.
pub fn app_paid(winner: &str, chips: &str) -> String {
    format!("{winner} {chips}, everything that the others put in")
}
/// The row of what the rules say.
pub const RULES_PAY: &str = "The rules pay";
/// What they say.
pub fn rules_pay(
    winner: &str,
    main: &str,
    side: Option<&str>,
    back: Option<(&str, &str)>,
) -> String {
    let side = side.map(|side| format!("; a side pot of {side} to the best hand among the others"));
    let back = back.map(|(who, chips)| format!("; {chips} back to {who}"));
    format!("{winner} at most {main}{}{}", side.unwrap_or_default(), back.unwrap_or_default())
}
/// The row of what the correction does.
pub const WE_RETURN: &str = "The correction returns";
/// What it returns.
pub fn we_return(side: Option<&str>, back: Option<(&str, &str)>) -> String {
    let returned = match back {
        Some((who, chips)) => format!("{chips} to {who}"),
        None => "nothing".to_owned(),
    };
    match side {
        Some(_) => format!("{returned}; who won the side pot cannot be known without cards"),
        None => returned,
    }
}
/// What a picture of a pot shows, for screen readers.
pub fn pot_label(winner: &str, stack: &str, others: &str) -> String {
    format!("{winner} won with {stack} chips. Put in: {others}")
}

/// The list of hands.
pub const EVIDENCE: &str = "Overpaid hands";
/// What it lists.
pub const EVIDENCE_NOTE: &str = "Each is missing in its file; the line is the next one, which tells of it. Choose a hand to see it drawn.";
/// No such hands.
pub const NO_EVIDENCE: &str = "No hand of these files is provably overpaid.";
/// Column: the hand.
pub const HAND: &str = "Hand";
/// Column: the line.
pub const LINE: &str = "Line";
/// Column: who won.
pub const WINNER: &str = "Winner";
/// Column: with how much.
pub const STACK: &str = "Had";
/// Column: how much.
pub const WON: &str = "Won";
/// Column: beyond the stack.
pub const BEYOND: &str = "Overpaid";
/// Column: what goes back.
pub const BACK: &str = "Returned";
/// Column: to whom.
pub const BACK_TO: &str = "To";
/// The button of a hand.
pub fn draw(table: u32, hand: u32) -> String {
    format!("Draw table {table}, hand {hand}")
}

/// What to know.
pub const REMARKS: &str = "What a reader must know of these numbers";
