//! How a run is driven: how many calls at once, when it pauses, and what it may spend. What is chosen stands in `run.json` and holds
//! until something else is chosen.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use clap::Args;

use turnwise_backend::clock::now;
use turnwise_backend::outbound::budget::journal::JOURNAL_FILE;
use turnwise_backend::outbound::budget::{Account, Reservations, Time};
use turnwise_backend::run_folder::{Driving, RunFile};
use turnwise_shared::caps::{self, MOST_DOLLARS, millionths};
use turnwise_shared::prelude::*;
use turnwise_shared::run::FAILURES_IN_A_ROW;
use turnwise_shared::scheduler::Permits;
use turnwise_shared::wire::budgets::{Kind, Scope};

use crate::cli::seats::ForSeat;
use crate::cli::trouble::with_path;

/// Calls at once, unless something else is chosen.
pub const CONCURRENCY: NonZeroUsize = NonZeroUsize::new(64).expect("64 is not 0");

/// The flags of `turnwise run`.
#[derive(Debug, Clone, Default, Args)]
pub struct DrivingFlags {
    #[arg(long, value_name = "N", help = concurrency(), value_parser = at_least_one)]
    concurrency: Option<NonZeroUsize>,

    /// Calls in flight at once from one seat, e.g. engine=32. May be repeated
    #[arg(long, value_name = "SEAT=N")]
    permits: Vec<ForSeat<NonZeroUsize>>,

    #[arg(long, value_name = "N", help = pause_after())]
    pause_after: Option<u32>,

    #[command(flatten)]
    caps: CapFlags,
}

/// A heading of the help. `next_help_heading` would hold for all flags that follow, of other structs, too.
const BUDGET: &str = "Budget of the whole run";

/// The flags of a budget.
#[derive(Debug, Clone, Default, Args)]
pub struct CapFlags {
    /// Money in US dollars. What a call can cost at most is set aside before it is sent, so this is never overspent; seats with
    /// a model need --max-tokens, and its price has to be known. All caps stand in run.json: after --resume they hold, and what
    /// was spent before counts, until others are given; `none` takes a cap away
    #[arg(long, help_heading = BUDGET, value_name = "USD", value_parser = dollars)]
    cap_usd: Option<Cap>,

    /// Tokens, read and written
    #[arg(long, help_heading = BUDGET, value_name = "N", value_parser = number)]
    cap_tokens: Option<Cap>,

    /// Calls sent, every attempt counted
    #[arg(long, help_heading = BUDGET, value_name = "N", value_parser = number)]
    cap_calls: Option<Cap>,

    /// Seconds for which the run goes on, after which nothing is sent. The time between a stop and --resume does not count
    #[arg(long, help_heading = BUDGET, value_name = "N", value_parser = number)]
    cap_seconds: Option<Cap>,

    /// A model (PROVIDER/MODEL) or a search engine that may be called under --cap-usd although its price is not known; what
    /// it costs is not counted. May be repeated; after --resume it is added to those of run.json
    #[arg(long, help_heading = BUDGET, value_name = "NAME")]
    unpriced: Vec<String>,
}

/// What a flag says of a cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cap {
    None,
    At(u64),
}

impl DrivingFlags {
    /// How the run is driven, if it was driven so before.
    pub fn over(&self, before: &Driving) -> Driving {
        let mut permits = before.permits.clone();
        permits.extend(self.permits.iter().map(|permits| (permits.seat.clone(), permits.value)));
        Driving {
            caps: self.caps.over(&before.caps),
            concurrency: self.concurrency.or(before.concurrency),
            permits,
            pause_after: self.pause_after.or(before.pause_after),
        }
    }

    /// The budget.
    pub fn caps(&self) -> &CapFlags {
        &self.caps
    }

    /// The same with these caps and no others.
    pub fn capped(self, caps: &Caps) -> Self {
        let cap = |kind: Kind| Some(kind.cap(caps).map_or(Cap::None, Cap::At));
        let caps = CapFlags {
            cap_usd: cap(Kind::Money),
            cap_tokens: cap(Kind::Tokens),
            cap_calls: cap(Kind::Calls),
            cap_seconds: cap(Kind::Seconds),
            unpriced: caps.unpriced.clone(),
        };
        DrivingFlags { caps, ..self }
    }
}

impl CapFlags {
    fn given(&self) -> [(Kind, Option<Cap>); 4] {
        [
            (Kind::Money, self.cap_usd),
            (Kind::Tokens, self.cap_tokens),
            (Kind::Calls, self.cap_calls),
            (Kind::Seconds, self.cap_seconds),
        ]
    }

    /// What the run may spend, if it had these caps before.
    pub fn over(&self, before: &Caps) -> Caps {
        let mut caps = before.clone();
        for (kind, given) in self.given() {
            match given {
                None => {}
                Some(Cap::None) => kind.set(&mut caps, None),
                Some(Cap::At(cap)) => kind.set(&mut caps, Some(cap)),
            }
        }
        let known = |name: &&String| !before.unpriced.contains(name);
        caps.unpriced.extend(self.unpriced.iter().filter(known).cloned());
        caps
    }

    /// Looks whether the caps of a run that is taken up are known. Earlier versions of this program did not write them down.
    ///
    /// # Errors
    /// If it had some, and none is given.
    pub fn known(&self, begun: Option<&RunFile>, out: &Path) -> Result<()> {
        let is_written = begun.is_some_and(|begun| begun.driving.is_some());
        let is_given = self.given().iter().any(|(_, given)| given.is_some());
        if is_written || is_given || !out.join(JOURNAL_FILE).exists() {
            return Ok(());
        }
        Err(with_path(
            out,
            "the run had a budget, and no run.json says which, because an earlier version began it; give its caps once more \
             (--cap-usd, --cap-tokens, --cap-calls, --cap-seconds), or go on without any: --cap-usd none",
        ))
    }
}

/// The account that pays for the calls of a run with these caps that has already run for `before`, and goes on from now on.
pub fn account(caps: &Caps, before: Duration) -> Account {
    let before = u64::try_from(before.as_millis()).unwrap_or(u64::MAX);
    let time = caps.seconds.map(|seconds| Time {
        seconds,
        until: now().saturating_add(seconds.saturating_mul(1000).saturating_sub(before)),
    });
    let budgets = vec![(Scope::Run, "run".to_owned(), caps.clone())];
    Account::new(budgets, time, Reservations::in_memory())
}

/// The command that goes on with a run. It repeats the budget, which holds without that, so that the user sees it.
#[derive(Debug, Clone, Copy)]
pub struct Resume<'a> {
    /// The run's folder.
    pub folder: &'a Path,
    /// What it may spend.
    pub caps: &'a Caps,
    /// The folder of the configuration, if one was named.
    pub data: Option<&'a Path>,
    /// Whether gradings without a score are made again.
    pub regrade: bool,
}

impl fmt::Display for Resume<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("turnwise run --resume")?;
        if self.regrade {
            f.write_str(" --regrade")?;
        }
        write!(f, " --out {}", word(self.folder))?;
        for kind in Kind::ALL {
            match (kind, kind.cap(self.caps)) {
                (_, None) => {}
                (Kind::Money, Some(cap)) => write!(f, " --cap-usd {}", caps::dollars(cap))?,
                (Kind::Tokens, Some(cap)) => write!(f, " --cap-tokens {cap}")?,
                (Kind::Calls, Some(cap)) => write!(f, " --cap-calls {cap}")?,
                (Kind::Seconds, Some(cap)) => write!(f, " --cap-seconds {cap}")?,
            }
        }
        match self.data {
            Some(data) => write!(f, " --data {}", word(data)),
            None => Ok(()),
        }
    }
}

/// A path as one word of a shell.
fn word(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |character: char| {
        character.is_alphanumeric()
            || "/._-+=:@,%".contains(character)
            || character == std::path::MAIN_SEPARATOR
    };
    match text.chars().all(is_plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

fn dollars(text: &str) -> Result<Cap, String> {
    let usd = text.parse().ok();
    cap(text, usd.and_then(millionths)).ok_or_else(|| {
        format!(
            "write an amount of dollars from 0 to {MOST_DOLLARS}, with at most six decimals, or none"
        )
    })
}

fn number(text: &str) -> Result<Cap, String> {
    cap(text, text.parse().ok()).ok_or_else(|| "write a whole number, or none".to_owned())
}

fn cap(text: &str, amount: Option<u64>) -> Option<Cap> {
    match text.eq_ignore_ascii_case("none") {
        true => Some(Cap::None),
        false => amount.map(Cap::At),
    }
}

fn concurrency() -> String {
    let own = BENCHMARKS.iter().filter(|benchmark| benchmark.permits() == Permits::EachSeat);
    let names: Vec<_> = own.map(|benchmark| benchmark.name()).collect();
    let mut help = "Calls in flight at once, over all episodes".to_owned();
    if !names.is_empty() {
        help.push_str(&format!("; for {}: of each seat with a model", names.join(", ")));
    }
    format!("{help}. Default: {CONCURRENCY}, after --resume as before")
}

fn pause_after() -> String {
    format!(
        "After so many failures in a row of the same model or search engine the run stops, and can be resumed; 0: never. It \
         always stops when a key is refused or an account has no credit left. Default: {FAILURES_IN_A_ROW}, after --resume as before"
    )
}

fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    match text.parse() {
        Ok(0) => Err("at least one call has to be in flight".into()),
        Ok(count) => NonZeroUsize::new(count).ok_or_else(|| "write a whole number".into()),
        Err(_) => Err("write a whole number".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caps(money: Option<u64>, calls: Option<u64>) -> Caps {
        Caps { money, calls, ..Caps::default() }
    }

    #[test]
    fn what_is_not_named_holds() {
        let before = Driving {
            caps: Caps { unpriced: vec!["up/m".to_owned()], ..caps(Some(10_500_000), Some(7)) },
            concurrency: NonZeroUsize::new(3),
            permits: [("player".into(), CONCURRENCY)].into(),
            pause_after: Some(0),
        };
        assert_eq!(DrivingFlags::default().over(&before), before);
        let flags = DrivingFlags {
            pause_after: Some(4),
            caps: CapFlags {
                cap_usd: Some(Cap::None),
                cap_calls: Some(Cap::At(9)),
                unpriced: vec!["up/m".to_owned(), "web".to_owned()],
                ..CapFlags::default()
            },
            ..DrivingFlags::default()
        };
        let after = flags.over(&before);
        assert_eq!((after.caps.money, after.caps.calls), (None, Some(9)));
        assert_eq!(after.caps.unpriced, ["up/m", "web"]);
        assert_eq!(after.pause_after, Some(4));
        assert_eq!(after.permits, before.permits);
    }

    #[test]
    fn a_command_that_goes_on_can_be_pasted() {
        let of = |folder: &str, caps: &Caps, data: Option<&str>| {
            Resume { folder: Path::new(folder), caps, data: data.map(Path::new), regrade: false }
                .to_string()
        };
        assert_eq!(of("runs/a", &Caps::default(), None), "turnwise run --resume --out runs/a");
        assert_eq!(
            of("my runs/it's", &caps(Some(10_500_000), Some(3)), Some("/d")),
            r"turnwise run --resume --out 'my runs/it'\''s' --cap-usd 10.5 --cap-calls 3 --data /d"
        );
    }

    #[test]
    fn a_cap_is_an_amount_or_none() {
        assert_eq!(dollars("10.5"), Ok(Cap::At(10_500_000)));
        assert_eq!(dollars("None"), Ok(Cap::None));
        assert_eq!(number("0"), Ok(Cap::At(0)));
        for wrong in ["", "nothing", "-1", "1e99", "0.0000001"] {
            assert!(dollars(wrong).is_err() && number(wrong).is_err(), "{wrong}");
        }
    }
}
