//! Taking up a run that this browser opened: its transcripts are replayed, and what was under way goes on.

use leptos::prelude::Set as _;
use turnwise_shared::transcript::BadTranscript;
use turnwise_shared::wire::driving::{TakeFrom, TakeLease};

use super::shelf::Shelf;
use super::{Live, ingredients, lock_name};
use crate::keep::{KeptRun, Wish};
use crate::live::leftover;
use crate::lock::{Lock, Manner};
use crate::prelude::*;
use crate::{api, clock, driven, keep, library, live, lock};

/// How many times a lock that another tab holds is waited for, and how many milliseconds each time.
const LOCK_TRIES: u32 = 8;
const LOCK_PAUSE: u32 = 200;

/// The code of the error that says that another tab of this browser drives the run.
pub const OTHER_TAB: &str = "other_tab";

/// Takes up a run that this browser opened, where its transcripts end. Does nothing if it is driven here already, or is over. A user who
/// insists makes another tab of this browser give way, as a page of another browser does.
///
/// # Errors
/// If this browser does not have the run's token, another tab drives it and may go on, another driver does that may not be followed, its
/// tasks or recordings are not at hand, or a stored transcript does not replay.
pub async fn take_up(id: &RunId, from: TakeFrom, manner: Manner) -> Result<(), ApiError> {
    if driven::has(id) {
        return Ok(());
    }
    let lock = locked(id, manner)
        .await
        .ok_or_else(|| api::error(OTHER_TAB, "Another tab of this browser drives this run."))?;
    let kept = keep::own(id).await?;
    let info = api::run(id).await?;
    if matches!(info.state, RunState::Closed | RunState::Withdrawn) {
        // Its end was stored, and this page did not live to hear of it.
        leftover::drop_lines(&kept, info.state == RunState::Withdrawn).await;
        return Ok(());
    }
    let tasks = library::tasks(&kept.spec).await?;
    let pack = library::pack(&kept.spec).await?;
    let recordings = library::recordings(&kept.spec).await?;
    let benchmark = library::benchmark(&kept.spec.benchmark)?;
    let ingredients =
        ingredients(benchmark, kept.spec.clone(), tasks, pack, recordings, kept.in_flight);
    let mut run = match (info.regrades, info.branch_of) {
        (Some(_), _) => Run::regrading(ingredients, plays(id).await?),
        (None, Some(of)) => Run::branching(ingredients, of),
        (None, None) => Run::new(ingredients),
    }
    .map_err(|bad| api::error("bad_spec", bad.to_string()))?
    .reading(library::archives(&kept.spec).await?);
    let wish = TakeLease { mine: kept.epoch, from };
    let lease = api::driving::take_lease(id, &kept.token, &wish).await?;
    let kept = KeptRun { epoch: lease.epoch, wish: Wish::Run, ..kept };
    keep::put_run(&kept).await?;
    let restored = match restore(&mut run, &kept).await {
        Ok(shelf) => super::branch::begin(&mut run).await.map(|()| shelf),
        Err(problem) => Err(problem),
    };
    let shelf = match restored {
        Ok(shelf) => shelf,
        Err(problem) => {
            leave_it(&kept).await;
            return Err(problem);
        }
    };
    if driven::has(id) {
        return Ok(());
    }
    let view = live::view(id);
    view.problem.set(None);
    Live::start(kept, run, shelf, Some(lock), view);
    Ok(())
}

/// Lets go of a run that could not be taken up. If the server cannot be reached, the lease runs out by itself.
async fn leave_it(kept: &KeptRun) {
    let idle = SetState { epoch: kept.epoch, ..SetState::to(RunState::Idle) };
    let _ = api::driving::set_state(&kept.run, &kept.token, &idle).await;
}

/// The episodes that a run grades again; the server has them under its own address too.
async fn plays(id: &RunId) -> Result<Vec<Transcript>, ApiError> {
    let mut plays = Vec::new();
    for head in api::episodes(id).await? {
        if head.episode.part() == PartKey::Play {
            let text = api::transcript(id, &head.episode).await?;
            let play = transcript::read(&text)
                .map_err(|bad| api::error("unreadable_play", format!("{}: {bad}", head.episode)))?;
            plays.push(play);
            clock::breathe().await;
        }
    }
    Ok(plays)
}

/// The lock of a run, in this manner.
async fn locked(id: &RunId, manner: Manner) -> Option<Lock> {
    if let Some(lock) = patiently_locked(id).await {
        return Some(lock);
    }
    match manner {
        Manner::IfFree => None,
        Manner::Insist => {
            let lock = lock::take(&lock_name(id), Manner::Insist).await;
            // The other tab has heard of it, and writes down what it has.
            clock::sleep(LOCK_PAUSE).await;
            lock
        }
    }
}

/// The lock of a run. A page that was just closed or loaded anew lets go of it a moment later.
async fn patiently_locked(id: &RunId) -> Option<Lock> {
    for _ in 0..LOCK_TRIES {
        if let Some(lock) = lock::take(&lock_name(id), Manner::IfFree).await {
            return Some(lock);
        }
        clock::sleep(LOCK_PAUSE).await;
    }
    lock::take(&lock_name(id), Manner::IfFree).await
}

/// Replays every stored transcript, plays first. Returns the lines that the server lacks.
async fn restore(run: &mut Run, kept: &KeptRun) -> Result<Shelf, ApiError> {
    let mut shelf = Shelf::default();
    let on_server: BTreeMap<EpisodeKey, EpisodeHead> = api::episodes(&kept.run)
        .await?
        .into_iter()
        .map(|head| (head.episode.clone(), head))
        .collect();
    let mut episodes: BTreeSet<EpisodeKey> = keep::episodes(&kept.run).await?;
    episodes.extend(on_server.keys().cloned());
    let (plays, gradings): (Vec<_>, Vec<_>) =
        episodes.into_iter().partition(|episode| episode.part() == PartKey::Play);
    // The episodes that a run grades again are another run's and stay as they are.
    let plays = plays.into_iter().filter(|play| run.has(play));
    for episode in plays.collect::<Vec<_>>().into_iter().chain(gradings) {
        let there = on_server.get(&episode);
        let server_lines = there.map_or(0, |head| head.lines);
        let drifted = |why: String| {
            api::error(
                "drift",
                format!(
                    "The run cannot be taken up: {episode} does not \
            replay ({why})."
                ),
            )
        };
        let here = keep::transcript(&kept.run, &episode).await?;
        let bytes_here = here.as_ref().map_or(0, String::len);
        let here = here
            .and_then(sound)
            .filter(|(text, _)| there.is_none_or(|head| goes_on_from(text, head)));
        let is_servers = here.is_none();
        let (text, stored) = match (here, there) {
            (Some(here), _) => here,
            (None, Some(_)) => {
                let text = api::transcript(&kept.run, &episode).await?;
                let stored = transcript::read(&text).map_err(|bad| drifted(bad.to_string()))?;
                (text, stored)
            }
            (None, None) => {
                // Nothing of it can be used: it is played from its beginning, and the server's ledger has its replies.
                keep::replace(&kept.run, &episode, "").await?;
                continue;
            }
        };
        let lines = run.restore(&episode, &stored).map_err(|drift| drifted(drift.to_string()))?;
        let stays: Vec<String> = text
            .lines()
            .take(usize::try_from(lines).unwrap_or(usize::MAX))
            .map(str::to_owned)
            .collect();
        let whole: String = stays.iter().map(|line| format!("{line}\n")).collect();
        // What lies here is a longer text of the same beginning, or another one than the server's.
        if is_servers || whole.len() != bytes_here {
            keep::replace(&kept.run, &episode, &whole).await?;
        }
        if let Some(missing) = stays.get(usize::try_from(server_lines).unwrap_or(usize::MAX)..) {
            shelf.add(&episode, server_lines, missing);
        }
        clock::breathe().await;
    }
    Ok(shelf)
}

/// The longest beginning of a stored transcript whose chain holds, and what it says; `None` if there is none. A browser that refused to
/// store some lines and took later ones has a gap.
fn sound(text: String) -> Option<(String, Transcript)> {
    let line = match transcript::read(&text) {
        Ok(read) => return Some((text, read)),
        Err(BadTranscript::Chain { line } | BadTranscript::Malformed { line, .. }) => line,
        Err(BadTranscript::Empty | BadTranscript::NoHeader | BadTranscript::Format { .. }) => {
            return None;
        }
    };
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    let beginning: String = lines.collect();
    let read = transcript::read(&beginning).ok()?;
    Some((beginning, read))
}

/// Whether lines of this browser go on from what the server has. Another driver may have driven the run meanwhile; what it
/// wrote counts then, and replies that only this browser has written down come from the server's ledger again.
fn goes_on_from(text: &str, head: &EpisodeHead) -> bool {
    let last = usize::try_from(head.lines).ok().and_then(|lines| lines.checked_sub(1));
    let Some(line) = last.and_then(|last| text.lines().nth(last)) else {
        return head.lines == 0;
    };
    transcript::chain_of(line).is_some_and(|chain| chain == head.chain)
}

#[cfg(test)]
mod tests {
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::examples::MATCH;
    use turnwise_shared::hash::Digest;
    use turnwise_shared::registry;
    use turnwise_shared::run::Action;

    use super::*;

    fn line(chain: &str) -> String {
        serde_json::json!({ "chain": Digest::of(chain), "event": { "said": chain }, "salt": "00" })
            .to_string()
    }

    fn head(lines: u64, chain: &str) -> EpisodeHead {
        EpisodeHead {
            episode: EpisodeKey::play(&"7".into(), 1),
            lines,
            chain: Digest::of(chain),
            ending: None,
        }
    }

    /// The first episode of a run of bots.
    fn transcript() -> String {
        let benchmark = registry::find(MATCH).expect("it is known");
        let spec = default_spec(benchmark);
        let tasks = benchmark.plan(&spec).expect("its tasks follow from it");
        let whole = ingredients(benchmark, spec, tasks, benchmark.pack(), BTreeMap::new(), 1);
        let mut run = Run::new(whole).expect("it can be run");
        let mut texts: BTreeMap<EpisodeKey, String> = BTreeMap::new();
        loop {
            match run.poll() {
                Action::Lines { episode, lines, .. } => {
                    let text = texts.entry(episode).or_default();
                    text.extend(lines.iter().flat_map(|line| [line, "\n"]));
                }
                Action::Ended { episode, .. } => return texts.remove(&episode).expect("its lines"),
                Action::Unfit { problem, .. } => panic!("{problem}"),
                _ => {}
            }
        }
    }

    #[test]
    fn a_gap_costs_only_what_comes_after_it() {
        let whole = transcript();
        let (text, read) = sound(whole.clone()).expect("it is sound");
        let lines = read.events.len();
        assert!(lines > 4, "{lines}");
        assert_eq!(text, whole);
        let gap = |gone: usize| -> String {
            let kept = whole.split_inclusive('\n').enumerate();
            kept.filter(|(at, _)| *at != gone).map(|(_, line)| line).collect()
        };
        let (text, read) = sound(gap(3)).expect("it has a beginning");
        assert_eq!(text.lines().count(), 3);
        assert_eq!(read.events.len(), 3);
        assert!(whole.starts_with(&text));
        assert!(sound(gap(0)).is_none(), "nothing is left");
    }

    #[test]
    fn lines_of_this_browser_count_only_where_they_go_on_from_the_servers() {
        let text = format!("{}\n{}\n{}\n", line("a"), line("b"), line("c"));
        assert!(goes_on_from(&text, &head(2, "b")), "it goes on");
        assert!(goes_on_from(&text, &head(3, "c")), "it is the same");
        assert!(goes_on_from(&text, &head(0, "")), "there is nothing yet");
        assert!(!goes_on_from(&text, &head(2, "x")), "it went on otherwise");
        assert!(!goes_on_from(&text, &head(4, "d")), "it has less");
        assert!(!goes_on_from("no line", &head(1, "a")), "it is none");
    }
}
