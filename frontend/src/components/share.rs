//! The button that shares a run or an episode, and what it opens: links, the file, and who may see it.

use turnwise_shared::share::{LONG_LINK, MOST_PACKED, Packed};

use crate::components::clipboard::{copy, save};
use crate::components::dialog::Dialog;
use crate::keep::KeptRun;
use crate::live::{RunView, leftover};
use crate::prelude::*;
use crate::strings::sharing::{self as words, ListedAt};
use crate::{api, keep};

/// What is shared besides the run: an episode.
#[derive(Clone)]
pub struct OfEpisode {
    /// The turn at which the reader is, and the address there.
    pub at: Signal<Option<(u32, String)>>,
    /// The episode in an address, or why it cannot be in one. Computed only when the reader looks.
    pub whole: Callback<(), Result<Packed, String>>,
    /// File names and texts of its transcripts.
    pub files: Callback<(), Vec<(String, String)>>,
}

/// Where an episode that lies in its address is read.
const WHOLE_AT: &str = "/shared#";

/// The button and its dialog.
#[component]
pub fn Share(
    run: RunId,
    /// What is known of it.
    view: RunView,
    /// The address, from the server's root.
    #[prop(into)]
    address: Signal<String>,
    /// The episode, on the page of one.
    episode: Option<OfEpisode>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let run = StoredValue::new(run);
    let episode = StoredValue::new(episode);
    let body = move || {
        open.get().then(|| {
            let of_episode = episode.get_value().map(episode_links);
            view! {
                <div class="stack">
                    <LinkField id="share-link" label="Link".to_owned() path=address/>
                    <p class="small soft" id="share-about">
                        {move || words::link_about(visibility(view))}
                    </p>
                    {of_episode}
                    <Who run=run.get_value() view/>
                </div>
            }
        })
    };
    view! {
        <button class="btn btn-small" type="button" id="share" on:click=move |_| open.set(true)>
            <SmallIcon name="link"/>
            {words::SHARE}
        </button>
        <Dialog open title=words::SHARE>
            {body}
        </Dialog>
    }
}

fn visibility(view: RunView) -> Visibility {
    view.info.map(|info| info.visibility).unwrap_or_default()
}

/// Nothing of a withdrawn run may be kept or shown here either.
async fn gone(kept: &KeptRun) {
    leftover::drop_lines(kept, true).await;
    // Only a window that is being closed refuses.
    let _ = window().location().reload();
}

/// Where a run is listed once it is public.
fn listed_at(info: &RunInfo) -> ListedAt {
    match (&info.branch_of, &info.regrades) {
        (Some(_), _) => ListedAt::Episode,
        (None, Some(_)) => ListedAt::Run,
        (None, None) => ListedAt::Nowhere,
    }
}

/// The choices that make a difference: the owner is not asked to choose between two that are the same.
fn choices(info: &RunInfo) -> Vec<Visibility> {
    let makes_public = !info.is_visitors && listed_at(info) != ListedAt::Nowhere;
    let all = Visibility::ALL.into_iter();
    all.filter(|one| *one != Visibility::Public || makes_public || info.visibility == *one)
        .collect()
}

fn episode_links(episode: OfEpisode) -> impl IntoView {
    let at = episode.at.get_untracked().map(|(turn, path)| {
        view! { <LinkField id="share-turn" label=format!("Link at turn {turn}") path=path/> }
    });
    let whole = match episode.whole.run(()) {
        Ok(Packed { fragment, bytes }) => any_view! {
            {(origin().len() + WHOLE_AT.len() + fragment.len() >= LONG_LINK).then(|| view! {
                <div class="note note-warn" id="share-long">
                    <Icon name="warning"/>
                    <p>"Many messengers cut links longer than 4 kB. The link above is short and safe to send."</p>
                </div>
            })}
            <LinkField id="share-whole" label="The whole episode as a link".to_owned() path=format!("{WHOLE_AT}{fragment}")/>
            <p class="small soft">
                <span class="num">{words::weighs(bytes, MOST_PACKED)}</span>
                ". "
                "The link contains the episode: it opens without this server. The question is in it; hidden \
                    fields and pictures are not."
            </p>
        },
        Err(why) => any_view! {
            <p class="small soft" id="share-not-whole">
                {format!("This episode cannot be put into a link: {why}. Share the link above, or the file.")}
            </p>
        },
    };
    let files = episode.files;
    let download = move |_| {
        for (name, text) in files.run(()) {
            save(&name, "application/x-ndjson", &[text]);
        }
    };
    view! {
        {at}
        {whole}
        <div>
            <button class="btn btn-small" type="button" on:click=download>
                <SmallIcon name="download"/>
                "Download the transcript"
            </button>
        </div>
    }
}

/// A link that can be seen and copied.
#[component]
fn LinkField(id: &'static str, label: String, #[prop(into)] path: Signal<String>) -> impl IntoView {
    let whole = move || format!("{}{}", origin(), path.get());
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <div class="share-link">
                <input
                    class="input input-mono"
                    id=id
                    readonly=true
                    prop:value=whole
                    on:focus:target=|event| event.target().select()
                />
                <button class="btn" type="button" on:click=move |_| copy(whole())>
                    <SmallIcon name="copy"/>
                    "Copy"
                </button>
            </div>
        </div>
    }
}

fn origin() -> String {
    window().location().origin().unwrap_or_default()
}

/// Who may see the run; its owner in this browser can change that.
#[component]
fn Who(run: RunId, view: RunView) -> impl IntoView {
    let kept = RwSignal::new(None::<KeptRun>);
    let problem = RwSignal::new(None::<ApiError>);
    let sure = RwSignal::new(false);
    // What was chosen and the server has not answered yet: then the choice stands there already, and goes back if refused.
    let asked = RwSignal::new(None::<Visibility>);
    {
        let run = run.clone();
        spawn_local(async move {
            if let Ok(found) = keep::run(&run).await {
                kept.try_set(found);
            }
        });
    }
    let now = move || visibility(view);
    let at = Memo::new(move |_| {
        view.info.with(|info| info.as_ref().map_or(ListedAt::Nowhere, listed_at))
    });
    let can_be = Memo::new(move |_| view.info.map(choices).unwrap_or_default());
    let besides = move || {
        let is_visitors = view.info.is_some_and(|info| info.is_visitors);
        match (is_visitors, at.get()) {
            (true, _) => Some(
                "It was started without this server's access token, so it cannot be made public. \
                Only the operator and this browser list it.",
            ),
            (false, ListedAt::Nowhere) => Some("Publish it to list it on a leaderboard."),
            (false, ListedAt::Episode | ListedAt::Run) => None,
        }
    };
    let shown = move || asked.get().unwrap_or_else(now);
    let choose = Callback::new(move |wanted: Visibility| {
        let Some(kept) = kept.get_untracked() else {
            return;
        };
        problem.set(None);
        asked.set(Some(wanted));
        spawn_local(async move {
            match api::sharing::set_visibility(&kept.run, &kept.token, wanted).await {
                Ok(info) => {
                    keep::remember_visibility(&kept.run, wanted);
                    view.info.set(Some(info));
                }
                Err(why) => problem.put(why),
            }
            asked.try_set(None);
        });
    });
    let withdraw = move |_| {
        let Some(kept) = kept.get_untracked() else {
            return;
        };
        spawn_local(async move {
            let wanted = SetState { epoch: kept.epoch, ..SetState::to(RunState::Withdrawn) };
            match api::driving::set_state(&kept.run, &kept.token, &wanted).await {
                Ok(_) => gone(&kept).await,
                // All that is shown of it now is that it was withdrawn.
                Err(why) if why.code == "withdrawn" => gone(&kept).await,
                Err(why) => problem.put(why),
            }
        });
    };
    let choices = move || {
        can_be
            .get()
            .into_iter()
            .map(|one| {
                view! {
                    <label class="check">
                        <input
                            type="radio"
                            name="visibility"
                            value=one.name()
                            prop:checked=move || shown() == one
                            on:change=move |_| choose.run(one)
                        />
                        <span>
                            {words::visibility(one)}
                            <span class="small soft share-means">{words::visibility_means(one, at.get_untracked())}</span>
                        </span>
                    </label>
                }
            })
            .collect_view()
    };
    let theirs = move || {
        let now = now();
        view! {
            <p class="small soft">
                {words::visibility(now)} ": " {words::visibility_means(now, at.get())}
            </p>
        }
    };
    let ours = move || {
        view! {
            {choices}
            {move || besides().map(|text| view! { <p class="small soft">{text}</p> })}
            <Show
                when=move || sure.get()
                fallback=move || {
                    view! {
                        <div>
                            <button class="btn btn-small btn-quiet" type="button" id="withdraw" on:click=move |_| sure.set(true)>
                                "Withdraw this run"
                            </button>
                        </div>
                    }
                }
            >
                <div class="note note-warn">
                    <Icon name="warning"/>
                    <p>
                        "The run becomes inaccessible to everyone, including you; only the fact that it was withdrawn \
                        remains. This cannot be undone."
                    </p>
                    <div class="note-do row">
                        <button class="btn btn-small" type="button" id="withdraw-sure" on:click=withdraw>
                            "Withdraw for good"
                        </button>
                        <button class="btn btn-small btn-quiet" type="button" on:click=move |_| sure.set(false)>
                            "Keep it"
                        </button>
                    </div>
                </div>
            </Show>
        }
    };
    view! {
        <fieldset class="share-who stack-2">
            <legend>"Who may see this run"</legend>
            {move || match kept.is_some() {
                true => ours().into_any(),
                false => theirs().into_any(),
            }}
            <Trouble problem/>
        </fieldset>
    }
}
