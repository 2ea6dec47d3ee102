//! The tabs of a run's page. Which one is chosen stands in the address.

use turnwise_shared::screen::run_tabs::{CALIBRATION, EPISODES, RANKING, run_tabs};

use crate::components::tabs::Tab;
use crate::live::RunView;
use crate::prelude::*;
use crate::view::spec::participants;
use crate::view::tabs::{named, with_tab};

/// The tabs of a run, and which one is chosen.
#[derive(Clone, Copy)]
pub struct RunTabs {
    /// All that this run has.
    pub all: Signal<Vec<Tab>>,
    pub now: Signal<&'static str>,
    /// The address with another one chosen.
    pub href: Callback<&'static str, String>,
    pub choose: Callback<&'static str>,
}

impl RunTabs {
    /// Those of a run; to be called inside a component of its page.
    pub fn of(
        view: RunView,
        snapshot: RwSignal<Arc<Snapshot>>,
        report: Memo<Option<Report>>,
        wall: Signal<Wall>,
    ) -> Self {
        let location = use_location();
        let (path, search) = (location.pathname, location.search);
        let wanted = Memo::new(move |_| search.with(|query| named(query)));
        let is_game =
            Memo::new(move |_| view.info.is_some_and(|info| !participants(&info.spec).is_empty()));
        let states_confidence = Memo::new(move |_| {
            let is_wanted = wanted.with(|wanted| wanted.as_deref() == Some(CALIBRATION));
            is_wanted || report.is_some_and(|report| !report.reliability.is_empty())
        });
        let episodes = Memo::new(move |_| snapshot.with(|all| all.len()));
        let all = Memo::new(move |_| {
            let tabs = run_tabs(is_game.get(), states_confidence.get());
            let tabs = tabs.map(|(name, title)| Tab {
                count: Some(episodes.get()).filter(|count| name == EPISODES && *count > 0),
                ..Tab::new(name, title)
            });
            tabs.collect::<Vec<_>>()
        });
        // A reader who chose something for the wall wants to see the wall.
        let usual = move || match is_game.get() && wall.with(|wall| *wall == Wall::default()) {
            true => RANKING,
            false => EPISODES,
        };
        let now = Memo::new(move |_| {
            let wanted = wanted.get();
            let found = all.with(|all| {
                let mut names = all.iter().map(|tab| tab.name);
                names.find(|name| Some(*name) == wanted.as_deref())
            });
            found.unwrap_or_else(usual)
        });
        let href = move |name: &'static str| {
            let is_usual = name == EPISODES && !is_game.get();
            let query = search.with(|query| with_tab(query, (!is_usual).then_some(name)));
            let path = path.get();
            match query.is_empty() {
                true => path,
                false => format!("{path}?{query}"),
            }
        };
        let navigate = use_navigate();
        let choose = move |name: &'static str| {
            navigate(&untrack(|| href(name)), in_place());
        };
        RunTabs {
            all: all.into(),
            now: now.into(),
            href: Callback::new(href),
            choose: Callback::new(choose),
        }
    }
}
