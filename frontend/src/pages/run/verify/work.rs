//! The work behind "Verify here": receipts, then every play with its grading, a few milliseconds at a time.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use turnwise_shared::evidence_tier::Evidence;
use turnwise_shared::key::{EpisodeKey, PartKey, RunId};
use turnwise_shared::metrics::options::MeasureOptions;
use turnwise_shared::metrics::report::{Figure, Unit};
use turnwise_shared::metrics::summary::{Summary, summarise};
use turnwise_shared::receipt::{BadReceipts, Book, Keys};
use turnwise_shared::seat::Player;
use turnwise_shared::verify::{Check, Driver, Material, Sight, Tally, Verifier, Wrong};
use turnwise_shared::wire::receipts::Receipt;
use turnwise_shared::wire::{ApiError, RunInfo};

use super::apart;
use crate::api::publishing;
use crate::clock;
use crate::stint::Stint;
use crate::strings::publishing as words;
use crate::{api, library, worker};

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Going {
    /// Nothing goes on.
    Not,
    /// Receipts are read; so many were.
    Receipts(usize),
    /// So many of so many transcripts were checked.
    Transcripts(usize, usize),
    /// It is to stop.
    Stop,
}

/// What came of it.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// All that was checked agrees.
    Agrees,
    /// It was stopped before something disagreed.
    Stopped,
    /// There is nothing by which it could be checked, and why.
    Nothing(String),
    /// Something is not what it says.
    Wrong(String),
    /// It could not be done.
    Trouble(ApiError),
}

/// What was found, in words.
#[derive(Debug, Clone)]
pub struct Found {
    /// In short.
    pub verdict: Verdict,
    /// What agreed.
    pub agreed: Vec<String>,
    /// What was withheld.
    pub withheld: Vec<String>,
    /// What was not checked.
    pub unchecked: Vec<String>,
    /// The keys under which receipts are signed.
    pub keys: Vec<String>,
}

impl Found {
    fn blank(verdict: Verdict) -> Self {
        Found {
            verdict,
            agreed: Vec::new(),
            withheld: Vec::new(),
            unchecked: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// It could not even begin.
    pub fn not(problem: ApiError) -> Self {
        Found::blank(Verdict::Trouble(problem))
    }
}

/// Why it ended early.
pub(super) enum Ended {
    /// It was to stop.
    Stopped,
    /// There is nothing by which it could be checked.
    Nothing(String),
    /// Something is not what it says.
    Wrong(String),
    /// It could not be done.
    Trouble(ApiError),
}

impl From<ApiError> for Ended {
    fn from(problem: ApiError) -> Self {
        Ended::Trouble(problem)
    }
}

impl From<Wrong> for Ended {
    fn from(wrong: Wrong) -> Self {
        match wrong.check {
            Check::Imported => Ended::Nothing("It was imported from another system: there is nothing here by which it could be checked.".to_owned()),
            _ => Ended::Wrong(wrong.words()),
        }
    }
}

impl From<BadReceipts> for Ended {
    fn from(bad: BadReceipts) -> Self {
        Ended::Wrong(format!("{bad}."))
    }
}

/// Checks a run, or one episode of it with its grading. `going` is told how far it is, and says when it is to stop.
pub async fn verify(id: &RunId, only: Option<EpisodeKey>, going: RwSignal<Going>) -> Found {
    let mut found = Found::blank(Verdict::Agrees);
    if let Err(ended) = all(id, only.as_ref(), going, &mut found).await {
        found.verdict = match ended {
            Ended::Stopped => Verdict::Stopped,
            Ended::Nothing(why) => Verdict::Nothing(why),
            Ended::Wrong(why) => Verdict::Wrong(why),
            Ended::Trouble(problem) => Verdict::Trouble(problem),
        };
    }
    found
}

/// Says how far it is, unless it is to stop or the page was left.
pub(super) fn say(going: RwSignal<Going>, now: Going) -> Result<(), Ended> {
    match going.try_get_untracked() {
        None | Some(Going::Stop) => Err(Ended::Stopped),
        Some(_) => {
            going.try_set(now);
            Ok(())
        }
    }
}

async fn all(
    id: &RunId,
    only: Option<&EpisodeKey>,
    going: RwSignal<Going>,
    found: &mut Found,
) -> Result<(), Ended> {
    let info = api::run(id).await?;
    let graded = match &info.regrades {
        Some(plays) => Some(api::run(plays).await?),
        None => None,
    };
    // Whoever grades it again, an episode is what it was.
    let played = graded.as_ref().unwrap_or(&info);
    if played.branch_of.is_some() || info.spec.is_imported() {
        return apart::check(id, &info, played, only, going, found).await;
    }
    let spec = info.spec.clone();
    let mut receipts = book(id, going, found).await?;
    if let Some(plays) = &info.regrades {
        let of_plays = book(plays, going, found).await?.into_iter();
        receipts.extend(of_plays.filter(|receipt| receipt.episode.part() == PartKey::Play));
    }
    // Receipts of other episodes hold, too, but nothing is held against them.
    receipts.retain(|receipt| only.is_none_or(|only| receipt.episode.its_play() == *only));
    if receipts.is_empty() {
        found.unchecked.push("The server has signed no call of this run.".to_owned());
    } else {
        found.unchecked.push("Whether the signing key is the server's: compare the key below with what its operator publishes elsewhere.".to_owned());
    }
    let tasks = library::tasks(&spec).await.ok();
    let pack = library::pack(&spec).await.ok();
    let material = match (&tasks, &pack) {
        (Some(tasks), Some(pack)) => Some(Material { tasks, pack }),
        _ => {
            found.unchecked.push(words::NO_TASKS.to_owned());
            None
        }
    };
    let is_person = |player: &Player| *player == Player::Person;
    let has_people = spec.seats.values().any(|one| is_person(&one.player));
    if has_people {
        found.unchecked.push("Whether a person was a person: nothing proves that.".to_owned());
    }
    // Only people sit at tables; of others nothing is asked that the server would have to deny.
    let table = match has_people {
        true => api::live::info(id).await.ok(),
        false => None,
    };
    let driver = table.map_or(Driver::Anybody, |table| Driver::Server(table.attended()));
    let benchmark = library::benchmark(&spec.benchmark)?;
    // The server has no archive but its own; what another one answered is told as replies without evidence.
    let archives = library::archives(&spec).await.unwrap_or_default();
    let mut verifier = Verifier::new(benchmark, &spec, material, receipts, Sight::Reader, driver)?
        .reading(archives);
    if let Some(graded) = &graded {
        verifier = verifier.grading_plays_of(&graded.spec)?;
    }
    let summaries = episodes(id, &info, only, going, found, &mut verifier).await?;
    let mut tally = verifier.finish()?;
    searches(id, &info, only, &mut tally, found).await;
    tell(&tally, found);
    numbers(id, &info, only, &summaries, found).await
}

/// The receipts of a run, checked; what was found is told.
async fn book(
    id: &RunId,
    going: RwSignal<Going>,
    found: &mut Found,
) -> Result<Vec<Receipt>, Ended> {
    let published = publishing::keys().await?;
    let mut book = Book::new(id.clone(), Keys::read(&published)?);
    let mut after = None;
    loop {
        say(going, Going::Receipts(book.receipts().len()))?;
        let page = publishing::receipts(id, after.as_deref()).await?;
        book.add(&page)?;
        clock::breathe().await;
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let receipts = book.receipts().to_vec();
    if !receipts.is_empty() {
        found.agreed.push(words::receipts(receipts.len(), book.signatures()));
        let used: BTreeSet<_> = receipts.iter().map(|receipt| receipt.key).collect();
        let keys = published.iter().filter(|key| used.contains(&key.id));
        found.keys.extend(keys.map(|key| key.public.clone()));
    }
    Ok(receipts)
}

/// Every play with its grading; gives the numbers of each that has ended.
async fn episodes(
    id: &RunId,
    info: &RunInfo,
    only: Option<&EpisodeKey>,
    going: RwSignal<Going>,
    found: &mut Found,
    verifier: &mut Verifier<'_>,
) -> Result<Vec<Arc<Summary>>, Ended> {
    let benchmark = library::benchmark(&info.spec.benchmark)?;
    let heads = api::episodes(id).await?;
    let names: BTreeSet<EpisodeKey> = heads
        .into_iter()
        .map(|head| head.episode)
        .filter(|name| only.is_none_or(|only| name.its_play() == *only))
        .collect();
    let of = names.len();
    let plays: Vec<&EpisodeKey> =
        names.iter().filter(|name| name.part() == PartKey::Play).collect();
    let mut summaries = Vec::with_capacity(plays.len());
    let (mut done, mut under_way) = (0, false);
    let mut stint = Stint::begin();
    for name in plays {
        say(going, Going::Transcripts(done, of))?;
        let play = verifier.episode(name, &api::transcript(id, name).await?)?;
        let has_ended = play.outcome().is_some();
        under_way |= !has_ended;
        done += 1;
        let grading = match names.contains(&name.grading()) {
            true => {
                let name = name.grading();
                done += 1;
                Some(verifier.episode(&name, &api::transcript(id, &name).await?)?)
            }
            false => None,
        };
        if has_ended {
            let measured = benchmark.measure(&play, grading.as_ref());
            let summary = summarise(&play, grading.as_ref(), measured);
            summaries.push(Arc::new(summary));
        }
        stint.breathe_if_over().await;
    }
    if under_way {
        found.unchecked.push(words::UNDER_WAY.to_owned());
    }
    Ok(summaries)
}

/// Searches over known documents without a receipt: this browser has none of the documents, but the server, which has them, makes
/// the searches again before it publishes a run.
async fn searches(
    id: &RunId,
    info: &RunInfo,
    only: Option<&EpisodeKey>,
    tally: &mut Tally,
    found: &mut Found,
) {
    let search = info.spec.search.as_ref();
    if tally.searches.is_empty() || search.is_none_or(|search| search.corpus.is_none()) {
        return;
    }
    let Ok(published) = publishing::entry(id).await else {
        return;
    };
    let evidence = published.as_ref().map(|admission| &admission.evidence);
    let left = tally.leave_searches(evidence, only.is_none());
    if left > 0 {
        found.unchecked.push(match published {
            Some(_) => words::repeated(left),
            None => words::repeatable(left),
        });
    }
}

fn tell(tally: &Tally, found: &mut Found) {
    found.agreed.push(words::chains(tally.lines));
    if tally.replayed > 0 {
        found.agreed.push(words::replayed(tally.replayed));
    }
    for (kind, count) in &tally.evidence {
        let words = words::replies(*count, *kind);
        match kind {
            Evidence::None => found.unchecked.push(words),
            _ => found.agreed.push(words),
        }
    }
    found.withheld.push(match tally.withheld {
        0 => "Nothing.".to_owned(),
        lines => words::withheld(lines),
    });
    if tally.unplayed > 0 {
        found.unchecked.push(words::unplayed(tally.unplayed));
    }
    let told = tally.findings.iter().map(|finding| finding.words.clone());
    found.unchecked.extend(told);
}

/// Computes the numbers of a whole run that is over here and compares them with the server's. Costs are left out: prices are the
/// server's.
pub(super) async fn numbers(
    id: &RunId,
    info: &RunInfo,
    only: Option<&EpisodeKey>,
    summaries: &[Arc<Summary>],
    found: &mut Found,
) -> Result<(), Ended> {
    if only.is_some() {
        return Ok(());
    }
    if !info.state.is_over() {
        found.unchecked.push("The numbers of the run: they change until it is over.".to_owned());
        return Ok(());
    }
    let here =
        worker::report(&info.spec, summaries, &MeasureOptions::default()).await.unwrap_or_default();
    let there = api::report(id).await?;
    match same_numbers(&here.headline, &there.headline) {
        Ok(0) => found.unchecked.push(
            "The numbers of the run: none of them could be computed here and at the server."
                .to_owned(),
        ),
        Ok(same) => found.agreed.push(words::numbers(same)),
        Err(label) => return Err(Ended::Wrong(words::other_number(&label))),
    }
    Ok(())
}

/// How many numbers both have, all of them with the same value. Costs are left out.
///
/// # Errors
/// What the first number is called that only one of them has, or that differs.
fn same_numbers(here: &[Figure], there: &[Figure]) -> Result<usize, String> {
    let counted = |all: &[Figure]| -> Vec<(String, Option<f64>)> {
        let counted = all.iter().filter(|figure| figure.unit != Unit::Dollars);
        counted.map(|figure| (figure.label.clone(), figure.value)).collect()
    };
    let (here, there) = (counted(here), counted(there));
    let only_in = |one: &[(String, Option<f64>)], other: &[(String, Option<f64>)]| {
        let mut odd = one.iter().filter(|figure| !other.contains(figure));
        odd.next().map(|(label, _)| label.clone())
    };
    match only_in(&here, &there).or_else(|| only_in(&there, &here)) {
        Some(label) => Err(label),
        None => Ok(here.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(label: &str, value: Option<f64>, unit: Unit) -> Figure {
        Figure {
            key: label.to_owned(),
            label: label.to_owned(),
            value,
            interval: None,
            known: None,
            unit,
            about: String::new(),
        }
    }

    #[test]
    fn a_number_that_only_one_side_has_is_no_agreement() {
        let right = figure("Accuracy", Some(0.5), Unit::Fraction);
        let calls = figure("Calls", None, Unit::Count);
        let cost = figure("Cost", Some(1.0), Unit::Dollars);
        let both = [right.clone(), calls.clone()];
        assert_eq!(same_numbers(&both, &both), Ok(2));
        assert_eq!(same_numbers(std::slice::from_ref(&cost), &[]), Ok(0));
        assert_eq!(same_numbers(&[right.clone(), cost], std::slice::from_ref(&right)), Ok(1));
        let one = [right];
        assert_eq!(same_numbers(&both, &one), Err("Calls".to_owned()));
        assert_eq!(same_numbers(&one, &both), Err("Calls".to_owned()));
        let other = [figure("Accuracy", Some(0.6), Unit::Fraction), calls];
        assert_eq!(same_numbers(&both, &other), Err("Accuracy".to_owned()));
    }
}
