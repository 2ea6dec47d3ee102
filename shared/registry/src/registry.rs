//! The benchmarks of this program, one line each.

use std::ops::Deref;
use std::sync::OnceLock;

use turnwise_audit::Audit;
use turnwise_core::benchmark::{Benchmark, Legend};
use turnwise_core::spec::{BadSpec, Spec};
use turnwise_core::transcript::TaskRef;
use turnwise_infodeepseek::InfoDeepSeek;
use turnwise_inspect::Inspect;
use turnwise_interactcomp::InteractComp;
use turnwise_math::Math;
use turnwise_paraworld::ParaWorld;
use turnwise_poker::Poker;
use turnwise_situation_puzzle::SituationPuzzle;
use turnwise_trust::Trust;
use turnwise_ui2html::Ui2Html;
use turnwise_worlds::Studio;

/// The judges of all benchmarks are audited. The list below names type and value alike.
#[expect(non_upper_case_globals, reason = "it stands beside its type, as the value of a unit does")]
const Audit: Audit = Audit { others: || BENCHMARKS };

/// Every benchmark, in the order in which they are listed.
pub const BENCHMARKS: &Benchmarks = &Benchmarks;

/// The list of all benchmarks.
#[derive(Debug)]
pub struct Benchmarks;

/// The list once a benchmark was added.
static WITH_ADDED: OnceLock<Vec<&'static dyn Benchmark>> = OnceLock::new();

impl Deref for Benchmarks {
    type Target = [&'static dyn Benchmark];

    fn deref(&self) -> &Self::Target {
        WITH_ADDED.get().map_or(OWN, Vec::as_slice)
    }
}

impl IntoIterator for &Benchmarks {
    type Item = &'static &'static dyn Benchmark;
    type IntoIter = std::slice::Iter<'static, &'static dyn Benchmark>;

    fn into_iter(self) -> Self::IntoIter {
        WITH_ADDED.get().map_or(OWN, Vec::as_slice).iter()
    }
}

/// Adds a benchmark to those of the program, once and at its start. Tests show with it that a benchmark needs no other line anywhere.
///
/// # Panics
/// If one was added before, or one of that name exists.
pub fn add(benchmark: &'static dyn Benchmark) {
    let is_new = find(benchmark.name()).is_err();
    assert!(is_new, "a benchmark of this name exists");
    let all = OWN.iter().copied().chain([benchmark]).collect();
    assert!(WITH_ADDED.set(all).is_ok(), "one was added before");
}

/// The benchmark of that name that was added.
fn added(name: &str) -> Option<&'static dyn Benchmark> {
    let all = WITH_ADDED.get()?;
    all.last().copied().filter(|last| last.name() == name)
}

macro_rules! benchmarks {
    (played: $($played:ident),+; read: $($read:ident),+) => {
        /// Every benchmark of the program itself.
        const OWN: &[&dyn Benchmark] = &[$(&$played),+];

        /// What is read here and cannot be played.
        const READ_ONLY: &[&dyn Benchmark] = &[$(&$read),+];

        /// What a benchmark is called, one that is only read included; `None` if there is none of that name. A program
        /// that asks this alone has no benchmark linked in.
        pub fn title(name: &str) -> Option<&'static str> {
            let titles = const { [$(($played::FACTS.name, $played::FACTS.title),)+ $(($read::FACTS.name, $read::FACTS.title)),+] };
            let own = titles.into_iter().find(|(known, _)| *known == name);
            own.map(|(_, title)| title).or_else(|| Some(added(name)?.title()))
        }

        /// The name of the first of them.
        pub fn first() -> &'static str {
            const { [$($played::FACTS.name),+][0] }
        }

        /// What the signs of a benchmark's ribbons mean.
        pub fn legend(name: &str) -> Legend {
            let legends = const { [$(($played::FACTS.name, $played::FACTS.legend)),+] };
            let own = legends.into_iter().find(|(known, _)| *known == name);
            let own = own.map(|(_, legend)| legend);
            own.or_else(|| Some(added(name)?.legend())).unwrap_or_default()
        }

        /// What a task of a run is called, where its benchmark does not call it by its id.
        pub fn task_name(spec: &Spec, task: &TaskRef) -> Option<String> {
            let name = spec.benchmark.as_str();
            $(if name == const { $played::FACTS.name } {
                return ($played::FACTS.task_name)(spec, task);
            })+
            added(name)?.task_name(spec, task)
        }

        /// Whether a benchmark of that name has leaderboards.
        pub fn has_boards(name: &str) -> bool {
            let boards = const { [$(($played::FACTS.name, $played::FACTS.boards.is_some())),+] };
            boards.contains(&(name, true)) || added(name).is_some_and(|one| one.boards().is_some())
        }

        /// Whether a benchmark of that name can be played here; others are only read.
        pub fn is_played(name: &str) -> bool {
            const { [$($played::FACTS.name),+] }.contains(&name) || added(name).is_some()
        }
    };
}

benchmarks! {
    played: InteractComp, Poker, Trust, ParaWorld, Studio, Math, SituationPuzzle, Ui2Html, InfoDeepSeek, Audit;
    read: Inspect
}

/// A benchmark by name, one that is only read included.
///
/// # Errors
/// If there is none of that name; the error lists those that there are.
pub fn find(name: &str) -> Result<&'static dyn Benchmark, BadSpec> {
    BENCHMARKS
        .iter()
        .chain(READ_ONLY)
        .copied()
        .find(|benchmark| benchmark.name() == name)
        .ok_or_else(|| {
            let names: Vec<_> = BENCHMARKS.iter().map(|benchmark| benchmark.name()).collect();
            BadSpec::new(
                "benchmark",
                format!(
                    "{name:?} is not a benchmark of this program; there is {}",
                    names.join(", ")
                ),
            )
        })
}
