//! Whether and how a benchmark is played over sealed tasks.

use super::Benchmark;
use crate::sealed::Sealing;
use crate::seat::Player;
use crate::spec::{BadSpec, Spec};
use crate::task::{TaskSet, TaskSetOrigin};

/// How a spec is played over sealed tasks.
///
/// # Errors
/// The first part of it that cannot be, or that would tell what is hidden.
pub fn check_sealed(
    benchmark: &dyn Benchmark,
    spec: &Spec,
) -> Result<&'static dyn Sealing, BadSpec> {
    let Some(sealing) = benchmark.sealing() else {
        let problem = format!("{} cannot be played over sealed tasks", benchmark.title());
        return Err(BadSpec::new("tasks", problem));
    };
    let pack = benchmark.pack();
    if spec.pack.digest != pack.digest() {
        let problem = format!(
            "over sealed tasks the prompt pack is the benchmark's own, {}: another could ask for what is hidden",
            pack.name
        );
        return Err(BadSpec::new("pack", problem));
    }
    if spec.protocol != benchmark.protocol() {
        let problem = format!("version {} of the protocol is played", benchmark.protocol());
        return Err(BadSpec::new("protocol", problem));
    }
    for (seat, sitting) in &spec.seats {
        if !sealing.seats().contains(&seat.as_str()) {
            continue;
        }
        let why = match &sitting.player {
            Player::Bot(_) | Player::Model { .. } => continue,
            Player::Person => "a person there would read what is hidden",
            Player::Recording(_) => {
                "a recording would say what was said of other tasks, or of opened ones"
            }
        };
        let problem = format!("the tasks are sealed, and {why}; choose a model or a bot");
        return Err(BadSpec::new(format!("seats.{seat}"), problem));
    }
    sealing.check(spec)?;
    Ok(sealing)
}

/// How a run over these tasks is sealed; `None` if they are not.
///
/// # Errors
/// As of [`check_sealed`].
pub fn sealing_of(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    tasks: &TaskSet,
) -> Result<Option<&'static dyn Sealing>, BadSpec> {
    match tasks.origin {
        TaskSetOrigin::Sealed => check_sealed(benchmark, spec).map(Some),
        TaskSetOrigin::Plain | TaskSetOrigin::Encrypted { .. } => Ok(None),
    }
}
