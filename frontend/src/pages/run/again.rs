//! The run under the other profile: its replies read again, or its numbers taken anew where these follow from the same notes.

use futures::future::join_all;
use turnwise_shared::reread::{Fate, NotReread, Recorded, Reread, Tally, reread};

use crate::live::{self, Ingredients, RunView, Stored};
use crate::prelude::*;
use crate::stint::Stint;
use crate::strings::reading as words;
use crate::view::number::shown;
use crate::{library, prices, worker};

/// Transcripts that are fetched at once.
const AT_ONCE: usize = 6;
/// Rows that are shown before the reader asks for all.
const SHORT: usize = 20;
/// What came of reading a run again.
#[derive(Debug, Clone, Default, PartialEq)]
struct Outcome {
    tally: Tally,
    /// Plays that are not the same.
    different: Vec<Different>,
    /// How many could not be read again, and why the first could not.
    left_out: u32,
    why: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
struct Different {
    play: EpisodeKey,
    task: String,
    repeat: u32,
    fate: Fate,
    turn: Option<u32>,
    recorded: String,
    other: String,
}

#[component]
pub fn Again(
    id: RunId,
    /// What the page shows of it.
    view: RunView,
    spec: Memo<Option<Spec>>,
    snapshot: RwSignal<Arc<Snapshot>>,
) -> impl IntoView {
    let driven = Memo::new(move |_| view.progress.is_some());
    move || {
        let spec = spec.get()?;
        let benchmark = library::benchmark(&spec.benchmark).ok()?;
        // Of what was played elsewhere nothing can be read by rules of ours.
        if !registry::is_played(benchmark.name()) {
            return None;
        }
        let mut other = spec.clone();
        other.profile = spec.profile.other();
        // Where the other profile cannot play it there is nothing to read.
        benchmark.check_spec(&other).ok()?;
        let body = if benchmark.reports_either_profile() {
            renumbered(&spec, &other, view, driven, snapshot).into_any()
        } else {
            any_view! { <ReadAgain id=id.clone() spec snapshot/> }
        };
        Some(view! {
            <section class="section" id="profile" aria-labelledby="again-head">
                {section_head("again-head", words::AGAIN)}
                {body}
            </section>
        })
    }
}

/// The headline by both profiles, side by side; once a run that is driven in this page has come to rest, because it is two
/// reports over all episodes.
fn renumbered(
    spec: &Spec,
    other: &Spec,
    view: RunView,
    driven: Memo<bool>,
    snapshot: RwSignal<Arc<Snapshot>>,
) -> impl IntoView + use<> {
    let specs = [spec.clone(), other.clone()];
    let names = (spec.profile.name(), other.profile.name());
    let counted = RwSignal::new(None::<[Vec<Figure>; 2]>);
    Effect::new(move |_| {
        if driven.get() {
            return counted.set(None);
        }
        let (all, specs) = (snapshot.get(), specs.clone());
        let opened = view.info.map(|info| info.opened);
        let (prices, day) = (prices::prices().get(), opened.and_then(Day::of));
        spawn_local(async move {
            let mut both = [Vec::new(), Vec::new()];
            for (headline, spec) in both.iter_mut().zip(&specs) {
                let options = MeasureOptions {
                    prices: PriceBook::clone(&prices),
                    day: day.clone(),
                    ..MeasureOptions::default()
                };
                let report = worker::report(spec, &all.ended(), &options).await;
                *headline = report.unwrap_or_default().headline;
            }
            // Meanwhile more may have ended, or the run may go on.
            let is_now = snapshot.try_get_untracked().is_some_and(|now| Arc::ptr_eq(&now, &all));
            if is_now && driven.try_get_untracked() == Some(false) {
                counted.put(both);
            }
        });
    });
    let table = move || {
        counted.with(|counted| {
            let [ours, others] = counted.as_ref()?;
            let rows: Vec<_> = ours
                .iter()
                .zip(others)
                .map(|(one, two)| {
                    let cell = |shown: number::Shown| {
                        TableCell::Number(
                            format!("{} {}", shown.value, shown.unit).trim_end().to_owned(),
                        )
                    };
                    vec![
                        TableCell::Text(one.label.clone()),
                        cell(number::figure(one)),
                        cell(number::figure(two)),
                    ]
                })
                .collect();
            let columns =
                vec![Head::words("Number"), Head::numbers(names.0), Head::numbers(names.1)];
            Some(view! { <Table label=words::AGAIN columns rows/> })
        })
    };
    view! {
        <div class="stack">
            <p class="read">{words::renumbered_about(names.0, names.1)}</p>
            <Show when=move || driven.get()>
                <p class="small soft">"They are counted when the run has come to rest."</p>
            </Show>
            {table}
        </div>
    }
}

#[component]
fn ReadAgain(id: RunId, spec: Spec, snapshot: RwSignal<Arc<Snapshot>>) -> impl IntoView {
    let other = spec.profile.other();
    let played_in = spec.profile.name();
    let progress = RwSignal::new(None::<(usize, usize)>);
    let outcome = RwSignal::new(None::<Outcome>);
    let problem = RwSignal::new(None::<ApiError>);
    let whole = RwSignal::new(false);
    on_cleanup(move || {
        let _ = progress.try_set(None);
    });
    let start = {
        let id = id.clone();
        move |_| {
            if progress.get_untracked().is_some() {
                progress.set(None);
                return;
            }
            let (id, spec) = (id.clone(), spec.clone());
            let all = snapshot.get_untracked();
            progress.set(Some((0, all.len())));
            problem.set(None);
            spawn_local(async move {
                match read_all(&id, &spec, &all, progress).await {
                    Ok(Some(read)) => outcome.put(read),
                    // The user stopped it, or left the page.
                    Ok(None) => {}
                    Err(why) => problem.put(why),
                }
                progress.try_set(None);
            });
        }
    };
    let result = {
        let id = id.clone();
        move || outcome.map(|outcome| result_view(&id, outcome, other, whole))
    };
    view! {
        <div class="stack">
            <p class="read">{words::again_about(played_in, other.name())}</p>
            <div class="row">
                <button
                    class="btn"
                    type="button"
                    on:click=start
                    aria-busy=move || progress.is_some().then_some("true")
                >
                    {move || match progress.get() {
                        Some((done, of)) => format!("Reading {} of {} · Stop", count(done), count(of)),
                        None => format!("Read again in {}", other.name()),
                    }}
                </button>
            </div>
            <Trouble problem/>
            {result}
        </div>
    }
}

/// Reads every episode that has ended; `None` if the user stopped it.
async fn read_all(
    id: &RunId,
    spec: &Spec,
    all: &Snapshot,
    progress: RwSignal<Option<(usize, usize)>>,
) -> Result<Option<Outcome>, ApiError> {
    let benchmark = library::benchmark(&spec.benchmark)?;
    let ingredients = live::ingredients(id).await?;
    let stored = Stored::of(id).await;
    let plays: Vec<(&EpisodeKey, &Arc<Summary>)> = all
        .keys
        .iter()
        .zip(&all.summaries)
        .filter(|(_, summary)| summary.ending.is_some())
        .collect();
    let mut outcome = Outcome::default();
    let mut stint = Stint::begin();
    for (number, chunk) in plays.chunks(AT_ONCE).enumerate() {
        if progress.try_get_untracked().flatten().is_none() {
            return Ok(None);
        }
        progress.set(Some((number * AT_ONCE, plays.len())));
        let texts = chunk.iter().map(|(play, summary)| fetch(id, play, summary, &stored));
        let texts = join_all(texts).await;
        for ((play, summary), texts) in chunk.iter().zip(texts) {
            let read = match texts {
                Ok((play, grading)) => again(
                    benchmark,
                    &ingredients,
                    &play,
                    grading.as_deref(),
                    summary,
                    spec.profile.other(),
                ),
                Err(problem) => Err(problem.message),
            };
            outcome.add(play, summary, read);
            stint.breathe_if_over().await;
        }
    }
    Ok(Some(outcome))
}

/// An episode and its grading, if there is one.
async fn fetch(
    id: &RunId,
    play: &EpisodeKey,
    summary: &Summary,
    stored: &Stored,
) -> Result<(String, Option<String>), ApiError> {
    let text = live::transcript(id, play).await?;
    Ok((text, live::grading(id, play, summary, stored).await?))
}

fn again(
    benchmark: &dyn Benchmark,
    ingredients: &Ingredients,
    play: &str,
    grading: Option<&str>,
    summary: &Summary,
    profile: Profile,
) -> Result<Reread, String> {
    let read = |text: &str| transcript::read(text).map_err(|bad| bad.to_string());
    let play = read(play)?;
    let grading = grading.map(read).transpose()?;
    let task = sweep::task(benchmark, &play.header.spec, &ingredients.tasks, &summary.task.id)
        .filter(|task| task.digest == summary.task.digest)
        .ok_or_else(|| format!("the task {} is not at hand", summary.task.id))?;
    let recorded = Recorded { play: &play, grading: grading.as_ref() };
    reread(benchmark, recorded, &task, &ingredients.pack, profile)
        .map_err(|why: NotReread| why.to_string())
}

impl Outcome {
    fn add(&mut self, play: &EpisodeKey, summary: &Summary, read: Result<Reread, String>) {
        let read = match read {
            Ok(read) => read,
            Err(why) => {
                self.left_out += 1;
                self.why.get_or_insert(why);
                return;
            }
        };
        self.tally.add(summary.score, &read);
        if read.fate == Fate::Same {
            return;
        }
        let (turn, recorded, other) = match read.difference {
            Some(found) => (found.turn, found.recorded, found.other),
            None => (None, String::new(), String::new()),
        };
        self.different.push(Different {
            play: play.clone(),
            task: summary.task.id.0.clone(),
            repeat: summary.repeat,
            fate: read.fate,
            turn,
            recorded,
            other,
        });
    }
}

fn result_view(
    id: &RunId,
    outcome: &Outcome,
    other: Profile,
    whole: RwSignal<bool>,
) -> impl IntoView + use<> {
    let tally = &outcome.tally;
    let numbers = [
        ("Read alike", tally.same),
        (words::OTHERWISE, tally.otherwise),
        (words::PARTED, tally.parted),
        ("Cannot be read again", outcome.left_out),
        ("Have another score", tally.changed),
    ];
    let rows: Vec<_> = numbers
        .into_iter()
        .zip(words::MEANINGS)
        .map(|((name, number), meaning)| {
            vec![
                TableCell::Text(name.to_owned()),
                TableCell::Number(count(number)),
                TableCell::Text(meaning.to_owned()),
            ]
        })
        .collect();
    let columns =
        vec![Head::words(words::WHAT), Head::numbers("Plays"), Head::words("What it means")];
    let percent = |share: f64| shown(Some(share), None, Unit::Fraction).value;
    let bounds = tally.recorded().zip(tally.bounds()).map(|(recorded, (low, high))| {
        let (low, high) = (percent(low), percent(high));
        words::bounds(percent(recorded), &low, &high, other.name(), low == high)
    });
    let why =
        outcome.why.as_deref().map(|why| format!("The first that could not be read again: {why}."));
    view! {
        <div class="stack" role="status">
            {bounds.map(|text| view! { <p class="strong">{text}</p> })}
            <Table label=words::AGAIN columns rows class="table table-meanings"/>
            {why.map(|why| view! { <p class="small soft">{why}</p> })}
        </div>
        {different_view(id, &outcome.different, other, whole)}
    }
}

fn different_view(
    id: &RunId,
    different: &[Different],
    other: Profile,
    whole: RwSignal<bool>,
) -> Option<impl IntoView + use<>> {
    if different.is_empty() {
        return None;
    }
    let of = different.len();
    let words_of: BTreeMap<Fate, &str> =
        [(Fate::Otherwise, words::OTHERWISE), (Fate::Parted, words::PARTED)].into();
    let rows: Vec<Vec<TableCell>> = different
        .iter()
        .map(|one| {
            let place = Place { turn: one.turn, ..Place::default() };
            vec![
                TableCell::Link {
                    text: words::place(&one.task, one.repeat, one.turn),
                    href: address::episode(id, &one.play, &place),
                    label: format!("Open task {}", one.task),
                },
                TableCell::Text(words_of.get(&one.fate).copied().unwrap_or_default().to_owned()),
                TableCell::Text(one.recorded.clone()),
                TableCell::Text(one.other.clone()),
            ]
        })
        .collect();
    let table = move || {
        let rows = match whole.get() {
            true => rows.clone(),
            false => rows.iter().take(SHORT).cloned().collect(),
        };
        let columns = vec![
            Head::words("Task"),
            Head::words(words::WHAT),
            Head::words("Recorded"),
            Head::words(other.name()),
        ];
        view! { <Table label=words::DIFFERENT columns rows/> }
    };
    Some(view! {
        <div class="stack-2">
            <h3>{words::DIFFERENT}</h3>
            {table}
            <Show when=move || (of > SHORT) && !whole.get()>
                <button class="btn btn-small" type="button" on:click=move |_| whole.set(true)>
                    {format!("Show all {}", count(of))}
                </button>
            </Show>
        </div>
    })
}
