//! Publishing a run: it is played again over the server's own tasks, its receipts are checked, every number is computed anew,
//! and a row goes onto its board with the evidence tier that follows ([`turnwise_shared::evidence_tier`]); or it is refused, with the
//! place and the reason. Whatever happens to a row afterwards goes into the public log.

mod numbers;
mod refused;
pub mod underway;

use tokio::sync::{Semaphore, mpsc};
use turnwise_shared::evidence_tier::{self, Attendance, Facts};
use turnwise_shared::leaderboard;
use turnwise_shared::prelude::*;
use turnwise_shared::receipt::{BadReceipts, Book, Keys};
use turnwise_shared::verify::{Check, Driver, Material, Sight, Tally, Verifier, Wrong};
use turnwise_shared::wire::naming::given_title;
use turnwise_shared::wire::publishing::{Change, Entry, FindingAbout, Refusal};
use turnwise_shared::wire::receipts::Receipt;

use crate::App;
use crate::error::Problem;
use crate::outbound::budget::Account;
use crate::receipts::page;
use crate::store::{KeptEntry, Logging, Placed, RunHead, StoreError};
use crate::{clock, measures, sample_web};
use refused::{
    BRANCH, BRANCH_MEND, GRADED_BRANCH, OTHER_OWNER, OTHER_OWNER_MEND, UNGRADED, UNGRADED_MEND,
    VISITORS, VISITORS_MEND, copied, no_place, removed, twice, went_on,
};

pub use refused::Refused;

/// Names this very program: what another one computed is computed anew by [`rescore`].
pub use crate::measures::maker;

/// Transcripts that are read at once.
const CHUNK: u32 = 32;

/// Runs that are checked at once; others wait.
static CHECKS: Semaphore = Semaphore::const_new(2);

/// A row as clients see it; `log` is the number of its entry in the public log, 0 for none.
pub fn told(kept: KeptEntry, log: u64) -> Admission {
    Admission { entry: kept.entry, evidence: kept.evidence, findings: kept.findings, log }
}

/// Checks a run and puts it on its board. One that stands there already, and has not changed, stays as it is.
///
/// # Errors
/// Why it is refused.
pub async fn publish(app: &App, run: &RunHead) -> Result<Admission, Refused> {
    let plays = run.regrades.as_ref();
    let said = app.store().last_said(&run.run).await?;
    if let Some(said) = &said
        && said.change == Change::Removed
    {
        return Err(removed(said));
    }
    if let Some(admission) = stands(app, run).await? {
        return Ok(admission);
    }
    let mut kept = check(app, run).await?;
    let now = clock::now();
    kept.entry.published = now;
    let logging = Logging::new(Change::Admitted, "published by its owner", now);
    match app.store().place(&kept, plays, &logging).await? {
        Placed::Logged(logged) => Ok(told(kept, logged.number)),
        Placed::Removed(said) => Err(removed(&said)),
        Placed::Twice => Err(twice()),
        Placed::Copied(of) => Err(copied(&of)),
        // Another request published it while it was checked here.
        Placed::Stands => stands(app, run).await?.ok_or_else(went_on),
        Placed::TakenBack => Err(Problem::withdrawn().into()),
        Placed::WentOn | Placed::Left => Err(went_on()),
    }
}

/// The row of a run that stands on its board over the transcripts that it has now.
async fn stands(app: &App, run: &RunHead) -> Result<Option<Admission>, StoreError> {
    let (store, plays) = (app.store(), run.regrades.as_ref());
    let Some(kept) = store.entry(&run.run).await?.filter(|kept| kept.left.is_none()) else {
        return Ok(None);
    };
    if kept.transcripts != store.transcripts(&run.run, plays).await? {
        return Ok(None);
    }
    let said = store.last_said(&run.run).await?;
    Ok(Some(told(kept, said.map_or(0, |said| said.number))))
}

/// Takes a run off its board; `None` if it does not stand there.
///
/// # Errors
/// If the store fails.
pub async fn leave(
    app: &App,
    run: &RunId,
    change: Change,
    reason: String,
) -> Result<Option<LogEntry>, Problem> {
    let logging = Logging::new(change, reason, clock::now());
    Ok(app.store().leave_board(run, &logging).await?)
}

/// Computes the numbers of a row anew; `None` if they are what they were, or the row has left its board meanwhile.
///
/// # Errors
/// If the run cannot be measured any more, or is not what was checked when it was published.
pub async fn rescore(app: &App, kept: &KeptEntry) -> Result<Option<LogEntry>, Refused> {
    let head = app.store().run_head(&kept.entry.run).await?;
    let run = head.ok_or_else(|| Problem::not_found("such run"))?;
    let numbers = numbers::of(app, &run).await?;
    let same = numbers == kept.entry.numbers;
    let before = kept.entry.numbers.headline().and_then(|one| one.value);
    let mut anew = kept.clone();
    anew.maker = measures::maker().to_owned();
    anew.entry.numbers = numbers;
    if same {
        app.store().set_maker(&anew.entry.run, &anew.maker).await?;
        return Ok(None);
    }
    let after = anew.entry.numbers.headline().and_then(|one| one.value);
    let words = |value: Option<f64>| value.map_or("nothing".to_owned(), |value| value.to_string());
    let reason = match before == after {
        true => "the program computes some of its numbers otherwise".to_owned(),
        false => format!(
            "the program computes its numbers otherwise: {} before, {} now",
            words(before),
            words(after)
        ),
    };
    let logging = Logging::new(Change::Rescored, reason, clock::now());
    let plays = run.regrades.as_ref();
    match app.store().place(&anew, plays, &logging).await? {
        Placed::Logged(logged) => Ok(Some(logged)),
        Placed::Left
        | Placed::Removed(_)
        | Placed::Twice
        | Placed::Copied(_)
        | Placed::Stands
        | Placed::TakenBack => Ok(None),
        Placed::WentOn => Err(Problem::conflict(
            "The run's transcripts are not those that were checked when it was published.",
        )
        .into()),
    }
}

/// Checks a run as [`publish`] does, and leaves everything as it is, but for what is known against it.
///
/// # Errors
/// Why it would be refused. Where the run contradicts itself, its page says so from then on.
pub async fn check(app: &App, run: &RunHead) -> Result<KeptEntry, Refused> {
    let checked = checked(app, run).await;
    match &checked {
        Ok(_) => app.store().set_doubt(&run.run, None).await?,
        Err(Refused::Wrong(refusal)) if contradicts(refusal) => {
            let doubt = Doubt::Refused { at: clock::now(), refusal: refusal.clone() };
            app.store().set_doubt(&run.run, Some(&doubt)).await?;
        }
        Err(_) => {}
    }
    checked
}

fn contradicts(refusal: &Refusal) -> bool {
    let mut contradicted = Check::CONTRADICTED.iter();
    contradicted.any(|check| check.name() == refusal.error.code)
}

async fn checked(app: &App, run: &RunHead) -> Result<KeptEntry, Refused> {
    let _turn = CHECKS.acquire().await.map_err(Problem::internal)?;
    let info = app.store().run(&run.run).await?;
    let info = info.ok_or_else(|| Problem::not_found("such run"))?;
    let benchmark = registry::find(&run.spec.benchmark)
        .map_err(|bad| Wrong::whole(Check::Protocol, bad.to_string()))?;
    if benchmark.boards().is_none() {
        let why = format!("The benchmark {} has no leaderboards.", benchmark.name());
        return Err(Problem::unfit(why).into());
    }
    if let Some(why) = benchmark.unranked(&run.spec) {
        return Err(Problem::unfit(format!("This run cannot be ranked: {why}.")).into());
    }
    if run.branch_of.is_some() {
        return Err(no_place(BRANCH, BRANCH_MEND));
    }
    if run.is_visitors {
        return Err(no_place(VISITORS, VISITORS_MEND));
    }
    let grading = benchmark.grading_seats();
    let mut graders = benchmark.seats().iter().filter(|info| grading.contains(&info.seat));
    if graders.any(|info| !run.spec.seats.contains_key(&Seat::new(info.seat))) {
        return Err(no_place(UNGRADED, UNGRADED_MEND));
    }
    let graded = match &run.regrades {
        Some(played) => Some(graded(app, run, played).await?),
        None => None,
    };
    if app.store().has_row_over(run.plays(), &benchmark.board(&run.spec), &run.run).await? {
        return Err(twice());
    }
    let Some(pack) = leaderboard::listed_pack(benchmark, &run.spec, &app.config().packs) else {
        let why = "its prompt pack is not one of this server's";
        return Err(Wrong::whole(Check::Material, why).into());
    };
    let (library, wanted) = (app.task_library(), run.spec.tasks.clone());
    let spec = run.spec.clone();
    let tasks = tokio::task::spawn_blocking(move || match benchmark.task_source() {
        TaskSource::Spec => benchmark.plan(&spec).map_err(|bad| Problem::unfit(bad.to_string())),
        TaskSource::File => library.tasks(benchmark, &wanted),
    })
    .await
    .map_err(Problem::internal)?
    .map_err(|problem| Wrong::whole(Check::Material, problem.error.message))?;

    if let Some((since, _)) = app.store().opened_tasks(&run.spec.tasks.digest).await? {
        let refused = |when: &str| {
            let why =
                format!("what is hidden in its tasks was told to everybody before it was {when}");
            Err(Wrong::whole(Check::Place, why).into())
        };
        if info.opened >= since {
            return refused("opened");
        }
        let played = app.store().last_sent(run.plays(), PartKey::Play).await?;
        if played.is_some_and(|played| played >= since) {
            return refused("played");
        }
    }

    let mut receipts = book(app, &run.run).await?;
    if let Some(played) = &run.regrades {
        let plays = book(app, played).await?;
        let plays = plays.into_iter();
        receipts.extend(plays.filter(|receipt| receipt.episode.part() == PartKey::Play));
    }
    let table = app.store().live(&run.run).await?;
    let attendance = table.as_ref().map_or(Attendance::Unattended, LiveInfo::attended);
    let driver = match table {
        Some(_) => Driver::Server(attendance),
        None => Driver::Anybody,
    };
    let plays = run.regrades.as_ref();
    let transcripts = app.store().transcripts(&run.run, plays).await?;
    let graded = graded.map(|played| played.spec);
    let mut tally = replay(app, run, graded, tasks, pack, receipts, driver).await?;
    search_again(app, run, &mut tally).await?;
    for (of, part) in parts(run) {
        let lost = app.store().lost_calls(of, part).await?;
        tally.find(FindingAbout::Lost, lost, None);
        let left = app.store().left_continuations(of, part).await?;
        tally.find(FindingAbout::Branched, left, None);
    }

    let players = benchmark.players(&run.spec.seats);
    let facts = Facts {
        players: players.clone(),
        evidence: tally.evidence.clone(),
        attendance,
        custom: tally.count(FindingAbout::CustomEndpoint),
        discarded: tally.count(FindingAbout::Rerolled) + tally.count(FindingAbout::Unused),
    };
    let entry = Entry {
        run: run.run.clone(),
        board: benchmark.board(&run.spec),
        benchmark: run.spec.benchmark.clone(),
        title: given_title(&info.title, benchmark, &run.spec).to_owned(),
        players,
        tier: evidence_tier::evidence_tier(&facts),
        owner: app.store().owner(&run.run).await?,
        opened: info.opened,
        published: 0,
        numbers: numbers::of(app, run).await?,
    };
    if app.store().transcripts(&run.run, plays).await? != transcripts {
        return Err(went_on());
    }
    let kept = KeptEntry {
        entry,
        evidence: tally.evidence,
        findings: tally.findings,
        transcripts,
        maker: measures::maker().to_owned(),
        left: None,
    };
    if let Some(of) = app.store().copied(&kept).await? {
        return Err(copied(&of));
    }
    Ok(kept)
}

/// The run whose plays a run grades again, if such a run may stand on a board: an owner may not publish the episodes of another
/// owner as their own, and an episode that goes on from another one is no row's, whichever grader grades it.
async fn graded(app: &App, run: &RunHead, played: &RunId) -> Result<RunHead, Refused> {
    let head = app.store().run_head(played).await?;
    let head = head.ok_or_else(|| Problem::not_found("such run"))?;
    if head.branch_of.is_some() {
        return Err(no_place(GRADED_BRANCH, BRANCH_MEND));
    }
    let owner = app.store().owner(&run.run).await?;
    if owner.is_some() && owner == app.store().owner(played).await? {
        return Ok(head);
    }
    Err(no_place(OTHER_OWNER, OTHER_OWNER_MEND))
}

/// The receipts of a run, each checked down to its signature.
async fn book(app: &App, run: &RunId) -> Result<Vec<Receipt>, Refused> {
    let bad = |bad: BadReceipts| match bad {
        // The clock of the server that signed was wrong; the run has no part in that.
        BadReceipts::OutOfTime { .. } => Refused::from(Problem::internal(bad)),
        bad => Wrong::whole(Check::Receipts, bad.to_string()).into(),
    };
    let keys = Keys::read(&app.store().keys().await?).map_err(bad)?;
    let mut book = Book::new(run.clone(), keys);
    let mut after = None;
    loop {
        let page = page(app, run, after).await?;
        after = page.receipts.last().map(|last| (last.receipt.key, last.receipt.number));
        let is_last = page.next.is_none();
        // A signature takes a moment, and a page has many.
        book = tokio::task::spawn_blocking(move || book.add(&page).map(|()| book))
            .await
            .map_err(Problem::internal)?
            .map_err(bad)?;
        if is_last {
            return Ok(book.receipts().to_vec());
        }
    }
}

/// The two parts of a run, each with the run that has it: plays that are graded again lie in another one.
fn parts(run: &RunHead) -> [(&RunId, PartKey); 2] {
    [(run.plays(), PartKey::Play), (&run.run, PartKey::Grading)]
}

/// Plays every transcript again on a thread of its own, while the next are read.
async fn replay(
    app: &App,
    run: &RunHead,
    graded: Option<Spec>,
    tasks: TaskSet,
    pack: Pack,
    receipts: Vec<Receipt>,
    driver: Driver,
) -> Result<Tally, Refused> {
    let (sender, mut texts) = mpsc::channel::<(EpisodeKey, String)>(2);
    let spec: Spec = run.spec.clone();
    let work = tokio::task::spawn_blocking(move || -> Result<Tally, Wrong> {
        let material = Some(Material { tasks: &tasks, pack: &pack });
        let benchmark = registry::find(&spec.benchmark)
            .map_err(|bad| Wrong::whole(Check::Protocol, bad.to_string()))?;
        let mut verifier =
            Verifier::new(benchmark, &spec, material, receipts, Sight::Whole, driver)?
                .reading(sample_web::archives());
        if let Some(graded) = &graded {
            verifier = verifier.grading_plays_of(graded)?;
        }
        while let Some((episode, text)) = texts.blocking_recv() {
            verifier.episode(&episode, &text)?;
        }
        verifier.finish()
    });
    'parts: for (of, part) in parts(run) {
        let mut after = None;
        loop {
            let read = app.store().texts(of, after.as_ref(), CHUNK).await?;
            let Some((last, _)) = read.last() else {
                break;
            };
            after = Some(last.clone());
            for (episode, text) in read {
                if episode.part() == part && sender.send((episode, text)).await.is_err() {
                    // It has found something that is wrong, and says what.
                    break 'parts;
                }
            }
        }
    }
    drop(sender);
    let tally = work.await.map_err(Problem::internal)?;
    Ok(tally?)
}

/// Searches without a receipt are made again where the server has the very documents.
async fn search_again(app: &App, run: &RunHead, tally: &mut Tally) -> Result<(), Refused> {
    let searches = std::mem::take(&mut tally.searches);
    let Some(spec) = &run.spec.search else {
        return Ok(());
    };
    let ours = app.egress().engines().into_iter().any(|info| {
        info.name == spec.engine && info.corpus.is_some() && info.corpus == spec.corpus
    });
    if !ours {
        return Ok(());
    }
    for searched in searches {
        let request = Outgoing::Search { engine: spec.engine.clone(), query: searched.query };
        let answer = app.egress().probe(&request, &Account::open()).await;
        match answer.reply {
            Reply::Found { hits, .. } if hits == searched.hits => tally.recompute_search(),
            Reply::Found { .. } => {
                return Err(Wrong {
                    check: Check::Recomputed,
                    place: Some(searched.place),
                    why: format!("{} finds something else for these words", spec.engine),
                }
                .into());
            }
            _ => {}
        }
    }
    Ok(())
}
