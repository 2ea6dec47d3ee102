//! What can be checked of a run that cannot be verified by itself: one that was brought from another system, and a branch,
//! whose first replies are another run's.

use super::found::{Ended, Found, Going, numbers, say};
use crate::live::{self, Ingredients};
use crate::prelude::*;
use crate::stint::Stint;
use crate::strings::publishing as words;
use crate::view::replayed::{self, Seal};
use crate::{api, library};

/// What was counted on the way.
#[derive(Default)]
struct Counts {
    lines: u64,
    replayed: u64,
    under_way: bool,
    unplayed: BTreeSet<String>,
}

/// Checks chains, that the transcripts are this run's, and its numbers; a branch is also played again, and its first lines
/// are held against the other play's. `played` is the run whose plays they are: another one where they were graded again.
pub async fn check(
    id: &RunId,
    info: &RunInfo,
    played: &RunInfo,
    only: Option<&EpisodeKey>,
    going: RwSignal<Going>,
    found: &mut Found,
) -> Result<(), Ended> {
    let benchmark = library::benchmark(&info.spec.benchmark)?;
    let ingredients = match info.spec.is_imported() {
        true => None,
        false => live::ingredients(id).await.ok(),
    };
    let heads = api::episodes(id).await?;
    let names: BTreeSet<EpisodeKey> = heads
        .into_iter()
        .map(|head| head.episode)
        .filter(|name| only.is_none_or(|only| name.its_play() == *only))
        .collect();
    let of = names.len();
    let plays = names.iter().filter(|name| name.part() == PartKey::Play);
    let (mut counts, mut summaries) = (Counts::default(), Vec::<Arc<Summary>>::new());
    let mut done = 0;
    let mut stint = Stint::begin();
    for name in plays {
        say(going, Going::Transcripts(done, of))?;
        let play = read(id, played, name, None, ingredients.as_ref(), &mut counts).await?;
        done += 1;
        let grading = match names.contains(&name.grading()) {
            true => {
                done += 1;
                let name = name.grading();
                let play = Some(&play);
                Some(read(id, info, &name, play, ingredients.as_ref(), &mut counts).await?)
            }
            false => None,
        };
        if play.outcome().is_some() {
            let measured = benchmark.measure(&play, grading.as_ref());
            let summary = summarise(&play, grading.as_ref(), measured);
            summaries.push(Arc::new(summary));
        } else {
            counts.under_way = true;
        }
        if let Some(branch) = &play.header.branch {
            common(branch, &play, found).await?;
        }
        stint.breathe_if_over().await;
    }
    found.agreed.push(words::chains(counts.lines));
    if counts.replayed > 0 {
        found.agreed.push(words::replayed(counts.replayed));
    }
    found.unchecked.extend(counts.unplayed);
    if counts.under_way {
        found.unchecked.push(words::UNDER_WAY.to_owned());
    }
    found.unchecked.push(match &played.branch_of {
        Some(_) => "Who gave the replies: those before the branch belong to the other run, and those after it \
            are not held against receipts.".to_owned(),
        None => "Whether the other system played it so, and scored it rightly: that rests on the log alone.".to_owned(),
    });
    numbers(id, info, only, &summaries, found).await
}

/// A transcript whose chain holds and which is of this run, at the address of the run that is checked.
async fn read(
    id: &RunId,
    info: &RunInfo,
    name: &EpisodeKey,
    graded: Option<&Transcript>,
    ingredients: Option<&Ingredients>,
    counts: &mut Counts,
) -> Result<Transcript, Ended> {
    let text = api::transcript(id, name).await?;
    let read = transcript::read(&text).map_err(|bad| Ended::Wrong(format!("{name}: {bad}.")))?;
    if !is_of(&read.header, info, name, graded) {
        return Err(Ended::Wrong(format!(
            "{name}: its first line is not that of an episode of this run."
        )));
    }
    counts.lines += u64::try_from(read.events.len()).unwrap_or(0);
    if info.spec.is_imported() {
        return Ok(read);
    }
    let Some(Ingredients { tasks, pack }) = ingredients else {
        counts.unplayed.insert(words::NOT_PLAYED.to_owned());
        return Ok(read);
    };
    let benchmark = library::benchmark(&info.spec.benchmark)?;
    let again = match graded {
        Some(play) => replayed::grading(benchmark, tasks, pack, play, &read),
        None => replayed::play(benchmark, tasks, pack, &read),
    };
    match again.seal {
        Seal::Agrees { .. } => counts.replayed += 1,
        Seal::Drifts(drift) => return Err(Ended::Wrong(format!("{name}: {drift}."))),
        Seal::Imported | Seal::NotReplayed(_) => {
            counts.unplayed.insert(words::NOT_PLAYED.to_owned());
        }
    }
    Ok(read)
}

/// Whether a first line is that of an episode of this run.
fn is_of(header: &Header, info: &RunInfo, name: &EpisodeKey, graded: Option<&Transcript>) -> bool {
    let play = EpisodeKey::play(&header.task.id, header.repeat);
    let named = match (&header.part, graded) {
        (Part::Play, None) => play == *name,
        (Part::Grading { play: graded }, Some(known)) => {
            play.grading() == *name && *graded == known.chain
        }
        _ => false,
    };
    let origin = match info.spec.is_imported() {
        true => Origin::Imported,
        false => Origin::Recorded,
    };
    let branch = match name.part() {
        PartKey::Play => info.branch_of.as_ref(),
        PartKey::Grading => header.branch.as_ref(),
    };
    named && header.spec == info.spec && header.origin == origin && header.branch.as_ref() == branch
}

/// Holds the first lines of a branch against those of the episode that it goes on from.
async fn common(of: &BranchOf, play: &Transcript, found: &mut Found) -> Result<(), Ended> {
    let other = match api::transcript(&of.run, &of.episode).await {
        Ok(text) => transcript::read(&text).ok(),
        Err(_) => None,
    };
    let Some(other) = other else {
        found.unchecked.push(
            "Whether the first lines are those of the other episode: that episode cannot be read here."
                .to_owned(),
        );
        return Ok(());
    };
    let lines = usize::try_from(of.lines).unwrap_or(usize::MAX);
    // The header is each episode's own.
    let first = |play: &Transcript| play.events.get(1..lines).map(<[_]>::to_vec);
    match (first(play), first(&other)) {
        (Some(own), Some(others)) if own == others => {
            found.agreed.push(words::common(of.lines.saturating_sub(1)));
            Ok(())
        }
        _ => Err(Ended::Wrong(
            "Its first lines are others than those of the episode that it goes on from.".to_owned(),
        )),
    }
}
