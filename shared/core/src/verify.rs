//! Is a run what it says? Every transcript is played again over the checker's own tasks and prompts, every reply is compared
//! with its evidence, and what is wrong is named with its episode and line.
//!
//! The server does this before it admits a run to a board; a page does the same for its reader, as far as it may see what it
//! needs ([`Sight`]). Plays come before their gradings.

mod hearing;
mod plan;
mod receipts;
mod tally;
mod unplayed;
mod wrong;

use std::collections::{BTreeMap, BTreeSet};

use crate::archive::Archives;
use crate::benchmark::Benchmark;
use crate::effect::CallId;
use crate::episode::Outcome;
use crate::evidence_tier::{Attendance, Evidence};
use crate::hash::Digest;
use crate::key::{EpisodeKey, PartKey};
use crate::prompt::Pack;
use crate::replay::{Extent, Replay};
use crate::run::table::{Place as AtTable, Table};
use crate::run::{grades_alike, header};
use crate::seat::Player;
use crate::session::Session;
use crate::spec::Spec;
use crate::sweep;
use crate::task::{Task, TaskId, TaskSet};
use crate::transcript::{self, Event, Header, Origin, Part, SaltKey, Transcript};
use crate::wire::publishing::{FindingAbout, Place};
use crate::wire::receipts::Receipt;

pub use tally::{Searched, Tally, mend};
pub use wrong::{Check, Wrong};

use hearing::Hearing;
use plan::plan;
use receipts::Receipts;

/// Why a reply is refused that its call's receipt does not have.
const OTHER_ANSWER: &str = "the receipt of this call is of another answer";

/// What the checker can see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// Everything: lines that are withheld, and transcripts that are no recording of ours, are refused.
    Whole,
    /// What a reader is given: of what is withheld the rest is checked, and counted.
    Reader,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driver {
    /// The holder of its token.
    Anybody,
    /// The server itself, as at live tables: it knows under which circumstances people sat there.
    Server(Attendance),
}

/// What transcripts are played again over.
#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    /// The run's tasks: of a sealed set what is handed out.
    pub tasks: &'a TaskSet,
    pub pack: &'a Pack,
}

pub struct Verifier<'a> {
    benchmark: &'static dyn Benchmark,
    spec: &'a Spec,
    /// Of a run that grades another's plays again: that run's spec.
    graded: Option<&'a Spec>,
    material: Option<Material<'a>>,
    sight: Sight,
    driver: Driver,
    /// The episodes that the run has by its spec, and their tasks.
    planned: BTreeMap<EpisodeKey, TaskId>,
    /// What pages and searches are answered from anew, as far as the verifier has it.
    archives: Archives,
    /// A table for each spec that transcripts of the run have: one, or of a run that grades another's plays again, two.
    tables: BTreeMap<PartKey, Table>,
    receipts: Receipts,
    /// How plays ended, by their last chain value.
    plays: BTreeMap<Digest, (EpisodeKey, Outcome)>,
    /// Every call of every transcript that was seen.
    calls: BTreeSet<(EpisodeKey, CallId)>,
    gradings: BTreeMap<EpisodeKey, Outcome>,
    shared: SharedReplies,
    tally: Tally,
}

/// Replies that a run gave to several calls ([`Facts::shared_reply`](crate::benchmark::Facts::shared_reply)).
#[derive(Default)]
struct SharedReplies {
    backed: BTreeSet<(Digest, Digest)>,
    pending: Vec<(Digest, Digest, Place)>,
}

impl<'a> Verifier<'a> {
    /// A verifier of a run over the tasks and the prompt pack that it names; a reader who has them not checks chains and
    /// receipts. Receipts are those of the run that hold ([`Book`](crate::receipt::Book)); for a run that grades another's
    /// plays again, also those of that run's plays.
    ///
    /// # Errors
    /// If benchmark, protocol, tasks or pack are others than the spec names.
    pub fn new(
        benchmark: &'static dyn Benchmark,
        spec: &'a Spec,
        material: Option<Material<'a>>,
        receipts: Vec<Receipt>,
        sight: Sight,
        driver: Driver,
    ) -> Result<Self, Wrong> {
        benchmark.check_name(spec).map_err(|bad| Wrong::whole(Check::Protocol, bad.to_string()))?;
        if spec.protocol != benchmark.protocol() {
            return Err(Wrong::whole(
                Check::Protocol,
                format!(
                    "it was played under protocol {} of {}, and protocol {} is played here",
                    spec.protocol,
                    spec.benchmark,
                    benchmark.protocol()
                ),
            ));
        }
        let planned = match material {
            Some(material) => plan(benchmark, spec, material)?,
            None if sight == Sight::Reader => BTreeMap::new(),
            None => {
                return Err(Wrong::whole(Check::Material, "its tasks are not here"));
            }
        };
        let mut verifier = Verifier {
            benchmark,
            spec,
            graded: None,
            material,
            sight,
            driver,
            planned,
            archives: Archives::new(),
            tables: BTreeMap::new(),
            receipts: Receipts::of(receipts),
            plays: BTreeMap::new(),
            calls: BTreeSet::new(),
            gradings: BTreeMap::new(),
            shared: SharedReplies::default(),
            tally: Tally::default(),
        };
        let recorded = spec
            .seats
            .values()
            .filter(|sitting| matches!(sitting.player, Player::Recording(_)))
            .count();
        verifier.tally.find(FindingAbout::Recorded, u64::try_from(recorded).unwrap_or(0), None);
        Ok(verifier)
    }

    /// The same with archives; replies that another archive gave are without evidence.
    #[must_use]
    pub fn reading(self, archives: Archives) -> Self {
        Verifier { archives, ..self }
    }

    /// The run grades again the episodes of a run of this spec: they were played under that one, its gradings under its own.
    ///
    /// # Errors
    /// If the two differ in more than the seats that grade.
    pub fn grading_plays_of(mut self, graded: &'a Spec) -> Result<Self, Wrong> {
        let seats = self.benchmark.grading_seats();
        if !grades_alike(self.spec, graded, seats) {
            let why = format!(
                "the run whose episodes it grades has a spec that differs in more than the seat {}",
                seats.join(" or ")
            );
            return Err(Wrong::whole(Check::Header, why));
        }
        self.graded = Some(graded);
        Ok(self)
    }

    /// The spec of the run under which a part was played.
    fn spec_of(&self, part: PartKey) -> &'a Spec {
        match part {
            PartKey::Play => self.graded.unwrap_or(self.spec),
            PartKey::Grading => self.spec,
        }
    }

    /// Which of [`Verifier::tables`] is that of a part.
    fn table_of(&self, part: PartKey) -> PartKey {
        match self.graded {
            Some(_) => part,
            None => PartKey::Play,
        }
    }

    /// Checks a transcript.
    ///
    /// # Errors
    /// The first thing in it that is wrong.
    pub fn episode(&mut self, key: &EpisodeKey, text: &str) -> Result<Transcript, Wrong> {
        if self.material.is_some() && !self.planned.contains_key(&key.its_play()) {
            return Err(Wrong::at(Check::Plan, key, None, "the run's spec has no such episode"));
        }
        let transcript = transcript::read(text)
            .map_err(|bad| Wrong::at(Check::Chain, key, None, bad.to_string()))?;
        self.tally.lines += u64::try_from(transcript.events.len()).unwrap_or(0);
        let withheld = transcript.events.iter().filter(|event| event.is_none());
        let withheld = u64::try_from(withheld.count()).unwrap_or(0);
        if withheld > 0 && self.sight == Sight::Whole {
            let first = transcript.events.iter().position(Option::is_none);
            return Err(Wrong::at(
                Check::Withheld,
                key,
                first.map(|at| at as u64 + 1),
                "the line is withheld",
            ));
        }
        self.header(key, &transcript.header)?;
        let task = match self.material {
            Some(material) => Some(self.task(key, &transcript.header, material)?),
            None => None,
        };
        self.tally.withheld += withheld;
        let place = Place { episode: key.clone(), line: None };
        self.tally.find(FindingAbout::Withheld, withheld, Some(place));
        match (task, self.material) {
            (Some(task), Some(material)) if withheld == 0 => {
                self.replay(key, &transcript, &task, material.pack)?;
            }
            _ => self.unplayed(key, &transcript)?,
        }
        if let Some(outcome) = transcript.outcome() {
            let (key, outcome) = (key.clone(), outcome.clone());
            match key.part() {
                PartKey::Play => {
                    self.plays.insert(transcript.chain, (key, outcome));
                }
                PartKey::Grading => {
                    self.gradings.insert(key, outcome);
                }
            }
        }
        Ok(transcript)
    }

    /// Checks the first line, as far as that needs no task.
    fn header(&self, key: &EpisodeKey, found: &Header) -> Result<(), Wrong> {
        let wrong = |why: String| Wrong::at(Check::Header, key, Some(1), why);
        if found.origin == Origin::Imported {
            let why = "it was imported from another system, so nothing of it can be checked";
            return Err(Wrong::at(Check::Imported, key, None, why));
        }
        if !is_under(self.spec_of(key.part()), &found.spec) {
            return Err(wrong("it was played under another configuration than the run's".into()));
        }
        if found.branch.is_some() {
            return Err(wrong(
                "it branches from another run's episode, so it is nobody's own episode".into(),
            ));
        }
        let play = EpisodeKey::play(&found.task.id, found.repeat);
        let named = match &found.part {
            Part::Play => play,
            Part::Grading { play: graded } => {
                match self.plays.get(graded) {
                    Some((key, _)) if *key == play => {}
                    _ => {
                        return Err(wrong(
                            "it grades another episode than the one that the run has".into(),
                        ));
                    }
                }
                play.grading()
            }
        };
        if named != *key {
            return Err(wrong(format!("it is the transcript of {named}")));
        }
        Ok(())
    }

    /// The task of an episode, as it is here; sets the table at the first.
    fn task(
        &mut self,
        key: &EpisodeKey,
        found: &Header,
        material: Material<'_>,
    ) -> Result<Task, Wrong> {
        let wrong = |why: String| Wrong::at(Check::Header, key, Some(1), why);
        let task = sweep::task(self.benchmark, &found.spec, material.tasks, &found.task.id)
            .ok_or_else(|| wrong(format!("there is no task {}", found.task.id)))?
            .into_owned();
        let expected = header(&found.spec, &task, found.repeat, found.part.clone());
        if expected != *found {
            return Err(wrong(format!(
                "the task {} is another one here, or has other labels",
                found.task.id
            )));
        }
        let part = self.table_of(key.part());
        match self.tables.get(&part) {
            Some(table) if table.spec == found.spec => {}
            Some(_) => {
                return Err(wrong("its recording speaks for somebody else than before".into()));
            }
            None => {
                let (spec, pack) = (found.spec.clone(), material.pack.clone());
                let mut table = Table::set(self.benchmark, spec, pack, BTreeMap::new())
                    .and_then(|table| table.over(material.tasks))
                    .map_err(|bad| wrong(bad.to_string()))?;
                table.archives = self.archives.clone();
                self.tables.insert(part, table);
            }
        }
        Ok(task)
    }

    fn replay(
        &mut self,
        key: &EpisodeKey,
        transcript: &Transcript,
        task: &Task,
        pack: &Pack,
    ) -> Result<(), Wrong> {
        let header = &transcript.header;
        let drift = |line: u64, why: String| Wrong::at(Check::Drift, key, Some(line), why);
        let Some(table) = self.tables.get(&self.table_of(key.part())) else {
            return Ok(());
        };
        let benchmark = table.benchmark;
        let episode = match &header.part {
            Part::Play => benchmark.open(&header.spec, task, pack).map(Some),
            Part::Grading { play } => match self.plays.get(play) {
                Some((_, outcome)) => benchmark.grade(&header.spec, task, pack, outcome),
                None => Ok(None),
            },
        };
        let episode = episode
            .map_err(|bad| drift(1, format!("it cannot be opened: {bad}")))?
            .ok_or_else(|| drift(1, "its episode needs no grading".into()))?;
        let mut session = Session::open(header.clone(), episode, SaltKey::open(header));
        let mut hearing = Hearing {
            table,
            place: AtTable { key, task, repeat: header.repeat },
            lines: told_lines(transcript),
            driver: self.driver,
            receipts: &mut self.receipts,
            calls: &mut self.calls,
            shared: &mut self.shared,
            tally: &mut self.tally,
            wrong: None,
        };
        let mut replay = Replay::new(transcript);
        let extent = replay.run_hearing(&mut session, |call, effect, reply| {
            hearing.hear(call, effect, reply);
        });
        if let Some(wrong) = hearing.wrong {
            return Err(wrong);
        }
        let extent = extent.map_err(|found| drift(found.line as u64, found.why))?;
        let last = transcript.events.len() as u64;
        match (extent, self.sight) {
            (Extent::Whole, _) | (Extent::Waiting | Extent::CutOff, Sight::Reader) => {
                self.tally.replayed += 1;
                Ok(())
            }
            _ => Err(Wrong::at(
                Check::Plan,
                key,
                Some(last),
                "the transcript ends here, and the episode does not",
            )),
        }
    }

    /// All that was found. Everything that belongs to the run has been checked before.
    ///
    /// # Errors
    /// If planned episodes are missing or incomplete, for a checker that sees the whole.
    pub fn finish(mut self) -> Result<Tally, Wrong> {
        if self.sight == Sight::Whole {
            self.all_are_there()?;
        }
        for (key, reply, place) in std::mem::take(&mut self.shared.pending) {
            match self.shared.backed.contains(&(key, reply)) {
                true => self.tally.back(Evidence::Receipted),
                false => {
                    self.tally.back(Evidence::None);
                    self.tally.find(FindingAbout::Unreceipted, 1, Some(place));
                }
            }
        }
        self.receipts.left(&self.calls, &mut self.tally);
        Ok(self.tally)
    }
}

/// Whether what a transcript names is a run's spec. A recording stands in a transcript as the player it speaks for.
pub(crate) fn is_under(spec: &Spec, found: &Spec) -> bool {
    let mut found = found.clone();
    for (seat, sitting) in &spec.seats {
        if matches!(sitting.player, Player::Recording(_)) {
            found.seats.insert(seat.clone(), sitting.clone());
        }
    }
    *spec == found
}

/// The line, from 1, at which each call was answered.
fn told_lines(transcript: &Transcript) -> BTreeMap<CallId, u64> {
    let events = transcript.events.iter().enumerate();
    events
        .filter_map(|(at, event)| match event {
            Some(Event::Told { call, .. }) => Some((*call, at as u64 + 1)),
            _ => None,
        })
        .collect()
}
