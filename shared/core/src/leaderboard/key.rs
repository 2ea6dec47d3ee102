//! What divides boards (ARCHITECTURE.md, rule 19), in words.

use serde_json::Value;

use crate::benchmark::{Benchmark, DEFAULT_SEED, default_lineup};
use crate::board::{Boards, plain};
use crate::caps::dollars;
use crate::hash::Digest;
use crate::prompt::Pack;
use crate::seat::Seat;
use crate::spec::{Budget, Spec, WebSpec};
use crate::wire::boards::Fixed;

/// Digits of a digest that are shown.
const DIGITS: usize = 12;

/// The prompt pack of a run that gets a board: the benchmark's own, or one of those that the operator lists. `None` if the run
/// gets none, because it has another one or its benchmark has no boards: else everybody could word a board of one's own.
pub fn listed_pack(benchmark: &dyn Benchmark, spec: &Spec, listed: &[Pack]) -> Option<Pack> {
    benchmark.boards()?;
    let own = benchmark.pack();
    let listed = listed.iter().cloned();
    let mut packs = [own].into_iter().chain(listed);
    packs.find(|pack| pack.digest() == spec.pack.digest)
}

/// The condition of a board in a few words, e.g. `full, 10 rounds`.
pub fn title(benchmark: &dyn Benchmark, boards: &Boards, spec: &Spec) -> String {
    let mut parts = (boards.condition)(spec);
    if benchmark.reads_tasks() {
        parts.push(spec.tasks.name.clone());
    }
    parts.extend(subset(spec).map(|subset| format!("only {subset}")));
    parts.extend(unusual(benchmark, spec));
    if spec.profile != crate::spec::Profile::default() {
        parts.push(spec.profile.name().to_owned());
    }
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// What else divides boards, where it is not as a run has it by default: who judges and answers, how many play, the seed.
fn unusual(benchmark: &dyn Benchmark, spec: &Spec) -> Vec<String> {
    let usual = default_lineup(benchmark);
    let players = benchmark.players(&spec.seats);
    let mut parts = Vec::new();
    for (seat, sitting) in &spec.seats {
        let by_default = usual.get(seat).map(|sitting| &sitting.player);
        if !players.contains_key(seat) && by_default != Some(&sitting.player) {
            parts.push(format!("{seat} {}", sitting.player));
        }
    }
    if players.len() != benchmark.players(&usual).len() {
        parts.push(format!("{} players", players.len()));
    }
    if let Some(WebSpec::Archive { archive }) = &spec.web {
        parts.push(format!("frozen web {}", short(archive)));
    }
    if benchmark.reads_tasks() && spec.seed != DEFAULT_SEED {
        parts.push(format!("seed {}", spec.seed));
    }
    parts
}

/// Everything that the runs of a board have in common.
pub fn fixed(benchmark: &dyn Benchmark, spec: &Spec) -> Vec<Fixed> {
    let mut all = Vec::new();
    let mut say = |what: &str, value: String| {
        if !value.is_empty() {
            all.push(Fixed { what: what.to_owned(), value });
        }
    };
    say("profile", spec.profile.name().to_owned());
    say("protocol", spec.protocol.to_string());
    if let Value::Object(settings) = benchmark.binding_settings(&spec.settings) {
        for (name, value) in settings.iter().filter(|(_, value)| !value.is_null()) {
            say(&name.replace('_', " "), plain(value));
        }
    }
    if benchmark.reads_tasks() {
        say("tasks", named(&spec.tasks.name, &spec.tasks.digest));
    }
    if let Some(subset) = subset(spec) {
        say("subset", subset);
    }
    say("prompt pack", named(&spec.pack.name, &spec.pack.digest));
    for (seat, sitting) in &spec.seats {
        if !benchmark.is_evaluated(seat) {
            say(seat.as_str(), sitting.player.to_string());
        }
    }
    if let Some(search) = &spec.search {
        let corpus = search.corpus.as_ref().map(|corpus| format!(", documents {}", short(corpus)));
        let results = search.results;
        say(
            "search",
            format!("{}, {results} results{}", search.engine, corpus.unwrap_or_default()),
        );
    }
    match &spec.web {
        Some(WebSpec::Live) => say("web", "live".to_owned()),
        Some(WebSpec::Archive { archive }) => say("web", format!("archive {}", short(archive))),
        None => {}
    }
    say("budget of an episode", budget(&spec.budget));
    if benchmark.reads_tasks() {
        say("seed", spec.seed.to_string());
    } else {
        say(
            "players",
            spec.seats.keys().filter(|seat| benchmark.is_evaluated(seat)).count().to_string(),
        );
    }
    all
}

/// Which of the tasks are played, where it is not all of them.
fn subset(spec: &Spec) -> Option<String> {
    let subset = &spec.subset;
    let mut parts = Vec::new();
    if !subset.ids.is_empty() {
        parts.push(format!("{} named tasks", subset.ids.len()));
    }
    for (label, values) in &subset.labels {
        parts.push(format!("{label} {}", values.join("/")));
    }
    if let Some(random) = &subset.random {
        parts.push(format!("{} by chance, seed {}", random.count, random.seed));
    }
    parts.extend(subset.first.map(|first| format!("the first {first}")));
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn budget(budget: &Budget) -> String {
    let mut parts = vec![format!("{} calls", budget.calls)];
    parts.extend(budget.tokens.map(|most| format!("{most} tokens")));
    parts.extend(budget.searches.map(|most| format!("{most} searches")));
    parts.extend(budget.money.map(|most| format!("${:.2}", dollars(most))));
    parts.extend(budget.seconds.map(|most| format!("{most} s")));
    parts.join(", ")
}

fn named(name: &str, digest: &Digest) -> String {
    match name {
        "" => short(digest),
        name => format!("{name} ({})", short(digest)),
    }
}

fn short(digest: &Digest) -> String {
    digest.to_string().chars().take(DIGITS).collect()
}

/// How a seat is called in games, e.g. `seat 3`.
pub(super) fn seat_name(seat: &Seat) -> String {
    format!("seat {seat}")
}
