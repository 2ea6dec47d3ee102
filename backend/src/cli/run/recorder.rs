//! Where everything that a run says is written down: its folder, the screen, and the summaries for the end.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use turnwise_backend::driver::{Finish, Recorder};
use turnwise_backend::run_folder::{FolderError, RunFolder};
use turnwise_shared::metrics::spending::{self, Amount};
use turnwise_shared::prelude::*;
use turnwise_shared::run::{Halt, Reason};

use super::driving::Resume;
use crate::cli::out::{self, say, say_err};
use crate::cli::screen::Screen;
use crate::cli::{Status, table};

pub struct RunRecorder {
    folder: RunFolder,
    screen: Screen,
    summaries: BTreeMap<EpisodeKey, Summary>,
    spec: Spec,
    options: MeasureOptions,
    /// What the run may spend.
    caps: Caps,
    /// The folder of the configuration, if one was named.
    data: Option<PathBuf>,
    /// What each episode has cost, with its grading once that has ended.
    costs: BTreeMap<EpisodeKey, Amount>,
    /// Tasks that cannot be played.
    unfit: u32,
    /// Gradings that ended without a score, because the grader could not be understood.
    unread: u32,
}

impl RunRecorder {
    /// A recorder for the run of a folder, whose numbers are made with these prices.
    pub fn new(
        folder: RunFolder,
        spec: Spec,
        options: MeasureOptions,
        caps: Caps,
        data: Option<PathBuf>,
    ) -> Self {
        RunRecorder {
            spec,
            options,
            caps,
            data,
            costs: BTreeMap::new(),
            folder,
            screen: Screen::new(),
            summaries: BTreeMap::new(),
            unfit: 0,
            unread: 0,
        }
    }

    /// Shows how far it came.
    pub fn end(&mut self, progress: &Progress) {
        self.screen.end(progress);
    }

    /// The episodes that have ended.
    pub fn episodes(&self) -> Vec<Summary> {
        self.summaries.values().cloned().collect()
    }

    /// Says the run's numbers, and where its transcripts are.
    pub fn say_numbers(&self, run: &Run) {
        let summaries: Vec<_> = self.summaries.values().collect();
        if let Ok(benchmark) = registry::find(&run.spec().benchmark) {
            let report = benchmark.report(run.spec(), &summaries, &self.options);
            out::text(table::report(&report));
        }
        say!("transcripts: {}", self.folder.path().display());
    }

    /// Says what the run lacks, and how it goes on.
    pub fn conclude(&self, run: &Run, finish: Finish) -> Status {
        let progress = run.progress();
        let resume = Resume {
            folder: self.folder.path(),
            caps: &self.caps,
            data: self.data.as_deref(),
            regrade: false,
        };
        let missing = progress.planned.saturating_sub(progress.graded);
        if finish == Finish::Over && missing == 0 && self.unread == 0 {
            say_why_calls_failed(&progress);
            return Status::Done;
        }
        say_why_calls_failed(&progress);
        if let Some(halt) = run.halt() {
            say_err!("{}", why_it_rests(halt));
        }
        if self.unread > 0 {
            say_err!(
                "{} episodes have no score, because the grader's replies could not be read; grade them again with: \
                 {}",
                self.unread,
                Resume { regrade: true, ..resume }
            );
        }
        let resumable = missing.saturating_sub(self.unfit);
        if resumable > 0 {
            say_err!(
                "{resumable} of {} episodes are not complete; go on with: {resume}",
                progress.planned
            );
        }
        if self.unfit > 0 {
            say_err!("{} tasks cannot be played under this spec", self.unfit);
        }
        Status::Incomplete
    }
}

/// How many reasons are printed in words.
const REASONS: usize = 6;

/// The most frequent reasons, and how many calls had others.
fn say_why_calls_failed(progress: &Progress) {
    let mut reasons: Vec<&Reason> = progress.reasons.iter().collect();
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.times));
    let rest = reasons.split_off(reasons.len().min(REASONS));
    for reason in reasons {
        say_err!("{}", why_calls_failed(reason));
    }
    let rest =
        rest.iter().fold(progress.other_reasons, |sum, reason| sum.saturating_add(reason.times));
    match rest {
        0 => {}
        1 => say_err!("and 1 other call, for another reason"),
        more => say_err!("and {more} other calls, for other reasons"),
    }
}

/// Why calls failed, or were sent otherwise than chosen, with the service's own words.
fn why_calls_failed(reason: &Reason) -> String {
    let Reason { who, failure, words, times } = reason;
    let calls = match times {
        1 => "1 call".to_owned(),
        more => format!("{more} calls"),
    };
    let what = match failure {
        Some(failure) => format!("{calls} to {who}: {failure}"),
        None => format!("{calls} to {who}: refused first, then sent otherwise and answered"),
    };
    match words {
        Some(words) => format!("{what}. The service says: {words}"),
        None => what,
    }
}

/// Why a run has paused by itself, and what to mend.
fn why_it_rests(halt: &Halt) -> String {
    let Halt { who, class, message, in_a_row, until, .. } = halt;
    let (what, mend) = match class {
        FailureClass::Unauthorised => {
            (format!("{who}: {message}"), "put a sound key into the environment or turnwise.toml")
        }
        FailureClass::Forbidden => (
            format!("{who}: {message}"),
            "settle it with the service, or choose another model, which needs a new run",
        ),
        FailureClass::Quota => (
            format!("{who}: {message}"),
            "add credit to the account, or wait until its quota is fresh",
        ),
        FailureClass::Blocked => {
            (format!("{who}: {message}"), "wait, or choose another engine or endpoint")
        }
        FailureClass::BudgetExhausted => (
            message.clone(),
            "give a larger --cap-usd, --cap-tokens, --cap-calls or --cap-seconds with --resume, or none (--cap-usd none)",
        ),
        _ => (
            format!("{who} failed {in_a_row} times in a row, at last because: {message}"),
            "see whether the service is up and the name of the model is right (turnwise providers test)",
        ),
    };
    let until = until.map_or_else(String::new, |until| {
        let moment = UNIX_EPOCH + Duration::from_millis(until);
        format!(". The service asks to wait until {}", httpdate::fmt_http_date(moment))
    });
    format!(
        "the run has paused by itself. {what}{until}. To mend it: {mend}. No call that waits is lost"
    )
}

impl Recorder for RunRecorder {
    type Error = FolderError;

    fn keep(
        &mut self,
        episode: &EpisodeKey,
        from: u64,
        lines: &[String],
    ) -> Result<(), FolderError> {
        self.folder.append(episode, from, lines)
    }

    fn timed(&mut self, ticket: &Ticket, timing: &Timing) -> Result<(), FolderError> {
        self.folder.timed(ticket, timing)
    }

    fn ended(&mut self, episode: &EpisodeKey, outcome: &Outcome, summary: Summary) {
        if outcome.ending == Outcome::BROKEN {
            self.screen.say(&format!(
                "{episode} broke its own rules ({}); please report this",
                outcome.result
            ));
        }
        let play = match episode.part() {
            PartKey::Play => episode.clone(),
            PartKey::Grading => {
                let is_unread = outcome.is_complete() && summary.score.is_none();
                self.unread += u32::from(is_unread);
                episode.its_play()
            }
        };
        let cost = spending::of(&self.spec, [&summary.usage], &self.options).total;
        self.costs.insert(play.clone(), cost);
        self.summaries.insert(play, summary);
    }

    fn unfit(&mut self, episode: &EpisodeKey, problem: &BadSpec) {
        self.unfit += 1;
        self.screen.say(&format!("{episode} is left out: {problem}"));
    }

    fn progress(&mut self, progress: &Progress) {
        let ahead = || {
            // The cost of episodes under way is not tracked here.
            let ended: Vec<_> = self.costs.values().copied().collect();
            spending::ahead(&ended, &[], progress.planned)
        };
        self.screen.show(progress, ahead);
    }
}
