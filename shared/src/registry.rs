//! The benchmarks of this program, one line each.

use crate::benchmark::Benchmark;
use crate::benchmarks::interactcomp::InteractComp;
use crate::benchmarks::paraworld::ParaWorld;
use crate::benchmarks::poker::Poker;
use crate::benchmarks::studio::Studio;
use crate::benchmarks::trust::Trust;
use crate::spec::BadSpec;

/// Every benchmark.
pub const BENCHMARKS: &[&dyn Benchmark] = &[&InteractComp, &Poker, &Trust, &ParaWorld, &Studio];

/// A benchmark by name.
///
/// # Errors
/// If there is none of that name; the error lists those that there are.
pub fn find(name: &str) -> Result<&'static dyn Benchmark, BadSpec> {
    BENCHMARKS
        .iter()
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
