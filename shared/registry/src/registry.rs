//! The benchmarks of this program, one line each.

use turnwise_core::benchmark::{Benchmark, Legend};
use turnwise_core::spec::BadSpec;
use turnwise_inspect::Inspect;
use turnwise_interactcomp::InteractComp;
use turnwise_math::Math;
use turnwise_paraworld::ParaWorld;
use turnwise_paraworld::studio::Studio;
use turnwise_poker::Poker;
use turnwise_situation_puzzle::SituationPuzzle;
use turnwise_trust::Trust;

macro_rules! benchmarks {
    (played: $($played:ident),+; read: $($read:ident),+) => {
        /// Every benchmark.
        pub const BENCHMARKS: &[&dyn Benchmark] = &[$(&$played),+];

        /// What is read here and cannot be played.
        const READ_ONLY: &[&dyn Benchmark] = &[$(&$read),+];

        /// What a benchmark is called, one that is only read included; `None` if there is none of that name. Whoever asks
        /// this alone has no benchmark in their program.
        pub fn title(name: &str) -> Option<&'static str> {
            let titles = [$(($played.name(), $played.title()),)+ $(($read.name(), $read.title())),+];
            titles.into_iter().find(|(known, _)| *known == name).map(|(_, title)| title)
        }

        /// The name of the first of them.
        pub fn first() -> &'static str {
            [$($played.name()),+][0]
        }

        /// What the signs of a benchmark's ribbons mean.
        pub fn legend(name: &str) -> Legend {
            let legends = [$(($played.name(), $played.legend())),+];
            let legend = legends.into_iter().find(|(known, _)| *known == name);
            legend.map(|(_, legend)| legend).unwrap_or_default()
        }

        /// Whether a benchmark of that name has leaderboards.
        pub fn has_boards(name: &str) -> bool {
            let boards = [$(($played.name(), $played.boards().is_some())),+];
            boards.contains(&(name, true))
        }

        /// Whether a benchmark of that name can be played here; others are only read.
        pub fn is_played(name: &str) -> bool {
            [$($played.name()),+].contains(&name)
        }
    };
}

benchmarks! {
    played: InteractComp, Poker, Trust, ParaWorld, Studio, Math, SituationPuzzle;
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
            let names: Vec<_> = BENCHMARKS
                .iter()
                .map(|benchmark| benchmark.name())
                .collect();
            BadSpec::new(
                "benchmark",
                format!(
                    "{name:?} is not a benchmark of this program; there is {}",
                    names.join(", ")
                ),
            )
        })
}
