//! What the page of an episode draws.

/// What an episode's page draws.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Face {
    #[default]
    Conversation,
    /// What was seen beside what was done.
    Sides,
    Raw,
    /// What speaks for the episode: its replay, its receipts, who graded it.
    Proof,
}

impl Face {
    /// Every face, in the order of the tabs.
    pub const ALL: [Face; 4] = [Face::Conversation, Face::Sides, Face::Raw, Face::Proof];

    pub fn name(self) -> &'static str {
        match self {
            Face::Conversation => "conversation",
            Face::Sides => "sides",
            Face::Raw => "raw",
            Face::Proof => "proof",
        }
    }

    /// The face of a name; the first for one that is unknown.
    pub fn named(name: &str) -> Self {
        let mut all = Face::ALL.into_iter();
        all.find(|face| face.name() == name).unwrap_or_default()
    }

    /// Whether it has turns that can be brought into sight.
    pub fn has_turns(self) -> bool {
        matches!(self, Face::Conversation | Face::Sides)
    }
}
