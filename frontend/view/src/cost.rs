//! What is said of the cost of a run before it starts; [`plan::cost`](crate::plan::cost) computes it.

/// What a run will cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Range {
    /// The expected cost in dollars, and how many similar runs it was estimated from.
    pub about: Option<(f64, usize)>,
    /// Never more than this; `None` where nothing bounds it.
    pub most: Option<f64>,
}

/// A budget with which a run may get no further than into its first episode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TooSmall {
    /// Not even one reply fits: it may cost this many dollars.
    NoReply(f64),
    /// Not even one reply fits: it may have this many tokens.
    NoReplyTokens(u64),
    /// An episode cost so much on average, in runs like it.
    Episode(f64, usize),
    /// The replies of one episode alone may cost this many dollars.
    Replies(f64),
    /// One episode may take this many calls.
    Calls(u64),
}
