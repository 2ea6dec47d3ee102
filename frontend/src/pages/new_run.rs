//! The page on which a run is configured. Every choice stands in its address.

mod benchmarks;
mod costs;
mod end;
mod fewer;
mod loading;
mod rest;
mod seats;
mod settings;
mod tasks;

use benchmarks::Benchmarks;
use end::End;
use leptos_router::location::Location;
use rest::Rest;
use seats::{Evaluated, OtherSeats, known};
use settings::Settings;
use tasks::Tasks;
use turnwise_shared::recording::Recording;
use turnwise_shared::visitors::{Needs, run_needs_token};
use turnwise_shared::wire::budgets::Kind;

use crate::address::Config;
use crate::benchmarks::Making;
use crate::components::clipboard;
use crate::components::form::Unread;
use crate::components::gate::{self, Gate, Starts};
use crate::components::head::title;
use crate::components::loaded::Loaded;
use crate::plan::{Chosen, Estimate};
use crate::prelude::*;
use crate::strings::{budgets, new_run as strings};
use crate::view::plain;

/// The path of this page.
const PATH: &str = "/new";

/// What was chosen so far, and what it needs.
#[derive(Clone, Copy)]
pub(crate) struct Draft {
    pub config: RwSignal<Config>,
    /// The chosen benchmark; the program's first if the address names one that it does not have.
    benchmark: Memo<&'static str>,
    about: RwSignal<Loaded<About>>,
    /// The chosen task set, as far as it is at hand.
    pub tasks: RwSignal<Loaded<Arc<TaskSet>>>,
    /// The benchmark that the task set at hand belongs to: sets of several have the same name.
    tasks_of: StoredValue<&'static str>,
    /// How far a set is that is built in this page.
    pub making: RwSignal<Making>,
    /// Earlier runs of the benchmark, offered as recordings.
    runs: RwSignal<Vec<RunInfo>>,
    /// The recording in the player's seat, if one sits there.
    recording: RwSignal<Option<Loaded<Arc<Recording>>>>,
    /// The fields of the budget that cannot be read.
    wrong_caps: RwSignal<BTreeSet<Kind>>,
    /// The other fields that cannot be read.
    unread: Unread,
    /// Seats for which another kind of player was chosen than sits there, because no player of that kind is chosen yet.
    unseated: RwSignal<BTreeSet<Seat>>,
    /// What would be started now; empty until the page has made it.
    plan: StoredValue<Option<Memo<Plan>>>,
}

/// What would be started now, or why nothing can; `None` while something is still loading.
type Plan = Option<Result<(Chosen, Estimate), String>>;

impl Draft {
    fn new(config: Config) -> Self {
        let config = RwSignal::new(config);
        Draft {
            config,
            benchmark: Memo::new(move |_| {
                config
                    .with(|config| registry::find(&config.benchmark))
                    .unwrap_or(registry::BENCHMARKS[0])
                    .name()
            }),
            about: RwSignal::new(Loaded::Loading),
            tasks: RwSignal::new(Loaded::Loading),
            tasks_of: StoredValue::new(""),
            making: RwSignal::new(Making::default()),
            runs: RwSignal::new(Vec::new()),
            recording: RwSignal::new(None),
            wrong_caps: RwSignal::default(),
            unread: Unread::provide(),
            unseated: RwSignal::default(),
            plan: StoredValue::new(None),
        }
    }

    /// Takes a task set of a benchmark as the one at hand. Does nothing once the page is gone.
    fn take_tasks(&self, benchmark: &dyn Benchmark, tasks: Arc<TaskSet>) {
        self.tasks_of.try_set_value(benchmark.name());
        self.tasks.try_set(Loaded::Ready(tasks));
    }

    /// Whether the tasks of the chosen benchmark come from a file.
    fn reads_file(&self) -> bool {
        self.benchmark().task_source() == TaskSource::File
    }

    /// Something of what would be started now; nothing while it cannot be.
    fn with_plan<T>(&self, of: impl FnOnce(Option<&(Chosen, Estimate)>) -> Option<T>) -> Option<T> {
        let plan = self.plan.get_value()?;
        plan.with(|plan| of(plan.as_ref().and_then(|plan| plan.as_ref().ok())))
    }

    fn benchmark(&self) -> &'static dyn Benchmark {
        registry::find(self.benchmark.get()).expect("its name was taken from the registry")
    }

    fn benchmark_untracked(&self) -> &'static dyn Benchmark {
        untrack(|| self.benchmark())
    }

    /// A setting of the benchmark, chosen or default.
    fn setting(&self, name: &str) -> Option<serde_json::Value> {
        let benchmark = self.benchmark();
        let settings = self.config.with(|config| plan::settings(config, benchmark));
        settings.get(name).cloned()
    }

    /// Chooses a setting; the default leaves the address.
    fn set(&self, name: &str, value: serde_json::Value) {
        let default = self.benchmark_untracked().default_settings();
        self.config.update(|config| {
            if default.get(name) == Some(&value) {
                config.settings.remove(name);
            } else {
                config.settings.insert(name.to_owned(), value);
            }
        });
    }

    /// Leaves a setting to the benchmark.
    fn unset(&self, name: &str) {
        self.config.update(|config| {
            config.settings.remove(name);
        });
    }

    /// What would be started now.
    fn plan(&self) -> Plan {
        let about = self.about.get();
        let file = self.reads_file().then(|| self.tasks.get());
        let recording = self.recording.get();
        let recording = match &recording {
            None => None,
            Some(Loaded::Ready(recording)) => Some(Arc::clone(recording)),
            Some(Loaded::Loading) => return None,
            Some(Loaded::Failed(problem)) => return Some(Err(problem.message.clone())),
        };
        let about = about.ready()?;
        let file = match &file {
            Some(file) => Some(&**file.ready()?),
            None => None,
        };
        if self.wrong_caps.with(|wrong| !wrong.is_empty()) {
            return Some(Err(budgets::WRONG.to_owned()));
        }
        if let Some(why) = self.unread.problem() {
            return Some(Err(why.to_owned()));
        }
        if let Some(seat) = self.unseated.with(|seats| seats.first().cloned()) {
            return Some(Err(format!("Choose a model or recording for the {}.", seat.as_str())));
        }
        let (config, benchmark) = (self.config.get(), self.benchmark());
        let chosen =
            plan::chosen(&config, benchmark, file, &about.engines_and_web(), recording.as_deref());
        let planned = chosen.and_then(|chosen| {
            plan::caps::usable(&config.caps, &chosen.spec)?;
            let estimate = match chosen.tasks(file) {
                Some(tasks) => plan::estimate(&chosen.spec, benchmark, tasks)?,
                None => Estimate::default(),
            };
            Ok((chosen, estimate))
        });
        Some(planned.map_err(|bad| plain::unusable(&bad.problem)))
    }
}

#[component]
pub fn NewRun() -> impl IntoView {
    title(|| strings::TITLE.to_owned());
    let location = use_location();
    let (config, odd) = Config::read(&location.search.get_untracked());
    let draft = Draft::new(config);
    let odd = RwSignal::new(odd);
    let search = location.search.get_untracked();
    keep_in_address(draft, odd, location);
    loading::load(draft, search);
    let plan = Memo::new(move |_| draft.plan());
    draft.plan.set_value(Some(plan));
    let shut = gate::shut(Signal::derive(move || draft.about.with(|about| about.ready().cloned())));
    let about_problem = Signal::derive(move || draft.about.with(Loaded::problem));
    // A visitor has no budget to choose, and no service to call.
    let needs = Memo::new(move |_| {
        let about = draft.about.get();
        let engines = &about.ready()?.engines;
        let benchmark = draft.benchmark();
        let has_budget = draft.config.with(|config| !config.caps.is_nothing());
        plan.with(|plan| {
            let (chosen, estimate) = plan.as_ref()?.as_ref().ok()?;
            let is_sealed = is_sealed(draft);
            match has_budget {
                true => Some(Needs::Budget),
                false => {
                    run_needs_token(benchmark, &chosen.spec, estimate.plays, engines, is_sealed)
                }
            }
        })
    });
    let closed = gate::closed(shut, move || needs.get());
    // A user who starts over loses what stands in fields and is no choice, too.
    let anew = Trigger::new();
    let fields = move || {
        anew.track();
        view! {
            <Benchmarks draft/>
            <Evaluated draft/>
            <Show when=move || draft.reads_file()>
                <Tasks draft/>
            </Show>
            <Show when=move || !draft.reads_file()>
                <Settings draft/>
            </Show>
            <section class="section stack-2" aria-label="More settings">
                <Show when=move || draft.reads_file()>
                    <Settings draft/>
                </Show>
                {move || {
                    draft.benchmark.track();
                    view! { <OtherSeats draft/> }
                }}
                <Rest draft/>
            </section>
        }
    };
    view! {
        <div class="page-head">
            <div>
                <h1>{strings::TITLE}</h1>
                <p class="soft">"Every setting has a default. Share this page's link to share your settings."</p>
            </div>
            <div class="row">
                <a class="btn btn-quiet" href="/new" on:click=move |_| anew.notify()>
                    "Start over"
                </a>
                <button class="btn btn-quiet" type="button" on:click=move |_| copy_address()>
                    <Icon name="link"/>
                    "Copy address"
                </button>
            </div>
        </div>
        <div class="stack">
        <Gate shut starts=Starts::Run needs/>
        <Trouble problem=about_problem/>
        <Odd odd=move || {
            let strange = draft.config.with(|config| plan::strange_seats(config, draft.benchmark()));
            let strange = strange.iter().map(|seat| format!("seat.{seat}: this benchmark has no such seat, or \
                not with so many participants"));
            odd.get().into_iter().chain(strange).collect()
        }/>
        <form class="form" on:submit=|event| event.prevent_default()>
            {fields}
            <End draft plan closed/>
        </form>
        </div>
    }
}

/// Whether the tasks at hand are sealed on the server.
fn is_sealed(draft: Draft) -> bool {
    draft.tasks.with(|tasks| {
        let tasks = tasks.ready();
        tasks.is_some_and(|tasks| tasks.origin == TaskSetOrigin::Sealed)
    })
}

/// Keeps address and choice the same: a choice replaces the address, and a link to another choice changes the form.
/// Neither happens once another page is opened: the address changes before this page is gone.
fn keep_in_address(draft: Draft, odd: RwSignal<Vec<String>>, location: Location) {
    let navigate = use_navigate();
    let Location { pathname, search, .. } = location;
    let is_here = move || pathname.with_untracked(|path| path == PATH);
    let query = Memo::new(move |_| draft.config.with(Config::query));
    Effect::new(move |before: Option<String>| {
        let query = query.get();
        if before.is_some_and(|before| before != query) && is_here() {
            navigate(&address(&query), in_place());
        }
        query
    });
    Effect::new(move |before: Option<()>| {
        let search = search.get();
        if before.is_some() && is_here() {
            let (config, strange) = Config::read(&search);
            if config.query() != query.get_untracked() {
                odd.set(strange);
                draft.config.set(config);
                known::seat_last(draft, &search);
            }
        }
    });
}

fn address(query: &str) -> String {
    if query.is_empty() { PATH.to_owned() } else { format!("{PATH}?{query}") }
}

fn copy_address() {
    // A window without an address has nothing to copy.
    if let Ok(address) = window().location().href() {
        clipboard::copy_and_say(address, "Link copied. It opens this page with the same settings.");
    }
}

/// What the address said and the form did not understand.
#[component]
fn Odd(#[prop(into)] odd: Signal<Vec<String>>) -> impl IntoView {
    view! {
        <Show when=move || odd.with(|odd| !odd.is_empty())>
            <div class="note note-warn">
                <Icon name="warning"/>
                <p class="note-title">"Parts of this link could not be used"</p>
                {move || odd.get().into_iter().map(|line| view! { <p>{line}</p> }).collect_view()}
            </div>
        </Show>
    }
}
