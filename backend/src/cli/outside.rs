//! What only the outside can answer, from the command line: the operator's endpoints and the search engines.

use std::path::Path;

use turnwise_backend::driver::Outside;
use turnwise_shared::effect::{Failure, FailureClass, Reply};
use turnwise_shared::spec::SearchSpec;
use turnwise_shared::wire::{Outgoing, Timing};

use super::plan::Corpora;
use super::trouble::Trouble;

/// The connections of this program.
#[derive(Debug)]
pub struct Connections {}

impl Connections {
    /// Reads the configuration.
    ///
    /// # Errors
    /// If the configuration cannot be read.
    pub fn new() -> Result<Self, Trouble> {
        Ok(Connections {})
    }
}

impl Corpora for Connections {
    fn engine(
        &self,
        name: &str,
        _documents: Option<&Path>,
        _results: u32,
    ) -> Result<SearchSpec, Trouble> {
        Err(Trouble::new(format!("there is no search engine {name}")))
    }
}

impl Outside for Connections {
    async fn answer(&self, _request: Outgoing) -> (Reply, Timing) {
        let failure = Failure::new(FailureClass::Unavailable, "nobody is configured");
        (Reply::Failed(failure), Timing::default())
    }
}
