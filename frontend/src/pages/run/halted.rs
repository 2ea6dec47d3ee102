//! Why a run has paused by itself, what to mend, and the way on.

use turnwise_shared::run::Halt;
use turnwise_shared::wire::Probe;
use turnwise_shared::wire::budgets::{Kind, Scope, SetCaps, Short};

use super::budget::Watched;
use super::budget::change::set_caps;
use crate::live::{Control, RunView};
use crate::plan::caps::{shown, typed};
use crate::prelude::*;
use crate::strings::{budgets, providers as words, run as run_words};
use crate::{api, clock};

/// Milliseconds of a day.
const DAY: u64 = 86_400_000;

/// The note of a run that has paused by itself; nothing otherwise.
pub fn halted(id: RunId, view: RunView, watched: Watched) -> impl IntoView {
    let halt = Memo::new(move |_| view.pace.and_then(|pace| pace.halt.clone()));
    move || halt.get().map(|halt| note(id.clone(), halt, view, watched))
}

fn note(id: RunId, halt: Halt, view: RunView, watched: Watched) -> impl IntoView + use<> {
    let go_on = move || view.order(Control::resume);
    let is_budget = halt.class == FailureClass::BudgetExhausted;
    let was_short = StoredValue::new(false);
    let who = halt.who.clone();
    let short = Memo::new(move |_| match is_budget {
        true => watched.now.with(|budget| short(budget.as_ref(), was_short)),
        false => None,
    });
    let text = Memo::new(move |_| {
        short.get().map(|(short, more)| (paused(&short), more)).unwrap_or_else(|| {
            let mut more = words::said_at_last(&halt);
            if let Some(until) = halt.until {
                more = format!("{more} {}", words::until(clock::moment(until)));
            }
            let more = format!("{more} {}", words::mend(halt.class));
            (words::halted(&halt), more)
        })
    });
    let ways = move || {
        let own = short.with(|short| short.as_ref().map(|(short, _)| raisable(short)));
        let own = own.unwrap_or_default();
        match own.is_empty() {
            true => any_view! {
                <button class="btn btn-primary" type="button" on:click=move |_| go_on()>
                    <SmallIcon name="play"/>
                    {run_words::RESUME}
                </button>
                {(!is_budget).then(|| test_again(&who))}
            },
            false => raise(id.clone(), own, watched, Callback::new(move |()| go_on())).into_any(),
        }
    };
    view! {
        <div class="note note-bad" role="alert" id="halted">
            <Icon name="warning"/>
            <p class="note-title">{move || text.get().0}</p>
            <p>{move || text.get().1}</p>
            <p class="soft">"On Resume, unanswered calls are sent again and failed episodes are replayed."</p>
            <div class="note-do">{ways}</div>
        </div>
    }
}

fn paused(short: &[Short]) -> String {
    match short.is_empty() {
        true => budgets::RESTS_WITH_ROOM.to_owned(),
        false => budgets::paused(short),
    }
}

/// Which budgets of a paused run are exhausted, and how to go on; an empty list once there is room again. `None` until the
/// budgets are known.
pub fn short(
    budget: Option<&RunBudgets>,
    was_short: StoredValue<bool>,
) -> Option<(Vec<Short>, String)> {
    let short = budget?.short();
    if !short.is_empty() {
        was_short.set_value(true);
        let more =
            format!("{} {}", budgets::short(&short), budgets::mend(&short, until_midnight()));
        return Some((short, more));
    }
    let room = || (Vec::new(), "Press Resume to continue.".to_owned());
    was_short.get_value().then(room)
}

/// The limits of the run itself that are too small; none where another budget is used up as well, with which a larger one of the run
/// does not help.
pub fn raisable(short: &[Short]) -> Vec<Short> {
    match short.iter().all(|one| one.of == Scope::Run) {
        true => short.to_vec(),
        false => Vec::new(),
    }
}

/// A limit with which the run goes on for a while: twice the old one, and room for the call that did not fit.
fn suggested(short: &Short) -> u64 {
    let needed = short.spent.saturating_add(short.wants.saturating_mul(2));
    let twice = short.cap.saturating_mul(2).max(needed).max(1);
    match short.kind {
        // Cents.
        Kind::Money => twice.div_ceil(10_000).saturating_mul(10_000),
        Kind::Tokens | Kind::Calls | Kind::Seconds => twice,
    }
}

/// A field for each limit that is too small, and one button that raises them and resumes.
pub fn raise(
    id: RunId,
    short: Vec<Short>,
    watched: Watched,
    resume: Callback<()>,
) -> impl IntoView + use<> {
    let texts: Vec<(Kind, RwSignal<String>)> = short
        .iter()
        .map(|one| {
            let text = shown(one.kind, Some(suggested(one)));
            (one.kind, RwSignal::new(text))
        })
        .collect();
    let fields: Vec<_> = texts
        .iter()
        .map(|&(kind, text)| {
            let id = format!("raise-{}", kind_name(kind));
            view! {
                <label class="small" for=id.clone()>
                    {budgets::raise_to(kind)}
                </label>
                <input
                    class="input input-num raise-to"
                    id=id
                    type="text"
                    autocomplete="off"
                    inputmode=if kind == Kind::Money { "decimal" } else { "numeric" }
                    aria-invalid=move || text.with(|text| typed(kind, text).is_err()).then_some("true")
                    bind:value=text
                />
            }
        })
        .collect();
    let busy = RwSignal::new(false);
    let problem = RwSignal::new(None::<ApiError>);
    let all = StoredValue::new(texts);
    let is_wrong = move || {
        all.with_value(|all| {
            all.iter().any(|(kind, text)| text.with(|text| typed(*kind, text).is_err()))
        })
    };
    let press = move |_| {
        if untrack(is_wrong) || busy.get_untracked() {
            return;
        }
        busy.set(true);
        let mut caps = untrack(|| watched.own()).map(|budget| budget.caps).unwrap_or_default();
        all.with_value(|all| {
            for (kind, text) in all {
                let cap = text.with_untracked(|text| typed(*kind, text)).unwrap_or(None);
                kind.set(&mut caps, cap);
            }
        });
        let id = id.clone();
        spawn_local(async move {
            match set_caps(&id, &SetCaps { caps }).await {
                Ok(now) => {
                    watched.told(now);
                    problem.try_set(None);
                    resume.try_run(());
                }
                Err(why) => problem.put(why),
            }
            busy.try_set(false);
        });
    };
    view! {
        {fields}
        <button
            class="btn btn-primary"
            type="button"
            disabled=move || is_wrong() || busy.get()
            on:click=press
        >
            <SmallIcon name="play"/>
            "Raise and resume"
        </button>
        <Trouble problem/>
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Money => "usd",
        Kind::Tokens => "tokens",
        Kind::Calls => "calls",
        Kind::Seconds => "seconds",
    }
}

/// Asks the model that failed for one word; a link to the connections for what is no model.
fn test_again(who: &str) -> AnyView {
    let model = who.strip_prefix("model:").and_then(|model| model.split_once('/'));
    let Some((provider, model)) = model else {
        return any_view! { <a class="btn" href="/connections">"Test again"</a> };
    };
    let probe = Probe::Model { provider: provider.to_owned(), model: model.to_owned() };
    let busy = RwSignal::new(false);
    let told = RwSignal::new(None::<Result<(), ApiError>>);
    let press = move |_| {
        busy.set(true);
        told.set(None);
        let probe = probe.clone();
        spawn_local(async move {
            let answer = api::probe(&probe).await.and_then(|probed| match probed.reply {
                Reply::Failed(failure) => Err(api::error("failed", failure.message)),
                _ => Ok(()),
            });
            told.put(answer);
            busy.try_set(false);
        });
    };
    any_view! {
        <button class="btn" type="button" disabled=busy on:click=press>
            "Test again"
        </button>
        <span class="small" role="status" id="tested">
            {move || match told.get() {
                None => busy.get().then(|| "Testing …".to_owned()),
                Some(Ok(())) => Some("It answers. Press Resume.".to_owned()),
                Some(Err(why)) => Some(why.message),
            }}
        </span>
    }
}

/// Milliseconds until a budget for the day is fresh, at midnight UTC.
fn until_midnight() -> u64 {
    DAY - clock::today() % DAY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suggested_limit_has_room_for_the_call_that_did_not_fit() {
        let short = |kind, cap, spent, wants| Short { of: Scope::Run, kind, cap, spent, wants };
        assert_eq!(suggested(&short(Kind::Calls, 2, 2, 1)), 4);
        assert_eq!(suggested(&short(Kind::Calls, 0, 0, 0)), 1);
        assert_eq!(suggested(&short(Kind::Money, 20_000, 15_000, 174_100)), 370_000);
        let day = Short { of: Scope::Server, ..short(Kind::Calls, 2, 2, 1) };
        assert_eq!(raisable(&[short(Kind::Calls, 2, 2, 1)]).len(), 1);
        assert!(raisable(&[short(Kind::Calls, 2, 2, 1), day]).is_empty());
    }
}
