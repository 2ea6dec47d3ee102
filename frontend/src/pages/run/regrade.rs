//! The form with which the episodes of a run are graded again.

use turnwise_shared::seat::knob::{self, Turned};

use crate::components::knobs::Knobs;
use crate::components::run_row::listed_name;
use crate::components::who::{Who, WhoField};
use crate::driver::{self, Regrading};
use crate::live::{self, RunView};
use crate::plan::usual_sampling;
use crate::prelude::*;
use crate::stint::Stint;
use crate::strings::reading as words;
use crate::{api, library};

/// Calls in flight at once.
const IN_FLIGHT: u32 = 32;

#[component]
pub fn GradeAgain(
    id: RunId,
    spec: Spec,
    seat: Seat,
    snapshot: RwSignal<Arc<Snapshot>>,
    /// What is known of it.
    view: RunView,
) -> impl IntoView {
    let all = RwSignal::new(Vec::<String>::new());
    let who = Who::new(String::new());
    let fetching = RwSignal::new(None::<(usize, usize)>);
    let problem = RwSignal::new(None::<ApiError>);
    let navigate = use_navigate();
    let (known_spec, known_seat) = (spec.clone(), seat.clone());
    let open = move |_| {
        if all.with_untracked(|all| !all.is_empty()) {
            return;
        }
        let (spec, seat) = (known_spec.clone(), known_seat.clone());
        spawn_local(async move {
            let found = candidates(&spec, &seat).await;
            let now = spec.seats.get(&seat).map(|sitting| sitting.player.to_string());
            let first = found.iter().find(|who| Some(*who) != now.as_ref()).or(found.first());
            who.choose(first.cloned().unwrap_or_default());
            all.try_set(found);
        });
    };
    let (spec_of, seat_of) = (spec.clone(), seat.clone());
    // Text that is not a valid player has no sampling to choose.
    let player = Memo::new(move |_| who.player().unwrap_or(Player::Person));
    let usual = Memo::new(move |_| match library::benchmark(&spec_of.benchmark) {
        Ok(benchmark) => usual_sampling(benchmark, (&spec_of).into(), &seat_of, &player.get()),
        Err(_) => Sampling::default(),
    });
    let turned = RwSignal::new(Turned::new());
    let turn = Callback::new(move |(knob, to): (Knob, Option<String>)| {
        turned.update(|turned| match to {
            Some(to) => drop(turned.insert(knob, to)),
            None => drop(turned.remove(&knob)),
        });
    });
    let is_model = Memo::new(move |_| matches!(player.get(), Player::Model { .. }));
    let seat_name = StoredValue::new(seat.to_string());
    let summary = match seat.as_str() {
        Seat::GRADER => "Grade again".to_owned(),
        seat => format!("Grade again: {seat}"),
    };
    let start = move |_| {
        let Some(player) = untrack(|| who.player()) else {
            problem.set(Some(api::error(
                "bad_grader",
                "This is nobody who can grade: write PROVIDER/MODEL.",
            )));
            return;
        };
        let (id, mut spec, seat) = (id.clone(), spec.clone(), seat.clone());
        let turned = match &player {
            Player::Model { .. } => turned.get_untracked(),
            Player::Bot(_) | Player::Recording(_) | Player::Person => Turned::new(),
        };
        let sampling = match knob::turned(usual.get_untracked(), &turned) {
            Ok(sampling) => sampling,
            Err((knob, why)) => {
                problem.set(Some(api::error("bad_sampling", format!("{knob}: {why}"))));
                return;
            }
        };
        let by = player.to_string();
        spec.seats.insert(seat.clone(), Sitting { player, sampling });
        let wanted = (spec, seat.to_string());
        let navigate = navigate.clone();
        let all = snapshot.get_untracked();
        let name = view.info.with_untracked(|info| info.as_ref().map(listed_name));
        problem.set(None);
        fetching.set(Some((0, all.len())));
        spawn_local(async move {
            let title = format!("{}, graded by {by}", name.unwrap_or_default());
            match begin(&id, wanted, title, &all, fetching).await {
                Ok(Some(run)) => {
                    fetching.try_set(None);
                    navigate(&address::run(&run, &Wall::default()), NavigateOptions::default());
                }
                Ok(None) => {}
                Err(why) => {
                    fetching.try_set(None);
                    problem.put(why);
                }
            }
        });
    };
    let is_busy = move || fetching.is_some();
    view! {
        <details class="more" on:toggle=open>
            <summary>{summary}</summary>
            <div class="more-body stack">
                <p class="read">{words::GRADE_AGAIN_ABOUT}</p>
                <div class="row row-low">
                    <WhoField
                        name=format!("grade-{}", seat_name.get_value())
                        label="Who grades".to_owned()
                        known=all
                        person="a person in this browser"
                        who
                    />
                    <button
                        class="btn btn-primary"
                        type="button"
                        id=format!("grade-{}-start", seat_name.get_value())
                        disabled=is_busy
                        aria-busy=move || is_busy().then_some("true")
                        on:click=start
                    >
                        {move || match fetching.get() {
                            Some((done, of)) => format!("Fetching episodes: {} of {}", count(done), count(of)),
                            None => "Start grading".to_owned(),
                        }}
                    </button>
                </div>
                <Show when=move || is_model.get()>
                    <Knobs seat=seat_name.get_value() prefix="grade-" usual chosen=turned turn player/>
                </Show>
                <Trouble problem/>
            </div>
        </details>
    }
}

/// Fetches the episodes and begins; `None` if the page was left meanwhile.
async fn begin(
    id: &RunId,
    (spec, seat): (Spec, String),
    title: String,
    all: &Snapshot,
    fetching: RwSignal<Option<(usize, usize)>>,
) -> Result<Option<RunId>, ApiError> {
    let ingredients = live::ingredients(id).await?;
    let mut plays = Vec::new();
    let mut stint = Stint::begin();
    let ended = all.keys.iter().zip(&all.summaries);
    let ended: Vec<&EpisodeKey> =
        ended.filter(|(_, summary)| summary.complete).map(|(play, _)| play).collect();
    for (done, play) in ended.iter().enumerate() {
        if fetching.try_set(Some((done, ended.len()))).is_some() {
            return Ok(None);
        }
        plays.push(read(id, play).await?);
        stint.breathe_if_over().await;
    }
    let regrading = Regrading {
        of: id.clone(),
        recordings: library::recordings(&spec).await?,
        spec,
        title,
        tasks: ingredients.tasks,
        pack: ingredients.pack,
        in_flight: IN_FLIGHT,
        plays,
    };
    let run = driver::regrade(regrading).await?;
    // Plays that need no grading keep what they have.
    let ungraded = all.keys.iter().zip(&all.summaries);
    let ungraded: Vec<_> = ungraded
        .filter(|(_, summary)| summary.ending.is_some() && !summary.usage.contains_key(&seat))
        .map(|(play, summary)| (play.clone(), Arc::clone(summary)))
        .collect();
    live::view(&run).summaries.update(|known| {
        for (play, summary) in ungraded {
            known.entry(play).or_insert(summary);
        }
    });
    Ok(Some(run))
}

async fn read(id: &RunId, play: &EpisodeKey) -> Result<Transcript, ApiError> {
    let text = live::transcript(id, play).await?;
    transcript::read(&text)
        .map_err(|bad| api::error("unreadable_play", format!("{play} cannot be read: {bad}.")))
}

/// Who could grade, by name: the benchmark's bots, a person, and the models that the operator named.
async fn candidates(spec: &Spec, seat: &Seat) -> Vec<String> {
    let bots = library::benchmark(&spec.benchmark).map(|benchmark| {
        let bots = benchmark.bots().iter().filter(|bot| bot.fits(seat));
        bots.map(|bot| Player::Bot(bot.name.to_owned()).to_string()).collect::<Vec<_>>()
    });
    let mut all = bots.unwrap_or_default();
    all.push(Player::Person.to_string());
    if let Ok(about) = api::about().await {
        for provider in about.ready_providers() {
            let models = provider.models.iter();
            all.extend(models.map(|model| format!("model:{}/{model}", provider.name)));
        }
    }
    all
}
