//! A draft, as its editor reads and changes it.

/// What a member or a field of a draft is called; else its name with blanks.
pub fn called(name: &str) -> String {
    let known = match name {
        "text" => "Question",
        "time_window" => "Years",
        "from" => "First year",
        "to" => "Last year",
        "outputs" => "What the answer consists of",
        "goal_graph" => "Sub-goals",
        "node" => "What is to be found",
        "needs" => "What has to be known before, one a line",
        "facts" => "Facts",
        "key" => "What it is about",
        "value" => "What is true",
        "kind" => "Kind",
        "depends_on" => "Needs these facts, one a line",
        "entity" => "Of whom",
        "attribute" => "What of it",
        "period" => "When",
        "derivation" => "How the answer follows, step by step",
        "answer_short" => "Short answer",
        "answer_long" => "Long answer",
        "entities" => "Names of the entities",
        "attributes" => "Names of the attributes",
        "name" => "Name",
        "type" => "Kind",
        "aliases" => "Other names, one a line",
        _ => return name.replace('_', " "),
    };
    known.to_owned()
}
/// The head of a column; shorter than that of a field.
pub fn column(name: &str) -> String {
    match name {
        "depends_on" => "Needs".to_owned(),
        "needs" => "Known before".to_owned(),
        "aliases" => "Other names".to_owned(),
        name => called(name),
    }
}
/// A word that is chosen.
pub fn word(word: &str) -> &str {
    match word {
        "data" => "a value",
        "rule" => "a convention of counting",
        "scope" => "what counts",
        word => word,
    }
}
/// A row of a list.
pub fn row(member: &str, number: usize) -> String {
    format!("{}, {number}", called(member))
}
/// What one row of a member is.
fn one(member: &str) -> &'static str {
    match member {
        "facts" => "fact",
        "derivation" => "step",
        "goal_graph" => "sub-goal",
        "outputs" => "part",
        _ => "name",
    }
}
/// The button that adds a row.
pub fn add(member: &str) -> String {
    format!("Add a {}", one(member))
}
/// The button that takes a row away.
pub fn remove(member: &str, number: usize) -> String {
    format!("Remove {} {number}", one(member))
}
pub fn years(from: &str, to: &str) -> String {
    match from == to {
        true => from.to_owned(),
        false => format!("{from} to {to}"),
    }
}
pub const AS_JSON: &str = "As JSON";
pub const NO_FIELDS: &str = "What stands below under “As JSON” is no object yet, so it cannot be shown as fields. Mend it there.";

/// A changed draft is no JSON.
pub fn not_json(why: &str) -> String {
    format!("This is no JSON yet: {why}. Nothing was sent.")
}
pub const NO_MEMBERS: &str = "Write an object in braces, with the members that you change, such as {\"text\": \"…\"}, or the whole draft. \
     Nothing was sent.";
/// A draft has no such member.
pub fn no_such_member(name: &str, known: &[&str]) -> String {
    format!("A draft has no “{name}”; it has {}. Nothing was sent.", known.join(", "))
}
/// The changed draft cannot be read.
pub fn misfit(why: &str) -> String {
    format!("{why}. Nothing was sent.")
}
