//! What the responder's text says: yes, no or "i don't know" (specification 6.2).

#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

use turnwise_core::parse::verdict::{self, NO, Word, YES};
use turnwise_core::prelude::*;
use turnwise_core::python;

/// What the user says to the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UserReply {
    Yes,
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

/// Reads a text; `None` if its meaning is unclear (`strict`).
pub fn read(text: Option<&str>, profile: Profile) -> Option<UserReply> {
    match profile {
        Profile::Reference => Some(reference(text)),
        Profile::Strict => strict(text),
    }
}

/// Reads a text as the reference code does, with its serious faults: the first line decides, "no" hides in "know", and
/// whatever is left counts as unknown. A missing text is unknown.
fn reference(text: Option<&str>) -> UserReply {
    const YES: [&str; 10] =
        ["yes", "y", "sure", "correct", "true", "是", "是的", "对", "对的", "正确"];
    const NO: [&str; 8] = ["no", "n", "false", "incorrect", "不是", "不对", "否", "错误"];
    const UNKNOWN: [&str; 7] =
        ["idk", "i don't know", "i dont know", "不知道", "不清楚", "无法确定", "信息不足"];
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

/// How the three replies are said (`strict`). A phrase for not knowing outweighs the "no" before it.
const REPLIES: [Word<UserReply>; 3] = [
    Word {
        value: UserReply::Yes,
        said: YES,
        alone: &["y", "sure", "correct", "true", "对", "对的", "正确", "對", "對的"],
    },
    Word {
        value: UserReply::No,
        said: NO,
        alone: &["n", "incorrect", "false", "不对", "不对的", "错误", "不對", "錯誤"],
    },
    Word {
        value: UserReply::Unknown,
        said: &[
            "no, i don't know",
            "no, i do not know",
            "i don't know",
            "i dont know",
            "i do not know",
            "cannot be determined",
            "idk",
            "不知道",
            "不清楚",
            "无法确定",
            "信息不足",
            "不确定",
            "無法確定",
            "資訊不足",
            "不確定",
            "无法判断",
        ],
        alone: &["don't know", "dont know", "do not know", "unknown", "未知"],
    },
];

fn strict(text: Option<&str>) -> Option<UserReply> {
    verdict::read(text.unwrap_or_default(), &REPLIES)
}
