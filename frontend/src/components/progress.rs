//! How far a run is, while it is driven here: what happens now, how long it took, what is left, and the buttons.

use leptos::prelude::*;
use turnwise_shared::run::Progress;

use crate::components::icons::Icon;
use crate::live::{Driving, Pace, RunView};
use crate::strings::progress as strings;
use crate::view::{figures, number};

/// The progress of a run that is driven in this page; nothing for any other.
#[component]
pub fn RunProgress(
    /// The run.
    view: RunView,
) -> impl IntoView {
    let both = move || view.progress.get().zip(view.pace.get());
    // What screen readers hear changes with the state, not with every number.
    let driving = Memo::new(move |_| view.pace.get().map(|pace| pace.driving));
    view! {
        <Show when=move || driving.get().is_some()>
            <section class="card stack-2" aria-label=strings::LABEL>
                {move || both().map(|(progress, pace)| view! { <Numbers progress pace/> })}
                <div class="row">
                    <Buttons view driving/>
                    <span class="push small soft" role="status">
                        {move || driving.get().map(strings::state)}
                    </span>
                </div>
            </section>
        </Show>
    }
}

#[component]
fn Numbers(progress: Progress, pace: Pace) -> impl IntoView {
    let Progress {
        planned,
        under_way,
        graded,
        incomplete,
        flying,
        answered,
        tokens,
        ref failures,
        ..
    } = progress;
    let share = f64::from(graded) / f64::from(planned.max(1));
    let failures: Vec<_> = failures
        .iter()
        .map(|(class, count)| {
            view! {
                <span class="is-fault">
                    {figures::failure_name(*class)} " "<b>{number::count(u64::from(*count))}</b>
                </span>
            }
        })
        .collect();
    let left = match pace.left {
        Some(left) if pace.driving == Driving::Running => strings::left(&number::duration(left)),
        _ => String::new(),
    };
    view! {
        <div class="progress">
            <div class="progress-head">
                <span class="progress-now">
                    <b>{strings::done(graded, planned)}</b>
                    {strings::under_way(under_way)}
                </span>
                <span class="progress-left">{number::duration(pace.elapsed)} {left}</span>
            </div>
            <progress max=planned value=graded>
                {number::fixed(share * 100.0, 0)}
                " %"
            </progress>
            <div class="tally">
                <span>{strings::CALLS} " "<b>{number::count(u64::from(answered))}</b></span>
                <span>{strings::FLYING} " "<b>{number::count(u64::from(flying))}</b></span>
                <span>{strings::TOKENS} " "<b>{number::short(tokens)}</b></span>
                {(incomplete > 0)
                    .then(|| {
                        view! {
                            <span class="is-fault">
                                {strings::INCOMPLETE} " "<b>{number::count(u64::from(incomplete))}</b>
                            </span>
                        }
                    })}
                {failures}
                {(pace.unstored > 0)
                    .then(|| view! { <span>{strings::UNSTORED} " "<b>{number::count(pace.unstored as u64)}</b></span> })}
            </div>
        </div>
    }
}

#[component]
fn Buttons(view: RunView, driving: Memo<Option<Driving>>) -> impl IntoView {
    let with_control = move |act: fn(&crate::live::Control)| {
        move |_| {
            if let Some(control) = view.control.get_untracked() {
                act(&control);
            }
        }
    };
    let goes = move || {
        matches!(
            driving.get(),
            Some(Driving::Running | Driving::Reconnecting)
        )
    };
    let rests = move || driving.get() == Some(Driving::Paused);
    view! {
        <Show when=goes>
            <button class="btn btn-small" type="button" on:click=with_control(|control| control.pause())>
                <Icon name="pause"/>
                {strings::PAUSE}
            </button>
        </Show>
        <Show when=rests>
            <button class="btn btn-small btn-primary" type="button" on:click=with_control(|control| control.resume())>
                <Icon name="play"/>
                {strings::GO_ON}
            </button>
        </Show>
        <Show when=move || goes() || rests()>
            <button class="btn btn-small btn-danger" type="button" on:click=with_control(|control| control.cancel())>
                <Icon name="stop"/>
                {strings::CANCEL}
            </button>
        </Show>
    }
}
