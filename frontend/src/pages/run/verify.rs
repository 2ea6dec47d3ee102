//! "Verify here": what a reader's own browser can check of a run, with what agreed, what was withheld and what was not checked.

mod apart;
mod found;
mod work;

use found::{Found, Going, Verdict};

use crate::later::later;
use crate::prelude::*;
use crate::strings::publishing as words;
use crate::{api, live};

later! {
    /// Checks a run, or one episode of it.
    work: fn verify(id: RunId, only: Option<EpisodeKey>, going: RwSignal<Going>) -> LocalBoxFuture<'static, Found> {
        Box::pin(verify_here(id, only, going))
    }
}

/// The section with its button, its progress and its result.
#[component]
pub fn Verify(
    id: RunId,
    /// The episode to which it is limited, with its grading.
    #[prop(optional)]
    only: Option<EpisodeKey>,
) -> impl IntoView {
    let only = StoredValue::new(only);
    let info = live::view(&id).info;
    let graded = RwSignal::new(None::<RunInfo>);
    let regrades = Memo::new(move |_| info.and_then(|info| info.regrades.clone()));
    Effect::new(move |_| {
        if let Some(plays) = regrades.get() {
            // Where it cannot be had the check itself says so.
            spawn_local(async move { drop(graded.try_set(api::run(&plays).await.ok())) });
        }
    });
    // What a run is does not change while it is read.
    let kind = Memo::new(move |_| {
        let graded = graded.get();
        info.with(|info| {
            let of = |info| Kind::of(info, graded.as_ref());
            info.as_ref().map_or(Kind::Whole, of)
        })
    });
    let going = RwSignal::new(Going::Not);
    let found = RwSignal::new(None::<Found>);
    let id = StoredValue::new(id);
    let start = move |_| {
        found.set(None);
        going.set(Going::Receipts(0));
        spawn_local(async move {
            let here = verify(id.get_value(), only.get_value(), going).await;
            let result = match here {
                Ok(checking) => checking.await,
                Err(why) => Found::not(why.into()),
            };
            found.put(result);
            going.try_set(Going::Not);
        });
    };
    let progress = move || match going.get() {
        Going::Not => None,
        Going::Receipts(count) => Some((format!("{} receipts", number::count(count)), None)),
        Going::Transcripts(done, of) => Some((
            format!("{} of {} transcripts", number::count(done), number::count(of)),
            Some((done, of)),
        )),
        Going::Stop => Some((words::VERIFY_STOP.to_owned(), None)),
    };
    let is_going = move || going.with(|going| *going != Going::Not);
    view! {
        <section class="section stack" aria-labelledby="verify-head">
            <div class="section-head">
                <h2 id="verify-head">{move || kind.with(|kind| kind.heading())}</h2>
                <Show
                    when=is_going
                    fallback=move || {
                        view! {
                            <button class="btn btn-small" type="button" id="verify" on:click=start>
                                {move || kind.with(|kind| kind.start())}
                            </button>
                        }
                    }
                >
                    <button
                        class="btn btn-small"
                        type="button"
                        id="verify-stop"
                        on:click=move |_| going.set(Going::Stop)
                    >
                        {words::VERIFY_STOP}
                    </button>
                </Show>
            </div>
            {move || kind.with(|kind| about(kind, only.with_value(Option::is_some)))}
            {move || {
                progress().map(|(text, part)| {
                    let bar = part.map(|(done, of)| view! { <progress max=of value=done></progress> });
                    view! {
                        <p role="status">{text} " " {bar}</p>
                    }
                })
            }}
            {move || found.map(shown)}
        </section>
    }
}

/// What of a run can be checked here.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Whole,
    /// Not what was said: it was said in another system.
    Imported,
    /// Not what was said before the turn from which it goes on.
    Branch(BranchOf),
    /// The same of an episode that was graded again.
    GradedBranch(BranchOf),
}

impl Kind {
    /// `graded` is the run whose plays it grades again, where it does.
    fn of(info: &RunInfo, graded: Option<&RunInfo>) -> Self {
        let graded = graded.and_then(|graded| graded.branch_of.clone());
        match (&info.branch_of, graded) {
            (Some(of), _) => Kind::Branch(of.clone()),
            (None, Some(of)) => Kind::GradedBranch(of),
            (None, None) if info.spec.is_imported() => Kind::Imported,
            (None, None) => Kind::Whole,
        }
    }

    fn heading(&self) -> &'static str {
        match self {
            Kind::Whole => "Verify here",
            Kind::Imported | Kind::Branch(_) | Kind::GradedBranch(_) => "Check here",
        }
    }

    fn start(&self) -> &'static str {
        match self {
            Kind::Whole => "Verify now",
            Kind::Imported | Kind::Branch(_) | Kind::GradedBranch(_) => "Check now",
        }
    }
}

/// What pressing the button does.
fn about(kind: &Kind, one_episode: bool) -> impl IntoView + use<> {
    let text = match (kind, one_episode) {
        (Kind::Whole, false) => words::VERIFY_ABOUT,
        (Kind::Whole, true) => words::VERIFY_EPISODE_ABOUT,
        (Kind::Imported, false) => words::IMPORTED_ABOUT,
        (Kind::Imported, true) => words::IMPORTED_EPISODE_ABOUT,
        (Kind::Branch(_), _) => words::BRANCHED_ABOUT,
        (Kind::GradedBranch(_), _) => words::GRADED_BRANCH_ABOUT,
    };
    let parent = match kind {
        Kind::Branch(of) | Kind::GradedBranch(of) => {
            let place = Place { turn: Some(of.turn), ..Place::default() };
            let href = address::episode(&of.run, &of.episode, &place);
            Some(view! {
                " "
                <a href=href id="verify-parent">"the episode that it goes on from"</a>
                "."
            })
        }
        Kind::Whole | Kind::Imported => None,
    };
    view! {
        <p class="soft read" id="verify-about">{text} {parent}</p>
    }
}

/// Checks a run, or one episode of it; how far it is stands in `going`.
async fn verify_here(id: RunId, only: Option<EpisodeKey>, going: RwSignal<Going>) -> Found {
    work::verify(&id, only, going).await
}

fn shown(found: &Found) -> AnyView {
    let verdict = match &found.verdict {
        Verdict::Agrees => any_view! {
            <div class="note note-good" role="status"><p class="note-title">"Everything that was checked agrees."</p></div>
        },
        Verdict::Stopped => any_view! {
            <div class="note" role="status"><p class="note-title">"Stopped; what was checked until then agrees."</p></div>
        },
        Verdict::Nothing(why) => any_view! {
            <div class="note" role="status"><p class="note-title">{why.clone()}</p></div>
        },
        Verdict::Wrong(why) => any_view! {
            <div class="note note-bad" role="alert">
                <p class="note-title">"This run is not what it says."</p>
                <p>{why.clone()}</p>
            </div>
        },
        Verdict::Trouble(problem) => {
            any_view! { <Trouble problem=Some(problem.clone())/> }
        }
    };
    let list = |title: &'static str, items: &[String]| {
        (!items.is_empty()).then(|| {
            let items: Vec<_> =
                items.iter().map(|item| view! { <li>{item.clone()}</li> }).collect();
            view! {
                <div>
                    <h3>{title}</h3>
                    <ul class="list">{items}</ul>
                </div>
            }
        })
    };
    let keys = list("Signed with", &found.keys);
    any_view! {
        <div class="stack" id="verified">
            {verdict}
            {list("Agreed", &found.agreed)}
            {list("Withheld", &found.withheld)}
            {list("Not checked here", &found.unchecked)}
            <div class="mono small">{keys}</div>
        </div>
    }
}
