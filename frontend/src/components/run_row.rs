//! A run in a list: what it is called, how well it did, how it stands.

use turnwise_shared::metrics::proportion::wilson;
use turnwise_shared::screen::words;

use crate::components::state::state;
use crate::keep::Wish;
use crate::prelude::*;
use crate::strings::{driving, home as strings};
use crate::view::compared::{self, is_swept};
use crate::view::listed;
use crate::{clock, driven};

/// A row; `before` and `after` stand at its ends.
pub fn run_row<B, A>(
    run: &RunInfo,
    wish: Option<Wish>,
    before: B,
    after: A,
) -> impl IntoView + use<B, A>
where
    B: IntoView + 'static,
    A: IntoView + 'static,
{
    let state = match (run.state, wish) {
        (RunState::Open | RunState::Running | RunState::Idle, _) if driven::has(&run.run) => {
            state(RunState::Running, driving::HERE)
        }
        (RunState::Running, _) if run.is_servers() => state(RunState::Running, driving::ON_SERVER),
        (RunState::Idle, Some(Wish::Run | Wish::Rest)) => {
            state(RunState::Idle, "idle; can be continued")
        }
        (other, _) => state(other, driving::state(other)),
    };
    let known = run.known();
    let ungraded = known.filter(|_| run.accuracy.is_none()).map(|known| known.words());
    let accuracy = run.accuracy.map(|accuracy| {
        let shown = number::shown(Some(accuracy), interval(run), Unit::Fraction);
        // An interval gives way where there is little room; how much is known does not.
        let (class, range) = match known {
            Some(known) => ("soft", Some(words::known(&known))),
            None => ("pm", shown.range),
        };
        let range = range.map(|range| format!(" ({range})"));
        view! {
            <b>{shown.value} " %"</b>
            <span class=class>{range}</span>
        }
    });
    // Of a sweep a number at each value, in the order in which its condition names them.
    let by_value = (!run.by_value.is_empty()).then(|| {
        let numbers = run.by_value.iter().map(|at| match at.accuracy {
            Some(_) => number::shown(at.accuracy, None, Unit::Fraction).value,
            None => "–".to_owned(),
        });
        let values = run.by_value.iter().map(|at| at.value.to_string());
        let at = format!(" (at {})", values.collect::<Vec<_>>().join(" / "));
        view! {
            <b>{numbers.collect::<Vec<_>>().join(" / ")} " %"</b>
            <span class="soft">{at}</span>
        }
    });
    let (count, player) = (
        strings::finished(number::count(run.finished), number::count(run.episodes)),
        compared::player(&run.spec),
    );
    let benchmark = &run.spec.benchmark;
    let title = registry::title(benchmark).unwrap_or(benchmark).to_owned();
    let tags = run.tags.clone().into_iter().map(|tag| {
        view! {
            <a class="tag" href=listed::of_tag(&tag)>
                {tag.clone()}
            </a>
        }
    });
    let age = format!("{} ago", number::duration(clock::today().saturating_sub(run.opened)));
    view! {
        <li class="run-row" data-run=run.run.to_string()>
            {before}
            <span class="run-name">
                <a href=format!("/run/{}", run.run)>{listed_name(run)}</a>
                {tags.collect_view()}
            </span>
            <span class="run-score num">{accuracy} {by_value} <span class="soft">{ungraded}</span></span>
            <span class="run-what">
                {title} " · " {player} " · " <span class="num">{count}</span>
            </span>
            <span class="run-state">{state}</span>
            <span class="run-age">{age}</span>
            {after}
        </li>
    }
}

/// A run's name; of one that was opened before runs had names, who played and under which condition.
pub fn listed_name(run: &RunInfo) -> String {
    match run.title.trim() {
        "" => {
            let parts = [Some(compared::player(&run.spec)), compared::condition(&run.spec)];
            parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
        }
        title => title.to_owned(),
    }
}

/// The interval of a finished run's accuracy. Where a task is played more than once, by repeats or in a sweep, it depends on every
/// task, and the run's page has it.
fn interval(run: &RunInfo) -> Option<(f64, f64)> {
    let n = u64::from(run.graded?);
    if run.state != RunState::Closed || run.spec.repeats != 1 || is_swept(&run.spec) {
        return None;
    }
    // A share of a count of episodes: rounding gives the count back. A mean of points is none.
    let right = run.accuracy? * n as f64;
    let is_count = (right - right.round()).abs() < 1e-6;
    wilson((right.round() as u64).min(n), n).filter(|_| is_count)
}
