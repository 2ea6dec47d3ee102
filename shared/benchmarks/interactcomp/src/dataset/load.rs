//! Reading a file of tasks.

use super::{Cipher, Dataset, Language, Task, plain_lines};
use turnwise_core::kit::cipher::looks_encrypted;
use turnwise_core::kit::rows;
use turnwise_core::prelude::*;

/// Reads a file of tasks.
///
/// Rows with a `canary` are encrypted under it. `canary` is for encrypted files from which that column was removed; it
/// goes before the column. An encrypted file is never taken for plain text. Keys that are not known are passed over.
///
/// # Errors
/// The first mistake of the file, with its row and field and how to mend it. No message contains text of the file.
pub fn load(file: &[u8], canary: Option<&str>) -> Result<Dataset, BadRow> {
    let mut origin = None;
    let read = |row: &Fields<'_>| {
        let own: Option<&str> = row.maybe("canary")?;
        if own == Some("") {
            return Err(row.bad("canary", BLANK));
        }
        let canary = canary.or(own);
        let kept = origin.get_or_insert_with(|| match canary {
            Some(canary) => TaskSetOrigin::Encrypted { canary: canary.to_owned() },
            None => TaskSetOrigin::Plain,
        });
        if canary.is_none() != (*kept == TaskSetOrigin::Plain) {
            return Err(row.bad("", MIXED));
        }
        task(row, canary.map(Cipher::new).as_ref())
    };
    let tasks = rows::all(rows::each(file, read, ("id", |task: &Task| task.id.clone())))?;
    Ok(Dataset {
        plain: Digest::of(plain_lines(&tasks)),
        tasks,
        origin: origin.unwrap_or(TaskSetOrigin::Plain),
        file: Digest::of(file),
    })
}

const BLANK: &str = "it is blank; write something, or take the row out";
const MIXED: &str =
    "some rows of the file have a canary and some have not; either all are encrypted or none";
const NO_CANARY: &str = "it looks encrypted, but the row has no canary; add the column again, or decrypt the file with turnwise import \
                         --format interactcomp-tasks --canary WORD";
pub(super) const NO_LANGUAGE: &str = "a language is a code of two or three lower-case letters, e.g. en or zh; without one it is told by the \
                           question's script";

fn task(row: &Fields<'_>, cipher: Option<&Cipher>) -> Result<Task, BadRow> {
    let text = |field: &str| {
        let text: &str = row.get(field)?;
        match cipher {
            Some(cipher) => cipher.decrypt(text).map_err(|bad| {
                let fix = "check the canary, and if the file is plain already, remove the column";
                row.bad(field, format!("it cannot be decrypted: {bad}; {fix}"))
            }),
            None if ["question", "context"].contains(&field) && looks_encrypted(text) => {
                Err(row.bad(field, NO_CANARY))
            }
            None => Ok(text.to_owned()),
        }
    };
    let filled = |field: &str| match text(field)? {
        blank if blank.trim().is_empty() => Err(row.bad(field, BLANK)),
        text => Ok(text),
    };
    let question = filled("question")?;
    let language = match row.maybe("language")? {
        None => Language::of(&question),
        Some(code) => Language::named(code).ok_or_else(|| row.bad("language", NO_LANGUAGE))?,
    };
    let aliases: Vec<String> = row.typed("aliases")?.unwrap_or_default();
    if aliases.iter().any(|alias| alias.trim().is_empty() || alias.contains(['\n', '\r'])) {
        let problem = "an alias is blank or has a line break; write one alias an entry";
        return Err(row.bad("aliases", problem));
    }
    Ok(Task {
        id: row.id("id")?,
        domain: filled("domain")?,
        language,
        question,
        context: text("context")?,
        answer: filled("answer")?,
        aliases,
    })
}
