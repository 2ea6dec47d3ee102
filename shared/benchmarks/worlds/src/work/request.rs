//! Who is asked for what, and what events are called.

/// What a seat is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    Question,
    /// Whether the question may pass.
    ReviewQuestion,
    Law,
    /// Whether the law may pass.
    ReviewLaw,
    /// What is wrong with the law.
    Audit,
    /// The answer that follows from the facts; which repeat, from 1.
    Answer(u32),
    /// Whether the answer of that repeat says the same as the law's.
    Compare(u32),
    /// Whether the whole may pass.
    LastLook,
}

pub mod seat {
    /// Writes questions: the paper's Parallel World Model.
    pub const QUESTIONER: &str = "questioner";
    /// Writes laws: the paper's ParaWorld Law Model.
    pub const LAWGIVER: &str = "lawgiver";
    /// Looks for what is wrong, and answers from the facts.
    pub const AUDITOR: &str = "auditor";
    pub const EDITOR: &str = "editor";
}

pub mod event {
    /// A question could be read, or was changed.
    pub const QUESTION: &str = "question";
    /// A law could be read, or was changed.
    pub const LAW: &str = "law";
    /// The first step of the audit is done.
    pub const AUDIT1: &str = "audit1";
    /// The second step is done.
    pub const AUDIT2: &str = "audit2";
    /// The question came to its end: accepted or rejected.
    pub const DECISION: &str = "decision";
}

impl Request {
    pub fn seat(self) -> &'static str {
        match self {
            Request::Question => seat::QUESTIONER,
            Request::Law => seat::LAWGIVER,
            Request::Audit | Request::Answer(_) | Request::Compare(_) => seat::AUDITOR,
            Request::ReviewQuestion | Request::ReviewLaw | Request::LastLook => seat::EDITOR,
        }
    }
}
