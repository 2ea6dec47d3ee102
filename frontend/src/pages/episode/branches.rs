//! From where a branch goes on and what that changed, and the branches of an episode.

use turnwise_shared::run::cut;
use turnwise_shared::wire::sharing::Branch;

use super::loaded::Loaded;
use crate::components::ribbon::{mark, ribbon};
use crate::components::run_row::listed_name;
use crate::prelude::*;
use crate::strings::{episode as episode_words, play, sharing as words, spec as spec_words};
use crate::view::branching::{changed_besides, speakers};
use crate::view::spec::participants;
use crate::{api, driven, library, live};

/// What a branch changed: both outcomes side by side. Nothing for an episode that is none.
#[component]
pub fn Changed(id: RunId, loaded: Arc<Loaded>) -> impl IntoView {
    changed(id, &loaded)
}

fn changed(id: RunId, loaded: &Loaded) -> Option<AnyView> {
    let play = loaded.play.as_ref().ok()?;
    let of = play.transcript.header.branch.clone()?;
    let before = RwSignal::new(None::<Result<Arc<Ended>, ApiError>>);
    {
        let of = of.clone();
        spawn_local(async move {
            let found = parent(&of).await.map(Arc::new);
            before.put(found);
        });
    }
    let grading = loaded.grading.as_ref().and_then(|one| one.as_ref().ok());
    let grading = grading.map(|part| &part.transcript);
    let after = Ended::of(&play.transcript, grading).map(Arc::new);
    // Whose turn it was that was decided anew.
    let taken = cut(&play.transcript, of.turn).map(|cut| cut.seat);
    let is_here = driven::has(&id);
    let known = loaded.clone();
    let sides = {
        let of = of.clone();
        move || {
            let before = before.get()?;
            let (Ok(before), Some(after)) = (&before, &after) else {
                return Some(any_view! { <p class="soft">{words::NO_PARENT}</p> });
            };
            let parent_href = address::episode(
                &of.run,
                &of.episode,
                &Place { turn: Some(of.turn), ..Place::default() },
            );
            let compare = format!("/compare/{}/{id}/{}", of.run, of.episode);
            Some(any_view! {
                {verdict(before, after, is_here, known.right().as_deref())
                    .map(|verdict| view! { <p class="strong read" id="changed-verdict">{verdict}</p> })}
                <p class="strong" id="changed">{difference(before, after)}</p>
                {besides(before, after, taken.as_ref())}
                <div class="twin branch-twin">
                    {side(words::BEFORE, before, Some(parent_href))}
                    {side("This branch", after, None)}
                </div>
                <p>
                    <a href=compare>"Both transcripts side by side"</a>
                </p>
            })
        }
    };
    let card = view! {
        <section class="card stack-2" aria-labelledby="branch-head" id="branch">
            <h2 id="branch-head">{words::BRANCH}</h2>
            <p class="soft read">{words::goes_on(of.turn)}</p>
            {sides}
        </section>
    };
    Some(card.into_any())
}

/// Whether the branch is right, with what was said in both episodes and what is right; nothing of a game, or before the end.
fn verdict(before: &Ended, after: &Ended, is_here: bool, right: Option<&str>) -> Option<String> {
    let status = EpisodeStatus::of(&after.summary);
    if matches!(status, EpisodeStatus::Played | EpisodeStatus::Live) {
        return None;
    }
    let (was, is) = speakers(&before.spec, &after.spec, is_here)?;
    let answer = |ended: &Ended| {
        let answer = ended.summary.measured.answer.clone();
        answer.filter(|answer| !answer.is_empty())
    };
    let (before, now) = (answer(before), answer(after));
    let before = before.as_deref().map(|answer| (was.as_str(), answer));
    Some(play::verdict(after.summary.score, (&is, now.as_deref()), right, before))
}

/// That other seats are filled otherwise as well, if so.
fn besides(before: &Ended, after: &Ended, taken: Option<&Seat>) -> Option<impl IntoView + use<>> {
    let changed = changed_besides(&before.spec, &after.spec, taken);
    (!changed.is_empty()).then(|| {
        view! { <p class="read" id="changed-besides">{words::also_changed(&changed)}</p> }
    })
}

fn side(title: &'static str, ended: &Ended, href: Option<String>) -> impl IntoView + use<> {
    let summary = &ended.summary;
    let status = EpisodeStatus::of(summary);
    let title = match href {
        Some(href) => any_view! { <a href=href>{title}</a> },
        None => title.into_any(),
    };
    let lang = language(&summary.task.labels);
    // What a game paid stands with its players.
    let answer = summary.measured.answer.clone();
    let answer = answer.filter(|_| ended.paid.is_empty()).map(|answer| {
        view! {
            <p>
                {episode_words::ANSWER} " " <b lang=lang>{answer}</b>
            </p>
        }
    });
    let paid: Vec<_> = ended.paid.iter().map(Paid::row).collect();
    let paid = (!paid.is_empty()).then(|| {
        view! {
            <div>
                <p class="small soft">{ended.number.clone()}</p>
                <ul class="branch-paid">{paid}</ul>
            </div>
        }
    });
    view! {
        <div class="twin-side">
            <div class="twin-head">
                <h3>{title}</h3>
            </div>
            <p class="row">
                {mark(status)} <span>{status.label()}</span>
                <span class="small soft">{episode_words::turns(summary.ribbon.len())}</span>
            </p>
            {answer}
            {paid}
            <div class="branch-ribbon">{ribbon(&summary.ribbon, status)}</div>
        </div>
    }
}

/// An episode in a few numbers, and of a game what it paid whom.
struct Ended {
    summary: Summary,
    /// Under what it was played.
    spec: Spec,
    /// Who took part in a game that is over, and what it paid each; empty for all else.
    paid: Vec<Paid>,
    /// What is paid, in a few words.
    number: String,
}

/// What a game paid a player.
#[derive(PartialEq)]
struct Paid {
    seat: String,
    who: String,
    number: String,
}

impl Paid {
    fn row(&self) -> impl IntoView + use<> {
        let Paid { seat, who, number } = self;
        view! {
            <li class="row">
                <span class="small soft">{seat.clone()}</span>
                <span>{who.clone()}</span>
                <b class="num">{number.clone()}</b>
            </li>
        }
    }
}

impl Ended {
    /// `None` if this program does not know the benchmark.
    fn of(play: &Transcript, grading: Option<&Transcript>) -> Option<Self> {
        let spec = &play.header.spec;
        let benchmark = library::benchmark(&spec.benchmark).ok()?;
        let measured = benchmark.measure(play, grading);
        let summary = summarise(play, grading, measured);
        let compared = benchmark.compared_by().column();
        let sample = match EpisodeStatus::of(&summary) {
            EpisodeStatus::Played => benchmark.sample(spec, &summary),
            _ => None,
        };
        let numbers = sample.map(|sample| sample.numbers).unwrap_or_default();
        let players = participants(spec).into_iter();
        let paid = players.filter_map(|(seat, who)| {
            let paid = numbers.get(&Seat::new(seat.as_str()))?;
            let shown = number::shown(Some(*paid), None, compared.unit);
            Some(Paid {
                who,
                seat: seat.parse::<u32>().map(spec_words::seat).unwrap_or(seat),
                number: format!("{} {}", shown.value, shown.unit).trim_end().to_owned(),
            })
        });
        Some(Ended { spec: spec.clone(), summary, paid: paid.collect(), number: compared.label })
    }
}

fn difference(before: &Ended, after: &Ended) -> String {
    let (was, is) = (EpisodeStatus::of(&before.summary), EpisodeStatus::of(&after.summary));
    let both = after.paid.iter().zip(&before.paid);
    let otherwise: Vec<_> = both
        .filter(|(now, before)| now.number != before.number)
        .map(|(now, before)| {
            let who = format!("{} ({})", now.who, now.seat.to_lowercase());
            (who, now.number.as_str(), before.number.as_str())
        })
        .collect();
    let is_other_answer = after.summary.measured.answer != before.summary.measured.answer;
    match (is, was == is) {
        (EpisodeStatus::Live, _) => "It is not over yet.".to_owned(),
        (EpisodeStatus::Played, true) if !otherwise.is_empty() => {
            words::paid(&after.number, &otherwise)
        }
        (_, true) => words::same(is, is_other_answer),
        (_, false) => words::changed(&was.label().to_lowercase(), &is.label().to_lowercase()),
    }
}

/// The episode from which a branch goes on, in a few numbers.
async fn parent(of: &BranchOf) -> Result<Ended, ApiError> {
    let read = |text: String| {
        transcript::read(&text).map_err(|bad| api::error("unreadable_play", bad.to_string()))
    };
    let play = read(live::transcript(&of.run, &of.episode).await?)?;
    let unknown = || api::error("unknown_benchmark", words::NO_PARENT);
    let alone = Ended::of(&play, None).ok_or_else(unknown)?;
    if EpisodeStatus::of(&alone.summary) != EpisodeStatus::Ungraded {
        return Ok(alone);
    }
    let stored = live::Stored::of(&of.run).await;
    match live::grading(&of.run, &of.episode, &alone.summary, &stored).await? {
        Some(text) => Ended::of(&play, Some(&read(text)?)).ok_or_else(unknown),
        // It ended, and was not graded.
        None => Ok(alone),
    }
}

/// The public branches of an episode; nothing while there are none.
#[component]
pub fn Branches(id: RunId, play: EpisodeKey) -> impl IntoView {
    let all = RwSignal::new(Vec::<Branch>::new());
    spawn_local(async move {
        // Without the list the episode reads as well.
        if let Ok(found) = api::sharing::branches(&id, &play).await {
            all.try_set(found);
        }
    });
    move || {
        let rows = all.get();
        (!rows.is_empty()).then(|| {
            let rows: Vec<_> = rows.into_iter().map(row).collect();
            view! {
                <section class="section" aria-labelledby="branches-head">
                    {section_head("branches-head", "Branches")}
                    <p class="small soft">"Runs that went on from a turn of this episode. They count on no board."</p>
                    <ul class="branches" id="branches">
                        {rows}
                    </ul>
                </section>
            }
        })
    }
}

fn row(branch: Branch) -> impl IntoView {
    let info = branch.info;
    let of = info.branch_of.clone();
    let href = match &of {
        Some(of) => address::episode(&info.run, &of.episode, &Place::default()),
        None => address::run(&info.run, &Wall::default()),
    };
    let status = match (&branch.ending, branch.score) {
        (None, _) => EpisodeStatus::Live,
        (Some(_), None) => EpisodeStatus::Ungraded,
        (Some(_), Some(score)) => EpisodeStatus::of_score(score),
    };
    let who = of.map(|of| format!("from turn {}", of.turn));
    view! {
        <li class="row">
            {mark(status)}
            <a href=href>{listed_name(&info)}</a>
            <span class="small soft">{who}</span>
            {branch.answer.map(|answer| view! { <span class="small">{answer}</span> })}
        </li>
    }
}
