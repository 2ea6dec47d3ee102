//! What a page shows first: of a run its numbers and the first rows of its wall, of an episode how it ended and its turns. The
//! server writes it into the page, so that it is read before the app is there; the app draws the same from the same functions
//! ([`turnwise_shared::screen`]).

use std::collections::BTreeMap;

use turnwise_shared::markup::Markup;
use turnwise_shared::metrics::episode_status::EpisodeStatus;
use turnwise_shared::metrics::times::Times;
use turnwise_shared::prelude::*;
use turnwise_shared::screen::columns::Columns;
use turnwise_shared::screen::figures::{headline, of_episodes};
use turnwise_shared::screen::look::Look;
use turnwise_shared::screen::natural::natural_key;
use turnwise_shared::screen::play::{Parent, Play};
use turnwise_shared::screen::row::{Labels, WallRow, id_of};
use turnwise_shared::screen::run_tabs::{EPISODES, run_tabs};
use turnwise_shared::screen::verdict::{Causes, leader};
use turnwise_shared::screen::words;
use turnwise_shared::transcript;

use super::{Kept, about, kept, name};
use crate::App;
use crate::access::find;
use crate::error::Answer;
use crate::measures;
use crate::store::RunHead;

/// The most episodes that are written: about as many as a large screen shows at once.
const MOST: usize = 240;

/// The turns of an episode for which a table has room on every screen but a phone's.
const LEAST_TURNS: usize = 8;

/// The width of a wall on a phone, in CSS pixels.
const NARROWEST: f64 = 358.0;

/// The most episodes of a run whose numbers a page waits for; those of a larger one come after its page.
const LARGEST: u32 = 1_000;

/// The longest transcript that is read for a page, in bytes; a longer one comes after its page.
const LONGEST: u64 = 1 << 20;

/// What a page shows first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shell {
    /// Its heading as markup; `None` where the heading is what is said of it to everybody.
    pub heading: Option<String>,
    /// What stands below as markup.
    pub markup: String,
    /// Whether nothing that can be read without scripts is missing.
    pub is_whole: bool,
    /// Whether nothing of it will change: the run is over.
    pub stays: bool,
}

/// What the page of a run shows first; `None` where that would take long, there is nothing yet, or something speaks against the run.
///
/// # Errors
/// If the store fails, or the run's benchmark is not of this program.
pub async fn of_run(app: &App, run: &RunHead, info: &RunInfo) -> Answer<Option<Shell>> {
    if info.finished == 0 || info.episodes > LARGEST || info.doubt.is_some() {
        return Ok(None);
    }
    let mut summaries = measures::summaries(app, run).await?;
    let report = measures::report_of(app, run, &summaries, Times::default()).await?;
    let address = format!("/run/{}", run.run);
    let mut out = Markup::default();
    out.open("div", "run-top");
    if let Some((href, _)) = parent(app, info.branch_of.as_ref()).await {
        out.open("p", "");
        out.open_with("a", &[("href", &href)]);
        out.text(words::BEFORE);
        out.end("a");
        out.close("p");
    }
    out.open("section", "run-verdict");
    out.open("dl", "figures");
    out.raw(&headline(&of_episodes(&report.headline, summaries.len())));
    out.close("dl");
    out.open("div", "why-room");
    Causes::of(&summaries).write(&mut out, &address);
    if let Some(ranking) = report.rankings.first() {
        leader(&mut out, ranking);
    }
    out.close("div");
    out.close("section");
    out.close("div");
    tabs(&mut out, &address, &report);
    if kept(app, &info.spec).await != Kept::Open {
        summaries.values_mut().for_each(hide);
    }
    let labels = Labels::of(&info.spec);
    wall(&mut out, &run.run, labels, &summaries, info.episodes as usize);
    Ok(Some(Shell {
        heading: Some(heading(run, info)),
        markup: out.done(),
        is_whole: false,
        stays: info.state == RunState::Closed,
    }))
}

/// Which run it is, as high as the app's heading, so that nothing moves when that comes.
fn heading(run: &RunHead, info: &RunInfo) -> String {
    let mut out = Markup::default();
    out.open("div", "page-head");
    out.open("div", "");
    out.open("ol", "crumbs");
    out.open("li", "");
    out.open_with("a", &[("href", "/runs")]);
    out.text(words::RUNS);
    out.end("a");
    out.end("li");
    let short: String = run.run.as_str().chars().take(8).collect();
    out.element("li", "mono", &short);
    out.close("ol");
    out.element("h1", "", &name(info));
    out.element("p", "soft told-about", &about(&info.spec));
    out.close("div");
    out.open("div", "row head-room");
    out.close("div");
    out.close("div");
    out.done()
}

/// The tabs of the page as links; the app draws what they lead to. The chosen one has the episodes, which stand below.
fn tabs(out: &mut Markup, run: &str, report: &Report) {
    let is_game = !report.rankings.is_empty();
    out.open_with("nav", &[("class", "tabs"), ("aria-label", "The run")]);
    for (tab, title) in run_tabs(is_game, !report.reliability.is_empty()) {
        let href = format!("{run}?tab={tab}");
        let now = if tab == EPISODES { "page" } else { "" };
        out.open_with("a", &[("href", &href), ("aria-current", now)]);
        out.text(title);
        out.end("a");
    }
    out.close("nav");
}

/// What the page of an episode shows first; `None` where it is under way, its task is secret, or there is too much.
///
/// # Errors
/// If the store fails.
pub async fn of_episode(
    app: &App,
    run: &RunHead,
    info: &RunInfo,
    play: &EpisodeKey,
    summary: &Summary,
    question: Option<&str>,
    now: Option<u32>,
) -> Answer<Option<Shell>> {
    let Ok(benchmark) = registry::find(&info.spec.benchmark) else {
        return Ok(None);
    };
    if summary.ending.is_none() || kept(app, &info.spec).await != Kept::Open {
        return Ok(None);
    }
    let extent = app.store().extent(run.plays(), play).await?;
    if extent.is_none_or(|extent| extent.bytes > LONGEST) {
        return Ok(None);
    }
    let Some((text, _)) = app.store().transcript(run.plays(), play).await? else {
        return Ok(None);
    };
    // What cannot be read is the app's to explain.
    let Ok(mut transcript) = transcript::read(&text) else {
        return Ok(None);
    };
    let people = people(app, info).await;
    transcript.header.spec = transcript.header.spec.naming(&people);
    let parent = parent(app, transcript.header.branch.as_ref()).await;
    let play = Play {
        now,
        people: &people,
        parent: parent.as_ref().map(|(href, parent)| Parent {
            href,
            status: EpisodeStatus::of(parent),
            answer: parent.measured.answer.as_deref(),
        }),
        run: &name(info),
        run_href: &format!("/run/{}", run.run),
        href: &format!("/run/{}/{play}", run.run),
        summary,
        transcript: &transcript,
        labels: Labels::of(&info.spec),
        question,
        benchmark,
    };
    let (mut heading, mut out) = (Markup::default(), Markup::default());
    play.heading(&mut heading);
    let is_whole = play.story(&mut out);
    Ok(Some(Shell {
        heading: Some(heading.done()),
        markup: out.done(),
        is_whole,
        // Who follows a link to a turn wants to be taken there, which the app does.
        stays: info.state == RunState::Closed && now.is_none(),
    }))
}

/// The names that the people at a table gave; none if the run was not played at one. A reader who sees the run may know them.
async fn people(app: &App, info: &RunInfo) -> BTreeMap<Seat, String> {
    let mut seats = info.spec.seats.values();
    if !seats.any(|sitting| sitting.player == Player::Person) {
        return BTreeMap::new();
    }
    // Without the table the page says that a person played.
    let table = app.store().live(&info.run).await.ok().flatten();
    table.map(|table| table.names()).unwrap_or_default()
}

/// The episode from which a branch goes on, if everybody may see it: where its page is, and how it stands.
async fn parent(app: &App, of: Option<&BranchOf>) -> Option<(String, Summary)> {
    let of = of?;
    let run = find(app, of.run.as_str(), None).await.ok()?;
    let summary = measures::summary(app, &run, &of.episode).await.ok()??;
    let href = format!("/run/{}/{}?turn={}", of.run, of.episode, of.turn);
    Some((href, summary))
}

/// Takes away what is shown of open tasks only.
fn hide(summary: &mut Summary) {
    summary.task.labels.clear();
    summary.measured.answer = None;
    summary.measured.asked = None;
    summary.measured.right = None;
    summary.measured.numbers = Default::default();
}

/// The first rows of the wall, in the order and the size that it has by itself.
fn wall(
    out: &mut Markup,
    run: &RunId,
    labels: Labels,
    all: &BTreeMap<EpisodeKey, Summary>,
    planned: usize,
) {
    let mut order: Vec<_> = all
        .iter()
        .map(|(key, summary)| {
            let id = natural_key(&summary.task.id.0);
            (id, &summary.task.id, summary.repeat, key, summary)
        })
        .collect();
    order.sort_by(|one, other| (&one.0, one.1, one.2).cmp(&(&other.0, other.1, other.2)));
    let count = planned.max(all.len());
    let look = Look::for_count(count);
    // The cost only a page that knows the prices can show.
    let mut columns = Columns::always();
    for summary in all.values() {
        columns.find(summary, || None);
    }
    let turns = all.values().map(|one| one.ribbon.len()).max().unwrap_or(0);
    let characters = all.values().map(|one| id_of(one).chars().count()).max();
    out.open_with("section", &[("class", "told-episodes"), ("aria-labelledby", "told-wall")]);
    out.open_with("h2", &[("class", "sr"), ("id", "told-wall")]);
    out.text(words::WALL);
    out.end("h2");
    out.open("div", &format!("{} told-wall", look.class()));
    out.open("div", "wall-bar");
    out.close("div");
    let room = look.room(turns, characters.unwrap_or(0));
    out.open("div", &format!("told-rows {room}"));
    for (place, (_, _, _, key, summary)) in order.into_iter().take(MOST).enumerate() {
        let row = WallRow {
            key,
            summary,
            status: EpisodeStatus::of(summary),
            labels,
            href: &format!("/run/{run}/{key}"),
            look,
            columns,
            cost: None,
            most_turns: match look {
                Look::List => LEAST_TURNS,
                Look::Tiles | Look::Dense => look.most_turns(NARROWEST, characters.unwrap_or(0)),
            },
            place,
            count,
            is_now: false,
        };
        row.link(out);
    }
    out.close("div");
    out.close("div");
    out.close("section");
}
