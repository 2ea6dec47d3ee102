//! The work behind "Verify here": receipts, then every play with its grading, a few milliseconds at a time.

use turnwise_shared::evidence_tier::Evidence;
use turnwise_shared::receipt::{Book, Keys};
use turnwise_shared::verify::{Driver, Material, Sight, Tally, Verifier};
use turnwise_shared::wire::receipts::Receipt;

use super::apart;
use super::found::{Ended, Found, Going, Verdict, numbers, say};
use crate::api::publishing;
use crate::prelude::*;
use crate::stint::Stint;
use crate::strings::publishing as words;
use crate::{api, clock, library};

/// Checks a run, or one episode of it with its grading episode. Reports its progress in `going`, which also says when to stop.
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
    // Grading an episode again does not change what kind of episode it is.
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

/// Checks the receipts of a run and reports the findings.
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
            Some(_) => format!(
                "{} that the server repeated, with the same results.",
                number::counted(left, "search", "searches")
            ),
            None => format!(
                "{} over documents that are not in this browser. The server repeats them before it \
                publishes the run.",
                number::counted(left, "search", "searches")
            ),
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
        lines => format!(
            "{}; the rest of their chains was checked.",
            number::counted(lines, "line", "lines")
        ),
    });
    if tally.unplayed > 0 {
        found.unchecked.push(format!(
            "{} could not be played again here; chain and receipts were checked.",
            number::counted(tally.unplayed, "transcript", "transcripts")
        ));
    }
    let told = tally.findings.iter().map(|finding| finding.words.clone());
    found.unchecked.extend(told);
}
