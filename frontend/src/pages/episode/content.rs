//! An episode that has been loaded: what was asked and answered, its ribbon and table, and its turns, its lines or what speaks for it.

use turnwise_shared::evidence::Evidence;
use turnwise_shared::maths;
use turnwise_shared::screen::play::question_class;

use super::Whereabouts;
use super::broken::Broken;
use super::grading::Grading;
use super::hidden::{Hidden, HiddenText};
use super::loaded::{Loaded, ReadTranscript};
use super::proof::proof;
use super::stage::Stage;
use super::verdict::Verdict;
use crate::benchmarks::{Staged, screen};
use crate::components::evidence::EvidenceGrid;
use crate::components::find::{Find, Finding};
use crate::components::picture::Album;
use crate::components::raw::RawLines;
use crate::components::ribbon::mark;
use crate::components::scrubber::Scrubber;
use crate::components::size::watch_size;
use crate::components::tabs::{Tab, TabList, TabPanel};
use crate::components::timeline::{Layout, Reader, Reading, TimelineView};
use crate::first_page;
use crate::later::{later, piece};
use crate::prelude::*;
use crate::strings::episode as words;
use crate::view::face::Face;
use crate::view::timeline::levels;

later! {
    /// The table or the lanes of a game.
    work fetch fetch_work: fn stage(
        replayed: Arc<Replayed>,
        reading: Reading,
        now: Signal<Option<u32>>,
        go: Callback<Option<u32>>,
        playing: Signal<bool>
    ) -> AnyView {
        any_view! { <Stage replayed reading now go playing/> }
    }

    /// What a benchmark draws itself above the turns of an episode.
    work: fn own_stage(
        loaded: Arc<Loaded>,
        now: Signal<Option<u32>>,
        go: Callback<Option<u32>>,
        revealed: Signal<bool>
    ) -> AnyView {
        drawn_by_benchmark(&loaded, (now, go), revealed).into_any()
    }

    work: fn evidence_grid(
        evidence: Arc<Evidence>,
        lang: Option<String>,
        now: Signal<Option<u32>>,
        go: Callback<Option<u32>>,
        revealed: Signal<bool>
    ) -> AnyView {
        any_view! { <EvidenceGrid evidence lang now go revealed/> }
    }
}

/// What its benchmark draws of an episode that was played again; `at` is where the reader is, and how to go elsewhere.
fn drawn_by_benchmark(
    loaded: &Loaded,
    at: (Signal<Option<u32>>, Callback<Option<u32>>),
    revealed: Signal<bool>,
) -> Option<AnyView> {
    let play = loaded.play.as_ref().ok()?;
    let screen = screen(&play.transcript.header.spec.benchmark)?;
    let grading = loaded.grading.as_ref().and_then(|grading| grading.as_ref().ok());
    screen.stage(&Staged {
        timeline: Arc::clone(&play.timeline),
        graded: grading.map(|grading| Arc::clone(&grading.timeline)),
        task: loaded.study.and_then(|study| study.task.clone()),
        album: loaded.run.clone().map(Album::from),
        now: at.0,
        go: at.1,
        revealed,
    })
}

#[component]
pub fn Content(
    loaded: Arc<Loaded>,
    whereabouts: Whereabouts,
    revealed: RwSignal<bool>,
    /// The address of a place in it.
    address: Callback<Place, String>,
    /// What stands below its verdict.
    tools: ViewFn,
    /// What can be checked of it.
    checks: ViewFn,
) -> impl IntoView {
    let key = loaded.key.clone();
    let Whereabouts { place, move_to, hold } = whereabouts;
    let face = Memo::new(move |_| place.with(|place| place.face));
    let play = match &loaded.play {
        Ok(play) => Arc::clone(play),
        Err(bad) => {
            return any_view! {
                <Broken bad=bad.clone() text=Arc::clone(&loaded.play_text) name=key.file_name()/>
                {checks.run()}
            };
        }
    };
    let now = Signal::derive(move || place.with(|place| place.turn));
    let playing = RwSignal::new(false);
    let go = Callback::new(move |turn: Option<u32>| {
        move_to.run(Place { turn, ..place.get_untracked() });
    });
    let finding = Finding::of(Arc::clone(&loaded.play_text));
    let reader = Reader {
        now,
        playing: playing.into(),
        revealed: revealed.into(),
        found: finding.turns.into(),
    };
    let to_found = Callback::new(move |turn: u32| {
        playing.set(false);
        let here = place.get_untracked();
        let face = match here.face.has_turns() {
            true => here.face,
            false => Face::Conversation,
        };
        let turn = Some(turn);
        move_to.run(Place { turn, face, ..here });
    });
    let href = Callback::new(move |turn: u32| {
        address.run(Place { turn: Some(turn), ..place.get_untracked() })
    });
    let reading = loaded.reading(&play, PartKey::Play);
    // A game is followed on its table, which would be scrolled out of sight.
    if reading.who.is_empty() {
        hold.follow(key.clone(), now, face);
    }
    let cells = Arc::new(play.timeline.cells.clone());
    // The ribbon stays on top while one reads; what sticks below it, and where turns stop, depends on its height.
    let bar = NodeRef::<html::Div>::new();
    let bar_size = watch_size(bar);
    let below = move || format!("calc(var(--top) + {}px)", bar_size.height.get().ceil());
    let said = {
        let loaded = Arc::clone(&loaded);
        ViewFn::from(move || {
            let loaded = Arc::clone(&loaded);
            (move || stuck(&loaded)).into_any()
        })
    };
    let scrubber = (!cells.is_empty()).then(|| {
        let levels = levels(&play.timeline);
        view! {
            <Scrubber
                cells=Arc::clone(&cells)
                status=reading.status
                levels
                now
                go
                playing
                href
                lang=reading.lang.clone()
                who=Arc::clone(&reading.who)
                found=finding.turns
                find=ViewFn::from(move || view! { <Find finding now go=to_found/> })
                said=said
                element=bar
            />
        }
    });
    let game = {
        let reading = reading.clone();
        move || {
            let replayed = reading.replayed.get().filter(|_| !reading.who.is_empty())?;
            let reading = reading.clone();
            let playing = playing.into();
            Some(piece(fetch_work(), move || stage(replayed, reading, now, go, playing)))
        }
    };
    let own = {
        let loaded = Arc::clone(&loaded);
        move || {
            let loaded = Arc::clone(&loaded);
            let is_studied = loaded.study.is_some();
            is_studied
                .then(|| piece(fetch_work(), move || own_stage(loaded, now, go, revealed.into())))
        }
    };
    let evidence = {
        let (study, lang) = (loaded.study.clone(), reading.lang.clone());
        move || {
            let evidence = study.and_then(|study| study.evidence.clone())?;
            let lang = lang.clone();
            Some(piece(fetch_work(), move || {
                evidence_grid(evidence, lang, now, go, revealed.into())
            }))
        }
    };
    let asked = question(&loaded, reading.lang.clone());
    let body = {
        let (loaded, play) = (Arc::clone(&loaded), Arc::clone(&play));
        move || {
            let face = face.get();
            let turns = |layout| turns(&loaded, &play, reader, reading.clone(), layout);
            let body = match face {
                Face::Conversation => turns(Layout::Conversation),
                Face::Sides => turns(Layout::Sides),
                Face::Raw => raw(&loaded, &play, finding),
                Face::Proof => proof(&loaded, &play, &checks),
            };
            view! { <TabPanel name=face.name()>{body}</TabPanel> }
        }
    };
    any_view! {
        <div class="stack" style:--tl-top=below>
            <div class="pinned">
                {asked}
                <Verdict loaded=Arc::clone(&loaded) play=Arc::clone(&play) place move_to/>
            </div>
            <div class="ep-tools">
                {tools.run()}
                <Hidden loaded=Arc::clone(&loaded) revealed/>
            </div>
            {scrubber}
            {game}
            {own}
            {faces(place, move_to, address)}
            <div class="ep-read" class:is-sides=move || face.get() == Face::Sides>
                <HiddenText loaded=Arc::clone(&loaded) revealed/>
                {body}
            </div>
            {move || face.get().has_turns().then(&evidence)}
        </div>
    }
}

/// The verdict in few words, for the bar.
fn stuck(loaded: &Loaded) -> AnyView {
    let said = loaded.measured().and_then(|measured| measured.answer.clone());
    let right = loaded.right().filter(|right| said.as_ref() != Some(right));
    any_view! {
        {mark(loaded.status)}
        {said.map(|said| view! { <b class="clip">{said}</b> })}
        {right.map(|right| view! { <span aria-hidden="true">"→"</span> <b class="clip">{right}</b> })}
    }
}

/// What the task asks, where that is not secret. What the server wrote of it stays until the task is at hand, so that nothing
/// moves.
fn question(loaded: &Loaded, lang: Option<String>) -> impl IntoView + use<> {
    let study = loaded.study.clone();
    let written = first_page::question();
    let line = loaded.measured().and_then(|measured| measured.asked.clone());
    move || {
        // The whole of it once its set is at hand; until then the line of it that its run's numbers have.
        let asked = study.and_then(|study| {
            let task = study.task.as_ref()?;
            let is_open = study.origin == Some(TaskSetOrigin::Plain);
            is_open.then(|| task.field(OPEN_FIELD).map(str::to_owned))
        });
        let asked = asked.flatten().or_else(|| written.clone()).or_else(|| line.clone())?;
        let class = question_class(&asked);
        Some(view! {
            <details class=class lang=lang.clone()>
                <summary inner_html=maths::markup(&asked)></summary>
            </details>
        })
    }
}

fn turns(
    loaded: &Arc<Loaded>,
    play: &Arc<ReadTranscript>,
    reader: Reader,
    reading: Reading,
    layout: Layout,
) -> AnyView {
    let is_over = play.timeline.outcome.is_some();
    // Games pay; there is nothing to grade.
    let is_graded = loaded.status != EpisodeStatus::Played;
    let loaded = Arc::clone(loaded);
    any_view! {
        <h2 class="sr">{words::TIMELINE}</h2>
        <TimelineView reading reader prefix="turn" layout/>
        {(is_over && is_graded).then(|| view! { <Grading loaded reader layout/> })}
    }
}

fn raw(loaded: &Arc<Loaded>, play: &Arc<ReadTranscript>, finding: Finding) -> AnyView {
    // The line that drifts is known once the episode has been played again.
    let lines = |text: &Arc<String>, key: EpisodeKey| {
        let (text, bad) = (Arc::clone(text), loaded.drift(key.part()));
        move || view! { <RawLines text=Arc::clone(&text) name=key.file_name() bad=bad.get() sought=finding.sought/> }
    };
    let grading =
        loaded.grading.as_ref().and_then(|grading| grading.as_ref().ok()).map(|grading| {
            view! {
                <h2>"Grading"</h2>
                <p class="small soft">{grading.chain()}</p>
                {lines(&loaded.grading_text, loaded.key.grading())}
            }
        });
    any_view! {
        <div class="panel stack">
            <h2>"Episode"</h2>
            <p class="small soft">{play.chain()}</p>
            {lines(&loaded.play_text, loaded.key.clone())}
            {grading}
        </div>
    }
}

/// The faces of an episode, as tabs.
fn faces(
    place: Memo<Place>,
    move_to: Callback<Place>,
    address: Callback<Place, String>,
) -> impl IntoView {
    let at = move |name: &str| Place { face: Face::named(name), ..place.get() };
    view! {
        <TabList
            label="How the episode is shown"
            tabs=Face::ALL.map(|face| Tab::new(face.name(), words::face(face))).to_vec()
            now=Signal::derive(move || place.with(|place| place.face.name()))
            href=move |name: &'static str| address.run(at(name))
            choose=move |name: &'static str| move_to.run(untrack(|| at(name)))
        />
    }
}
