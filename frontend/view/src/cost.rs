//! What is said of the cost of a run before it starts; [`plan::cost`](crate::plan::cost) computes it.

/// What a run will cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Range {
    /// About so many dollars, from so many runs like it.
    pub about: Option<(f64, usize)>,
    /// Never more than this; `None` where nothing bounds it.
    pub most: Option<f64>,
}

/// A budget with which a run may get no further than into its first episode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TooSmall {
    /// Not even one reply fits: it may cost so many dollars.
    NoReply(f64),
    /// Not even one reply fits: it may have so many tokens.
    NoReplyTokens(u64),
    /// An episode cost so much on average, in runs like it.
    Episode(f64, usize),
    /// Replies of one episode alone may cost so many dollars.
    Replies(f64),
    /// One episode may take so many calls.
    Calls(u64),
}
