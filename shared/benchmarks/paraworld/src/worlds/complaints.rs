//! What is wrong with the rows of a file, gathered: an equal complaint stands once, with the rows that it is about, and of
//! each kind only the first few stand one by one. So the list stays short, however long the file is.

use std::fmt;

use super::check::{Finding, Severity, Trouble};
use turnwise_core::prelude::*;

/// Complaints of a kind that stand one by one.
const EACH: usize = 3;
/// Stretches of rows that a complaint names.
const STRETCHES: usize = 12;

/// A complaint about some rows of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    pub severity: Severity,
    /// What is wrong; of several complaints of a kind what is wrong with the first row.
    pub text: String,
    /// Whether only the kind is the same in all these rows.
    pub alike: bool,
    /// The rows, from 1, ascending; none where the file as a whole is meant.
    rows: Vec<u32>,
    kind: Kind,
}

/// Complaints of one kind differ in names and numbers only.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Trouble(std::mem::Discriminant<Trouble>),
    Problem(String),
}

impl Complaint {
    /// The rows in words: `row 3`, `rows 3, 7 and 12 to 40`, `the file`.
    pub fn rows(&self) -> String {
        match self.rows.is_empty() {
            true => "the file".to_owned(),
            false => rows(&self.rows),
        }
    }

    /// What is wrong, in words.
    pub fn words(&self) -> String {
        match self.alike {
            true => format!("more of this kind, the first: {}", self.text),
            false => self.text.clone(),
        }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{}: {severity}: {}", self.rows(), self.words())
    }
}

/// Gathers complaints. Rows have to come in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Complaints(Vec<Complaint>);

impl Complaints {
    /// Something was found in a row.
    pub fn find(&mut self, row: u32, finding: &Finding) {
        let kind = Kind::Trouble(std::mem::discriminant(&finding.trouble));
        self.add(Some(row), finding.severity, kind, finding.trouble.to_string());
    }

    /// A row cannot be used, or nothing of the file.
    pub fn refuse(&mut self, bad: &BadRow) {
        let kind = Kind::Problem(bad.problem.replace(|sign: char| sign.is_ascii_digit(), ""));
        // The row stands before the text.
        let text = BadRow { row: None, ..bad.clone() };
        let row = bad.row.and_then(|row| u32::try_from(row).ok());
        self.add(row, Severity::Error, kind, text.to_string());
    }

    fn add(&mut self, row: Option<u32>, severity: Severity, kind: Kind, text: String) {
        let of_kind = |one: &&mut Complaint| one.kind == kind && one.severity == severity;
        let mut known = 0;
        for one in self.0.iter_mut().filter(of_kind) {
            known += 1;
            if one.alike || one.text == text {
                if one.rows.last() != row.as_ref() {
                    one.rows.extend(row);
                }
                return;
            }
        }
        self.0.push(Complaint {
            severity,
            text,
            alike: known == EACH,
            rows: row.into_iter().collect(),
            kind,
        });
    }

    /// The complaints: errors first, those of a kind together, in the order in which they came.
    pub fn list(&self) -> Vec<&Complaint> {
        let mut kinds: Vec<(Severity, &Kind)> = Vec::new();
        for one in &self.0 {
            if !kinds.contains(&(one.severity, &one.kind)) {
                kinds.push((one.severity, &one.kind));
            }
        }
        kinds.sort_by_key(|(severity, _)| std::cmp::Reverse(*severity));
        let of_kind = |of: (Severity, &'_ Kind)| {
            let all: Vec<&Complaint> =
                self.0.iter().filter(|one| (one.severity, &one.kind) == of).collect();
            all
        };
        kinds.into_iter().flat_map(of_kind).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Ascending numbers of rows in words.
fn rows(rows: &[u32]) -> String {
    let mut stretches: Vec<(u32, u32)> = Vec::new();
    for row in rows {
        match stretches.last_mut() {
            Some((_, last)) if *last + 1 == *row => *last = *row,
            _ => stretches.push((*row, *row)),
        }
    }
    let mut words: Vec<String> = Vec::new();
    for (first, last) in stretches.iter().take(STRETCHES) {
        match last - first {
            0 => words.push(first.to_string()),
            // Two rows are no stretch.
            1 => words.extend([first.to_string(), last.to_string()]),
            _ => words.push(format!("{first} to {last}")),
        }
    }
    let left = stretches.iter().skip(STRETCHES);
    match left.map(|(first, last)| last - first + 1).sum::<u32>() {
        0 => {}
        more => words.push(format!("{more} more")),
    }
    let name = if rows.len() == 1 { "row" } else { "rows" };
    match words.split_last() {
        Some((last, before)) if !before.is_empty() => {
            format!("{name} {} and {last}", before.join(", "))
        }
        _ => format!("{name} {}", words.concat()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(severity: Severity, trouble: Trouble) -> Finding {
        Finding { severity, trouble }
    }

    #[test]
    fn rows_are_named_in_stretches() {
        assert_eq!(rows(&[3]), "row 3");
        assert_eq!(rows(&[3, 4]), "rows 3 and 4");
        assert_eq!(rows(&[3, 7, 12, 13, 14]), "rows 3, 7 and 12 to 14");
        assert_eq!(rows(&[1, 2, 3]), "rows 1 to 3");
        let odd: Vec<u32> = (0..500).map(|number| 2 * number + 1).collect();
        let said = rows(&odd);
        assert!(said.ends_with("23 and 488 more"), "{said}");
    }

    #[test]
    fn equal_complaints_stand_once() {
        let mut all = Complaints::default();
        for row in 1..=40 {
            all.find(row, &finding(Severity::Warning, Trouble::FactCount(1)));
            if row % 10 == 0 {
                all.find(row, &finding(Severity::Error, Trouble::OtherAnswer));
            }
        }
        let said: Vec<String> = all.list().iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "rows 10, 20, 30 and 40: error: the facts give another answer than the file",
                "rows 1 to 40: warning: 1 facts; 2 to 30 are meant",
            ]
        );
    }

    #[test]
    fn of_a_kind_the_first_few_stand_one_by_one() {
        let mut all = Complaints::default();
        for row in 1..=1000 {
            let trouble = Trouble::BareKey(format!("key {row}"));
            all.find(row, &finding(Severity::Warning, trouble));
        }
        let said: Vec<String> = all.list().iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), EACH + 1, "{said:?}");
        assert!(said[0].starts_with("row 1: warning: the key \"key 1\" is bare"));
        assert!(
            said[EACH].starts_with(
                "rows 4 to 1000: warning: more of this kind, the first: the key \"key 4\""
            ),
            "{said:?}"
        );
    }

    #[test]
    fn rows_that_cannot_be_used_are_gathered_too() {
        let mut all = Complaints::default();
        for row in [2, 3, 9] {
            let bad = BadRow::row(row, "it is missing");
            all.refuse(&BadRow { field: "answer".to_owned(), ..bad });
        }
        let said: Vec<String> = all.list().iter().map(ToString::to_string).collect();
        assert_eq!(said, ["rows 2, 3 and 9: error: field answer: it is missing"]);
    }

    #[test]
    fn a_file_without_rows_is_a_complaint_about_no_row() {
        let mut all = Complaints::default();
        all.refuse(&BadRow::file("the file has no rows"));
        assert_eq!(all.list()[0].to_string(), "the file: error: the file has no rows");
    }
}
