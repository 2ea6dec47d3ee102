//! The page of a run: its numbers, how far it is, and the wall of its episodes.

mod again;
mod ahead;
mod branch;
mod budget;
mod checked;
mod configuration;
mod download;
mod elsewhere;
mod graders;
mod halted;
mod heading;
mod naming;
mod numbers;
mod pace;
mod parts;
mod progress;
mod publish;
mod regrade;
mod search;
mod tab;
mod times;
mod verdict;
mod verify;

use again::Again;
use budget::{BudgetPanel, Watched};
use configuration::configuration_view;
use graders::Graders;
use heading::Heading;
use parts::{ByPart, Calibration, CostAndTime, Numbers, Pairs};
use progress::ProgressPanel;
use search::{Finds, Search};
use tab::RunTabs;
use turnwise_shared::screen::run_tabs;
use verdict::VerdictCard;

use crate::components::doubt::doubt_note;
use crate::components::keys::on_key;
use crate::components::missing::{Missing, MissingPage};
use crate::components::run_row::listed_name;
use crate::components::tabs::{TabList, TabPanel};
use crate::components::wall::{self, WallOfRibbons};
use crate::components::{head, report, standings, study};
use crate::later::{later, piece};
use crate::live::{self, RunView};
use crate::person::PeopleQueue;
use crate::prelude::*;
use crate::strings::run as words;
use crate::view::listed::tab_title;
use crate::view::spec::participants;
use crate::view::tabs::named;
use crate::{first_page, looking, reader};

pub(crate) use verify::Verify;

later! {
    /// Everything that decides how a run goes, with links to runs like it.
    work fetch fetch_work: fn configuration(id: RunId, info: RunInfo) -> AnyView {
        configuration_view(&id, &info).into_any()
    }

    /// Who graded a run, and the run under the other profile.
    work: fn afterwards(id: RunId, view: RunView, spec: Memo<Option<Spec>>, snapshot: RwSignal<Arc<Snapshot>>) -> AnyView {
        any_view! {
            <Graders id=id.clone() view spec snapshot/>
            <Again id view spec snapshot/>
        }
    }
}

#[component]
pub fn RunPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| {
        params.with(|params| params.get("id").and_then(|id| id.parse::<RunId>().ok()))
    });
    move || match id.get() {
        Some(id) => any_view! { <Read id/> },
        None => any_view! { <MissingPage missing=Missing::RunId/> },
    }
}

#[component]
fn Read(id: RunId) -> impl IntoView {
    let view = looking::open_run(&id);
    let snapshots = pace::snapshots(&id, view);
    let snapshot = snapshots.wall;
    let name = Memo::new(move |_| {
        view.info.and_then(|info| {
            let benchmark = benchmark_title(&info.spec);
            Some(tab_title(
                &listed_name(info),
                info.accuracy.filter(|_| info.known().is_none()),
                &benchmark,
            ))
        })
    });
    let missing = Memo::new(move |_| {
        let is_unknown = view.info.is_none();
        let told = || view.problem.with(|problem| Missing::run(problem.as_ref()?));
        is_unknown.then(told).flatten()
    });
    // Where there is no wall to wait for.
    Effect::new(move |_| {
        if missing.get().is_some() || view.problem.is_some() {
            first_page::give_way();
        }
    });
    head::title(move || match (missing.get(), name.get()) {
        (Some(missing), _) => missing.title().to_owned(),
        (None, name) => name.unwrap_or_default(),
    });
    let spec = Memo::new(move |_| view.info.map(|info| info.spec.clone()));
    let doubt = Memo::new(move |_| view.info.and_then(|info| info.doubt.clone()));
    // What contradicts itself has no numbers.
    let is_refused =
        move || doubt.with(|doubt| matches!(doubt.as_deref(), Some(Doubt::Refused { .. })));
    let report = numbers::report(&id, view, snapshots, spec);
    let below = pace::afterwards(report);
    let driven = Memo::new(move |_| view.progress.is_some());
    let (wall, change) = wall_in_address(&id, view);
    let finds = Finds::of(&id, wall);
    let found = finds.plays();
    let rows = Memo::new_with_compare(
        move |_| {
            let all = snapshot.get();
            let is_repeated = spec.is_some_and(|spec| spec.repeats > 1);
            let by_task = is_repeated.then(|| all.by_task()).flatten();
            by_task.map_or(all, Arc::new)
        },
        |before: Option<&Arc<Snapshot>>, now| match (before, now) {
            (Some(before), Some(now)) => !Arc::ptr_eq(before, now),
            _ => true,
        },
    );
    let planned = Signal::derive(move || {
        view.info.with(|info| {
            let Some(info) = info.as_ref() else { return 0 };
            let a_row = match rows.with(|rows| rows.is_by_task) {
                true => info.spec.repeats.max(1),
                false => 1,
            };
            info.episodes.div_ceil(a_row) as usize
        })
    });
    on_key(move |event| {
        if event.key() == "p"
            && let (Some(control), Some(pace)) =
                (view.control.get_untracked(), view.pace.get_untracked())
        {
            event.prevent_default();
            match pace.driving {
                live::Driving::Running => control.pause(),
                live::Driving::Paused => control.resume(),
                _ => {}
            }
        }
    });
    let pricing = wall::pricing(view, spec);
    let shown = wall::shown(rows.into(), wall, found, pricing);
    let has_episodes = Memo::new(move |_| shown.with(|shown| !shown.all.is_empty()));
    let has_ended = Memo::new(move |_| {
        snapshots.numbers.with(|all| all.count(EpisodeStatus::Live) < all.len())
    });
    // What stands below the wall; on a phone it is far down.
    let is_read = reader::watch();
    let published = RwSignal::new(false);
    let entry = publish::published(&id);
    let watched = Watched::of(&id, view);
    let tabs = RunTabs::of(view, snapshot, report, wall);
    let id = StoredValue::new(id);
    // The wall shows before the numbers are computed, and does not move when they come; where no episode has ended, none will. While the
    // run is driven here it moves once in any case, after the first episode.
    let counting = move || {
        if is_refused() {
            return false;
        }
        let is_driven = view.progress.is_some();
        view.loading.get() || (!is_driven && has_ended.get())
    };
    let room = move || {
        view! {
            <Show when=counting>
                <div class="figures-room" aria-busy="true"></div>
            </Show>
        }
    };
    // As long as episodes are on their way the page is said to be busy, and is as high as the window (`style.css`): what stands
    // below the wall would be in sight and move.
    let on_their_way = Memo::new(move |_| {
        let are_some = || view.summaries.with(|summaries| !summaries.is_empty());
        !has_episodes.get() && (view.loading.get() || are_some())
    });
    let without_episodes = move || match on_their_way.get() {
        true => any_view! { <div aria-busy="true"></div> },
        false => empty().into_any(),
    };
    let waiting = move || view.loading.get() && view.info.is_none();
    let episodes = move || {
        any_view! {
            <section id="wall" aria-labelledby="wall-head">
                <h2 class="sr" id="wall-head">
                    {words::WALL}
                </h2>
                <Show when=move || has_episodes.get() fallback=without_episodes>
                    <WallOfRibbons run=id.get_value() shown planned wall change spec pricing/>
                </Show>
            </section>
            <Show when=move || is_read.get() && has_ended.get()>
                <Search id=id.get_value() wall change finds snapshot/>
            </Show>
        }
    };
    let ranking = move || {
        any_view! {
            {move || below.map(rankings)}
            <Pairs report=below driven/>
        }
    };
    let checks = move || {
        any_view! {
            <section class="stack" aria-labelledby="checks-head">
                <h2 class="sr" id="checks-head">
                    "Evidence"
                </h2>
                {move || entry.with(checked::sentence)}
                {move || {
                    below.and_then(|report| report::remarks(&report.remarks))
                }}
            </section>
            {move || entry.with(|entry| entry.admission().and_then(publish::told))}
            <Verify id=id.get_value()/>
            {piece(fetch_work(), move || afterwards(id.get_value(), view, spec, snapshots.sums))}
        }
    };
    // What it says of a run never changes, so it is drawn once.
    let setup = move || {
        let info = view.info.get_untracked();
        any_view! {
            {info.map(|info| piece(fetch_work(), move || configuration(id.get_value(), info)))}
            <Numbers report=below driven/>
        }
    };
    let panel = move || {
        let name = tabs.now.get();
        if name != run_tabs::EPISODES {
            // What the server wrote shows the episodes.
            first_page::give_way();
        }
        view! {
            <TabPanel name>
                {match name {
                    run_tabs::RANKING => ranking(),
                    run_tabs::BREAKDOWN => {
                        any_view! {
                            {move || below.with(|report| study::study(report.as_ref()?, published))}
                            {move || {
                                below.with(|report| {
                                    spec.with(|spec| configuration::twin(spec.as_ref()?, report.as_ref()?))
                                })
                            }}
                            <ByPart id=id.get_value() snapshot=snapshots.sums report=below driven/>
                        }
                    }
                    run_tabs::CALIBRATION => any_view! { <Calibration report=below driven/> },
                    run_tabs::COST => {
                        any_view! {
                            <BudgetPanel id=id.get_value() view watched snapshot=snapshots.numbers/>
                            <CostAndTime view spec snapshot=snapshots.sums report=below driven/>
                        }
                    }
                    run_tabs::CHECKS => checks(),
                    run_tabs::SETUP => setup(),
                    _ => episodes(),
                }}
            </TabPanel>
        }
    };
    let page = move || {
        view! {
            <Heading id=id.get_value() view snapshot report spec entry/>
            <Trouble problem=view.problem/>
            <Show when=waiting>
                <Loading/>
            </Show>
            <Show when=move || view.info.is_some()>
                <div class="run-top">
                    {move || doubt.with(|doubt| doubt.as_deref().map(doubt_note))}
                    <PeopleQueue view/>
                    <ProgressPanel id=id.get_value() view snapshot watched/>
                    <Show when=move || report.is_some() && !is_refused() fallback=room>
                        <VerdictCard id=id.get_value() report snapshot=snapshots.numbers/>
                    </Show>
                </div>
                <TabList
                    label="Run sections"
                    tabs=tabs.all
                    now=tabs.now
                    href=tabs.href
                    choose=tabs.choose
                />
                {panel}
            </Show>
        }
    };
    let is_time = pace::begun();
    move || match missing.get() {
        Some(missing) => any_view! { <MissingPage missing/> },
        None => is_time.get().then(page).into_any(),
    }
}

/// The tab that has to be named for the episodes to show: a game opens with its ranking.
pub fn wall_tab(info: &RunInfo) -> Option<&'static str> {
    (!participants(&info.spec).is_empty()).then_some(run_tabs::EPISODES)
}

fn benchmark_title(spec: &Spec) -> String {
    registry::title(&spec.benchmark).unwrap_or(&spec.benchmark).to_owned()
}

/// The wall of the address, and the wish to change it: it goes into the address in place of the old one. The tab stays.
fn wall_in_address(id: &RunId, view: RunView) -> (Signal<Wall>, Callback<Wall>) {
    let search = use_location().search;
    let wall = Memo::new(move |_| search.with(|query| Wall::read(query)));
    let (navigate, id) = (use_navigate(), id.clone());
    let change = Callback::new(move |next: Wall| {
        let usual = view.info.with_untracked(|info| info.as_ref().and_then(wall_tab));
        let named = named(&search.get_untracked());
        let tab = named.as_deref().or(usual);
        navigate(&address::run_tab(&id, &next, tab), in_place());
    });
    (wall.into(), change)
}

/// Who is ahead, where there are participants.
fn rankings(report: &Report) -> impl IntoView + use<> {
    let several = report.rankings.len() > 1;
    let all: Vec<_> = report
        .rankings
        .iter()
        .map(|ranking| {
            let class = if several { "" } else { "sr" };
            view! {
                <div class="stack-2">
                    <h3 class=class>{ranking.title.clone()}</h3>
                    {standings::ranking(ranking)}
                </div>
            }
        })
        .collect();
    view! { <div class="stack">{all}</div> }
}

fn empty() -> impl IntoView {
    view! {
        <div class="empty">
            <span class="ribbon ribbon-mid" aria-hidden="true">
                <i class="turn k-search r-full">"S"</i>
                <i class="turn k-ask r-yes">"A"</i>
                <i class="turn k-ask r-no">"A"</i>
                <i class="turn k-waiting">"·"</i>
            </span>
            <h3>"No episode has ended yet"</h3>
            <p>{words::EMPTY_WHY}</p>
        </div>
    }
}
