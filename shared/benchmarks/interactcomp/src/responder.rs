//! What the responder's text says: yes, no or "i don't know" (specification 6.2).

#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

use turnwise_core::{parse, python};

/// What the user says to the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UserReply {
    /// The context states it.
    Yes,
    /// The context contradicts it.
    No,
    /// The context says nothing about it.
    Unknown,
}

impl UserReply {
    /// The observation, word for word.
    pub fn text(self) -> &'static str {
        match self {
            UserReply::Yes => "yes",
            UserReply::No => "no",
            UserReply::Unknown => "i don't know",
        }
    }
}

impl fmt::Display for UserReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Reads a text as the reference code does, with its serious faults: the first line decides, "no" hides in "know", and
/// whatever is left counts as unknown. A missing text is unknown.
pub fn reference(text: Option<&str>) -> UserReply {
    const YES: [&str; 10] = [
        "yes", "y", "sure", "correct", "true", "是", "是的", "对", "对的", "正确",
    ];
    const NO: [&str; 8] = [
        "no",
        "n",
        "false",
        "incorrect",
        "不是",
        "不对",
        "否",
        "错误",
    ];
    const UNKNOWN: [&str; 7] = [
        "idk",
        "i don't know",
        "i dont know",
        "不知道",
        "不清楚",
        "无法确定",
        "信息不足",
    ];
    let text = python::lower(python::strip(text.unwrap_or_default()));
    // An empty text has no first line: Python raises an error, which ends as unknown.
    let Some(line) = python::first_line(&text).map(python::strip) else {
        return UserReply::Unknown;
    };
    if YES.contains(&line) {
        UserReply::Yes
    } else if NO.contains(&line) {
        UserReply::No
    } else if UNKNOWN.contains(&line) {
        UserReply::Unknown
    } else if line.contains("yes") {
        UserReply::Yes
    } else if line.contains("no") {
        UserReply::No
    } else {
        UserReply::Unknown
    }
}

/// Reads a text strictly; `None` if it cannot be told what it says.
///
/// Reasoning between tags is left out, full-width characters, apostrophes and markdown are folded. The reply may be the
/// first or the last line, alone or as the line's first or last clause (`No. The context says …`, `The answer is: yes`).
/// A phrase for not knowing counts wherever it stands in such a line and outweighs a "no" beside it. A text that says
/// both yes and something else is not read. A "no" within a clause (`There is no mention`) never counts.
pub fn strict(text: Option<&str>) -> Option<UserReply> {
    let folded = fold(&parse::said(text.unwrap_or_default()));
    let mut lines = folded
        .lines()
        .filter(|line| line.contains(char::is_alphanumeric));
    let first = lines.next()?;
    let mut said = Said::default();
    said.hear_line(first);
    if let Some(last) = lines.next_back() {
        said.hear_line(last);
    }
    said.reply()
}

/// Lower case, ASCII punctuation, one kind of apostrophe, no markdown.
fn fold(text: &str) -> String {
    let fold = |character| match character {
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character)
        }
        '’' | '‘' | 'ʼ' | '`' | '´' | '′' => '\'',
        '。' => '.',
        '、' => ',',
        '\u{3000}' | '\u{a0}' => ' ',
        '“' | '”' | '「' | '」' | '『' | '』' | '《' | '》' | '【' | '】' | '*' | '_' | '#'
        | '>' | '~' => '"',
        other => other,
    };
    text.chars().map(fold).collect::<String>().to_lowercase()
}

/// What was heard so far, in one or two lines.
#[derive(Default)]
struct Said {
    yes: bool,
    no: bool,
    unknown: bool,
}

impl Said {
    fn hear_line(&mut self, line: &str) {
        let clauses: Vec<String> = without_numero(line)
            .split([
                '.', ',', ';', ':', '!', '?', '|', '/', '(', ')', '[', ']', '{', '}', '—', '–',
            ])
            .flat_map(|clause| clause.split(" - "))
            .map(words)
            .filter(|clause| !clause.is_empty())
            .collect();
        let clauses: Vec<&str> = clauses
            .iter()
            .map(|clause| without_lead_in(clause))
            .collect();
        let clauses: Vec<&str> = clauses
            .into_iter()
            .filter(|clause| !clause.is_empty())
            .collect();
        let (Some(first), Some(last)) = (clauses.first(), clauses.last()) else {
            return;
        };
        let alone = clauses.len() == 1;
        let unknown = clauses.iter().any(|clause| is_unknown(clause, alone));
        self.unknown |= unknown;
        // A reply in the middle of a line decides nothing, but it can contradict what the line says.
        let at_an_end = [first, last]
            .iter()
            .any(|clause| yes_or_no(clause, alone).is_some());
        if at_an_end || unknown {
            for reply in clauses.iter().filter_map(|clause| yes_or_no(clause, alone)) {
                self.yes |= reply == UserReply::Yes;
                self.no |= reply == UserReply::No;
            }
        }
    }

    fn reply(&self) -> Option<UserReply> {
        match (self.yes, self.no, self.unknown) {
            (true, false, false) => Some(UserReply::Yes),
            (false, true, false) => Some(UserReply::No),
            (false, _, true) => Some(UserReply::Unknown),
            _ => None,
        }
    }
}

/// The line, where `no. 12` is called a number: it is no reply.
fn without_numero(line: &str) -> String {
    let mut parts = line.split("no.");
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_word = !named.ends_with(char::is_alphanumeric);
        let is_numbered = part
            .trim_start()
            .starts_with(|sign: char| sign.is_ascii_digit());
        named.push_str(if is_word && is_numbered {
            "number "
        } else {
            "no."
        });
        named.push_str(part);
    }
    named
}

/// A clause's words with one space between them, without quotes and dashes around it.
fn words(clause: &str) -> String {
    let unquoted = clause.replace('"', " ");
    let trimmed = unquoted.trim_matches(|character: char| !character.is_alphanumeric());
    trimmed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The clause without words that only announce a reply.
fn without_lead_in(clause: &str) -> &str {
    const SPACED: [&str; 13] = [
        "so the answer is",
        "the final answer is",
        "the answer is",
        "my answer is",
        "answer is",
        "final answer",
        "answer",
        "output",
        "reply",
        "response",
        "result",
        "user",
        "a",
    ];
    const UNSPACED: [&str; 9] = [
        "所以答案是",
        "我的回答是",
        "最终答案",
        "答案是",
        "答案为",
        "回答是",
        "答案",
        "回答",
        "输出",
    ];
    for lead_in in SPACED {
        match clause.strip_prefix(lead_in) {
            Some("") => return "",
            Some(rest) if rest.starts_with(' ') => return &rest[1..],
            _ => {}
        }
    }
    for lead_in in UNSPACED {
        // 答案是 ("the answer is") also ends in 是 ("yes"): there has to be something behind it.
        match clause.strip_prefix(lead_in) {
            Some("") => return "",
            Some(rest) => return rest.trim_start(),
            None => {}
        }
    }
    clause
}

/// A clause that is yes or no and nothing else. Words that also begin sentences (`sure`, `true`) count only alone in
/// their line.
fn yes_or_no(clause: &str, alone: bool) -> Option<UserReply> {
    const YES: [&str; 5] = ["yes", "yep", "是", "是的", "yeah"];
    const NO: [&str; 6] = ["no", "nope", "不是", "不是的", "否", "nah"];
    const YES_ALONE: [&str; 9] = [
        "y", "sure", "correct", "true", "对", "对的", "正确", "對", "對的",
    ];
    const NO_ALONE: [&str; 8] = [
        "n",
        "incorrect",
        "false",
        "不对",
        "不对的",
        "错误",
        "不對",
        "錯誤",
    ];
    if YES.contains(&clause) || alone && YES_ALONE.contains(&clause) {
        Some(UserReply::Yes)
    } else if NO.contains(&clause) || alone && NO_ALONE.contains(&clause) {
        Some(UserReply::No)
    } else {
        None
    }
}

/// A clause that says that one does not know.
fn is_unknown(clause: &str, alone: bool) -> bool {
    const PHRASES: [&str; 5] = [
        "i don't know",
        "i dont know",
        "i do not know",
        "idk",
        "cannot be determined",
    ];
    const ALONE: [&str; 5] = ["don't know", "dont know", "do not know", "unknown", "未知"];
    const CHINESE: [&str; 9] = [
        "不知道",
        "不清楚",
        "无法确定",
        "信息不足",
        "不确定",
        "無法確定",
        "資訊不足",
        "不確定",
        "无法判断",
    ];
    let padded = format!(" {clause} ");
    PHRASES
        .iter()
        .any(|phrase| padded.contains(&format!(" {phrase} ")))
        || CHINESE.iter().any(|phrase| clause.contains(phrase))
        || alone && ALONE.contains(&clause)
}
