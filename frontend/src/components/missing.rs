//! The page in the place of one whose address names something that is not there: what is missing, what it may be, and where to
//! go on.

use crate::components::head;
use crate::prelude::*;
use crate::strings::missing as words;

/// What an address names that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    Page,
    /// A run. One that is not for this reader is as one that never was.
    Run,
    /// A run, because the address holds no id of one.
    RunId,
    /// A run that was withdrawn.
    Withdrawn,
    /// An episode of a run.
    Episode(RunId),
    Board,
    Table,
    /// Two transcripts side by side; with the runs that could be read.
    Comparison(Vec<RunId>),
    /// An episode of two runs that are compared.
    ComparedEpisode([RunId; 2]),
}

impl Missing {
    /// What an answer of the server says of a run; `None` if the run may well be there.
    pub fn run(problem: &ApiError) -> Option<Self> {
        match problem.code.as_str() {
            NOT_FOUND => Some(Missing::Run),
            "withdrawn" => Some(Missing::Withdrawn),
            _ => None,
        }
    }

    /// What is missing, as the heading of the page and its name in the tab.
    pub fn title(&self) -> &'static str {
        match self {
            Missing::Page => "There is no such page",
            Missing::Run | Missing::RunId => "There is no such run",
            Missing::Withdrawn => "This run was withdrawn",
            Missing::Episode(_) | Missing::ComparedEpisode(_) => "There is no such episode",
            Missing::Board => "There is no such board",
            Missing::Table => "There is no such table",
            Missing::Comparison(_) => "There is no such comparison",
        }
    }

    pub fn why(&self) -> &'static str {
        match self {
            Missing::Page => "The address may be mistyped, or the run may lie on another server.",
            Missing::Run => {
                "The address may be mistyped, the run may lie on another server, or the run may be private."
            }
            Missing::RunId => {
                "The address of a run has its id in it: 32 characters from 0 to 9 and from a to \
                f. This one may be cut off."
            }
            Missing::Withdrawn => "Its owner withdrew it, so its content is no longer available.",
            Missing::Episode(_) => {
                "The run has no episode of this name, or the episode has not begun yet."
            }
            Missing::Board => "The address may be mistyped, or the board no longer has any runs.",
            Missing::Table => {
                "The address may be mistyped, or the table may be one of another server."
            }
            Missing::Comparison(_) => {
                "Such an address names two runs and an episode of theirs. One of the three cannot be read."
            }
            Missing::ComparedEpisode(_) => "Neither of the two runs has an episode of this name.",
        }
    }

    /// Where to go on: an address, and what it is called.
    pub fn onward(&self) -> (String, &'static str) {
        match self {
            Missing::Page | Missing::Run | Missing::RunId | Missing::Withdrawn => {
                ("/".to_owned(), words::TO_RUNS)
            }
            Missing::Episode(run) => (address::run(run, &Wall::default()), "To the run"),
            Missing::Board => ("/boards".to_owned(), "To all boards"),
            Missing::Table => ("/play".to_owned(), "Open a table"),
            Missing::Comparison(runs) => (address::compare(runs), "Choose runs to compare"),
            Missing::ComparedEpisode(runs) => (address::compare(runs), "Compare the two runs"),
        }
    }
}

/// The code with which the server says that something is not there, or not for this reader.
const NOT_FOUND: &str = "not_found";

/// Whether an error says that what was asked for is not there.
pub fn is_missing(problem: &ApiError) -> bool {
    problem.code == NOT_FOUND
}

#[component]
pub fn MissingPage(missing: Missing) -> impl IntoView {
    let (title, why) = (missing.title(), missing.why());
    let (href, onward) = missing.onward();
    head::title(move || title.to_owned());
    view! {
        <div class="empty" id="missing">
            <span class="ribbon ribbon-mid" aria-hidden="true">
                <i class="turn k-search r-miss">"S"</i>
                <i class="turn k-search r-miss">"S"</i>
                <i class="turn k-invalid">"?"</i>
            </span>
            <h1>{title}</h1>
            <p>{why}</p>
            <a class="btn" href=href>
                {onward}
            </a>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(byte: u8) -> RunId {
        RunId::new([byte; 16])
    }

    #[test]
    fn every_missing_thing_is_named_and_leads_on() {
        let all = [
            Missing::Page,
            Missing::Run,
            Missing::RunId,
            Missing::Withdrawn,
            Missing::Episode(run(1)),
            Missing::Board,
            Missing::Table,
            Missing::Comparison(Vec::new()),
            Missing::ComparedEpisode([run(1), run(2)]),
        ];
        for missing in all {
            let (href, onward) = missing.onward();
            assert!(!missing.title().ends_with('.'), "{missing:?}");
            assert!(missing.why().ends_with('.'), "{missing:?}");
            assert!(href.starts_with('/') && !onward.is_empty(), "{missing:?}");
        }
    }

    #[test]
    fn an_episode_leads_to_its_run_and_a_comparison_to_its_runs() {
        let (one, other) = (run(1), run(2));
        assert_eq!(Missing::Episode(one.clone()).onward().0, format!("/run/{one}"));
        assert_eq!(
            Missing::Comparison(vec![one.clone()]).onward().0,
            format!("/compare?runs={one}")
        );
        assert_eq!(Missing::Comparison(Vec::new()).onward().0, "/compare");
        assert_eq!(
            Missing::ComparedEpisode([one.clone(), other.clone()]).onward().0,
            format!("/compare?runs={one},{other}")
        );
    }

    #[test]
    fn only_the_server_says_that_a_run_is_missing() {
        let said = |code: &str| Missing::run(&crate::api::error(code, ""));
        assert_eq!(said("not_found"), Some(Missing::Run));
        assert_eq!(said("withdrawn"), Some(Missing::Withdrawn));
        assert_eq!(said(crate::api::UNREACHABLE), None);
    }
}
