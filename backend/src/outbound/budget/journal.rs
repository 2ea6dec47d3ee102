//! What a run of the command line has spent, in a file beside its transcripts: every change is a line, written before the call goes
//! out for which it is, so that neither a kill nor `--resume` forgets anything. Every line says how long the run has gone on since
//! the one before it.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use turnwise_shared::caps::Spent;

/// The file's name in a run's folder.
pub const JOURNAL_FILE: &str = "budget.ndjson";

#[derive(Debug)]
pub struct Journal {
    file: File,
    /// Bytes of whole lines.
    whole: u64,
    /// Until when it says how long the run went on.
    until: Instant,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Change {
    #[serde(default)]
    money: i64,
    #[serde(default)]
    tokens: i64,
    #[serde(default)]
    calls: i64,
    #[serde(default)]
    milliseconds: u64,
}

/// What a run has spent and how long it has gone on, as its journal says; nothing where there is none.
///
/// # Errors
/// If it cannot be read.
pub fn spent(path: &Path) -> io::Result<(Spent, Duration)> {
    let (text, whole) = read(path)?;
    summed(&text[..whole])
}

fn summed(lines: &str) -> io::Result<(Spent, Duration)> {
    let (mut spent, mut driven) = (Spent::default(), 0_u64);
    for line in lines.lines() {
        let change: Change = serde_json::from_str(line)?;
        spent.money = spent.money.saturating_add_signed(change.money);
        spent.tokens = spent.tokens.saturating_add_signed(change.tokens);
        spent.calls = spent.calls.saturating_add_signed(change.calls);
        driven = driven.saturating_add(change.milliseconds);
    }
    Ok((spent, Duration::from_millis(driven)))
}

/// The file's text, and how much of it are whole lines. What follows the last line break was not written whole, so its call never
/// went out.
fn read(path: &Path) -> io::Result<(String, usize)> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    Ok((text, whole))
}

impl Journal {
    /// Opens the file, which is made if it is not there, and says what stands in it.
    ///
    /// # Errors
    /// If it cannot be read or written, or holds something else.
    pub fn open(path: &Path) -> io::Result<(Self, Spent)> {
        let (text, whole) = read(path)?;
        let (spent, _) = summed(&text[..whole])?;
        let mut options = File::options();
        let file = options.create(true).write(true).truncate(false).open(path)?;
        let whole = u64::try_from(whole).unwrap_or(u64::MAX);
        file.set_len(whole)?;
        drop(file);
        let file = options.append(true).open(path)?;
        let journal = Journal { file, whole, until: Instant::now() };
        Ok((journal, spent))
    }

    /// Writes down that not `before`, but `now` is spent.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn change(&mut self, before: Spent, now: Spent) -> io::Result<()> {
        let by = |before: u64, now: u64| {
            let by = i128::from(now) - i128::from(before);
            i64::try_from(by).unwrap_or(if by < 0 { i64::MIN } else { i64::MAX })
        };
        let passed = u64::try_from(self.until.elapsed().as_millis()).unwrap_or(u64::MAX);
        let change = Change {
            money: by(before.money, now.money),
            tokens: by(before.tokens, now.tokens),
            calls: by(before.calls, now.calls),
            milliseconds: passed,
        };
        let mut line = serde_json::to_vec(&change)?;
        line.push(b'\n');
        if let Err(error) = self.file.write_all(&line) {
            // What a full disk let through of a line would stand in the middle of the next one.
            self.file.set_len(self.whole)?;
            return Err(error);
        }
        self.whole += line.len() as u64;
        self.until += Duration::from_millis(passed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(money: u64, tokens: u64, calls: u64) -> Spent {
        Spent { money, tokens, calls }
    }

    fn journal_of_the_largest_amount(path: &Path) {
        let most = spent(u64::MAX, u64::MAX, 1);
        for _ in 0..2 {
            let (mut journal, _) = Journal::open(path).expect("it is read");
            journal.change(spent(1, 1, 0), most).expect("it is written");
        }
        let (_, found) = Journal::open(path).expect("it is read");
        assert!(found.money >= u64::MAX - 2, "{found:?}");
    }

    #[test]
    fn what_was_written_is_read_again_and_a_torn_line_is_forgotten() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(JOURNAL_FILE);
        let (mut journal, before) = Journal::open(&path).expect("it is made");
        assert_eq!(before, Spent::default());
        let reserved = spent(900, 400, 1);
        journal.change(Spent::default(), reserved).expect("written");
        journal.change(reserved, spent(250, 90, 1)).expect("written");
        drop(journal);
        let text = std::fs::read_to_string(&path).expect("it is there");
        std::fs::write(&path, format!("{text}{{\"money\":5")).expect("it is torn");
        let (mut journal, found) = Journal::open(&path).expect("it is read");
        assert_eq!(found, spent(250, 90, 1));
        journal.change(Spent::default(), spent(1, 1, 1)).expect("written");
        drop(journal);
        let (_, found) = Journal::open(&path).expect("it is read");
        assert_eq!(found, spent(251, 91, 2));
        let text = std::fs::read_to_string(&path).expect("it is there");
        let long = format!("{text}{{\"milliseconds\":61000}}\n");
        std::fs::write(&path, long).expect("it is written");
        let (_, driven) = super::spent(&path).expect("it is read");
        assert!((61..90).contains(&driven.as_secs()), "{driven:?}");
        journal_of_the_largest_amount(&folder.path().join("large"));
        std::fs::write(&path, "nonsense\n").expect("it is spoilt");
        Journal::open(&path).expect_err("nobody knows what was spent");
    }
}
