//! Who sits at the table of a run: answers what needs no outside, and words what does.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{SEARCH_TAPE, WEB_TAPE};
use crate::archive::{Archive, Archives};
use crate::benchmark::{Asked, Benchmark, Chance, sealing_of};
use crate::call::{ModelCall, Outgoing};
use crate::dice;
use crate::effect::{CallId, Effect, Failure, FailureClass, Reply, Tool};
use crate::hash::Digest;
use crate::key::EpisodeKey;
use crate::prompt::{Ask, Pack};
use crate::recording::Recording;
use crate::sealed::{self, Sealing};
use crate::seat::{Player, Seat};
use crate::spec::{BadSpec, Spec, WebSpec};
use crate::task::{Task, TaskSet};
use crate::transcript::Request;

/// The seats of a run, and everything that they answer from.
pub struct Table {
    /// The benchmark that is played.
    pub benchmark: &'static dyn Benchmark,
    /// The spec as transcripts carry it: a recording stands there as the player it speaks for.
    pub spec: Spec,
    /// The hash of that spec.
    pub spec_digest: Digest,
    pub pack: Pack,
    players: BTreeMap<Seat, Player>,
    recordings: BTreeMap<String, Recording>,
    /// What pages and searches are answered from where the spec says so.
    pub archives: Archives,
    /// How it is played where hidden fields are not here.
    sealing: Option<&'static dyn Sealing>,
}

/// An answer that needed no outside.
pub struct Answer {
    pub reply: Reply,
    /// The position among the replies of its episode on a recording; 0 for all other players.
    pub position: usize,
}

/// Which episode a call belongs to.
pub struct Place<'a> {
    pub key: &'a EpisodeKey,
    pub task: &'a Task,
    /// Which repeat of the task.
    pub repeat: u32,
}

impl Table {
    /// Seats everybody.
    ///
    /// # Errors
    /// The first part of the spec that cannot be run, and how to mend it.
    pub fn set(
        benchmark: &'static dyn Benchmark,
        mut spec: Spec,
        pack: Pack,
        recordings: BTreeMap<String, Recording>,
    ) -> Result<Self, BadSpec> {
        benchmark.check_spec(&spec)?;
        let players = spec
            .seats
            .iter()
            .map(|(seat, sitting)| (seat.clone(), sitting.player.clone()))
            .collect();
        speak_for_the_recorded(&mut spec, &recordings)?;
        Ok(Table {
            benchmark,
            spec_digest: spec.digest(),
            spec,
            pack,
            players,
            recordings,
            archives: Archives::new(),
            sealing: None,
        })
    }

    /// The same table, at which these tasks are played.
    ///
    /// # Errors
    /// If they are sealed, and a player at the table would be shown what is hidden.
    pub fn over(self, tasks: &TaskSet) -> Result<Self, BadSpec> {
        let sealing = sealing_of(self.benchmark, &self.spec, tasks)?;
        Ok(Table { sealing, ..self })
    }

    /// Whether a seat sees fields that are not here, so that the server answers for it, whatever player sits there.
    fn is_sealed(&self, seat: &Seat) -> bool {
        self.sealing.is_some_and(|sealing| sealed::may_see(sealing, seat))
    }

    /// Whether a person sits in a seat.
    pub fn is_person(&self, seat: &Seat) -> bool {
        self.players.get(seat) == Some(&Player::Person)
    }

    /// Who outside answers an effect, by name: a model, the search engine, or the person in the seat.
    pub fn who_answers(&self, effect: &Effect) -> String {
        match effect {
            Effect::Ask(ask) => match self.players.get(&ask.seat) {
                Some(player) => player.to_string(),
                None => ask.seat.to_string(),
            },
            Effect::Search(_) | Effect::Draw { .. } => match &self.spec.search {
                Some(search) => format!("search:{}", search.engine),
                None => "search".to_owned(),
            },
            Effect::Use(tool) => format!("tool:{}", tool.name()),
        }
    }

    /// Everything that needs no outside: chance, bots, recordings, and empty seats.
    pub fn answer(&self, place: &Place<'_>, call: CallId, effect: &Effect) -> Option<Answer> {
        let reply = self.reply(place, call, effect)?;
        let position = self
            .recording(place, call, effect)
            .and_then(|recording| recording.position(place.key, call))
            .unwrap_or(0);
        Some(Answer { reply, position })
    }

    /// Under which key an answer is shared by the run, if it is.
    pub fn shared_reply(&self, place: &Place<'_>, ask: &Ask) -> Option<Digest> {
        self.benchmark.shared_reply(&self.spec, ask, place.task)
    }

    /// The recording that answers an effect, if one does.
    fn recording(&self, place: &Place<'_>, call: CallId, effect: &Effect) -> Option<&Recording> {
        match effect {
            Effect::Ask(ask) => match self.players.get(&ask.seat)? {
                Player::Recording(folder) => self.recordings.get(folder),
                _ => None,
            },
            Effect::Search(_) => self.recordings.get(SEARCH_TAPE),
            Effect::Use(Tool::Page(_)) => self.recordings.get(WEB_TAPE),
            // No seat is asked, so any recording that has the call answers it.
            Effect::Use(Tool::Render(_)) => {
                let request = Request::of(effect);
                self.recordings.values().find(|one| one.has(place.key, call, &request))
            }
            Effect::Draw { .. } => None,
        }
    }

    /// The archive that an effect is answered from: `Some(None)` where it is not here. Such an effect is never sent out.
    fn archive(&self, effect: &Effect) -> Option<Option<&Archive>> {
        let digest = match (effect, &self.spec.search, self.spec.web) {
            (Effect::Search(_), Some(search), _) if search.frozen_engine().is_some() => {
                search.corpus
            }
            (Effect::Use(Tool::Page(_)), _, Some(WebSpec::Archive { archive })) => Some(archive),
            _ => return None,
        };
        Some(digest.and_then(|digest| self.archives.get(&digest)).map(Arc::as_ref))
    }

    /// Whether an effect is answered from an archive that is not here.
    pub fn lacks_archive(&self, effect: &Effect) -> bool {
        matches!(self.archive(effect), Some(None))
    }

    fn reply(&self, place: &Place<'_>, call: CallId, effect: &Effect) -> Option<Reply> {
        let Place { key, task, repeat } = place;
        let nobody =
            |what: String| Some(Reply::Failed(Failure::new(FailureClass::Unavailable, what)));
        let recorded = || {
            let recording = self.recording(place, call, effect)?;
            Some(recording.answer(key, call, &Request::of(effect)))
        };
        match effect {
            Effect::Draw { stream, below, take } => {
                Some(Reply::Drawn { numbers: draw(&self.spec, *repeat, stream, *below, *take) })
            }
            Effect::Search(query) => match &self.spec.search {
                None => nobody("no search engine is configured for this run".into()),
                Some(search) => recorded().or_else(|| {
                    let engine = search.frozen_engine()?;
                    Some(self.archive(effect)??.search(engine, query))
                }),
            },
            Effect::Use(tool) => match (self.benchmark.check_tool(&self.spec, task, tool), tool) {
                (Err(refused), _) => nobody(refused),
                (Ok(()), Tool::Page(visit)) => {
                    recorded().or_else(|| Some(self.archive(effect)??.page(visit)))
                }
                (Ok(()), Tool::Render(_)) => recorded(),
            },
            Effect::Ask(ask) if self.is_sealed(&ask.seat) => None,
            Effect::Ask(ask) => match self.players.get(&ask.seat) {
                None => nobody(format!("nobody sits in the seat {}", ask.seat)),
                Some(Player::Bot(name)) => {
                    let chance = Chance { seed: self.spec.seed, repeat: *repeat, call };
                    match self.benchmark.bot(name, &Asked::new(ask, task, chance)) {
                        Some(said) => Some(Reply::Said(said)),
                        None => {
                            nobody(format!("there is no bot:{name} in {}", self.benchmark.name()))
                        }
                    }
                }
                Some(Player::Recording(folder)) => match self.recordings.get(folder) {
                    Some(recording) => Some(recording.answer(key, call, &Request::of(effect))),
                    None => nobody(format!("tape:{folder} was not loaded")),
                },
                Some(Player::Model { .. } | Player::Person) => None,
            },
        }
    }

    /// The call as it is sent out.
    ///
    /// # Errors
    /// If no service or person outside can answer it, or the prompt cannot be rendered here.
    pub fn outgoing(&self, task: &Task, effect: &Effect) -> Result<Outgoing, Failure> {
        let unavailable = |what: String| Failure::new(FailureClass::Unavailable, what);
        if self.archive(effect).is_some() {
            let missing = "the archive that this run reads is not here";
            return Err(unavailable(missing.to_owned()));
        }
        match effect {
            Effect::Search(query) => match &self.spec.search {
                Some(search) => {
                    Ok(Outgoing::Search { engine: search.engine.clone(), query: query.clone() })
                }
                None => Err(unavailable("no search engine is configured for this run".into())),
            },
            Effect::Draw { .. } => Err(unavailable("chance is never sent out".into())),
            Effect::Use(tool) => Ok(Outgoing::Use(tool.clone())),
            Effect::Ask(ask) if self.is_sealed(&ask.seat) => {
                Ok(Outgoing::Sealed { seat: ask.seat.clone() })
            }
            Effect::Ask(ask) => {
                let Some(Player::Model { provider, model }) = self.players.get(&ask.seat) else {
                    return Err(unavailable(format!("no model sits in the seat {}", ask.seat)));
                };
                let messages =
                    self.pack.render(ask, task).map_err(|bad| unavailable(bad.to_string()))?;
                let sampling = self
                    .spec
                    .seats
                    .get(&ask.seat)
                    .map(|sitting| sitting.sampling.clone())
                    .unwrap_or_default();
                Ok(Outgoing::Model(ModelCall {
                    provider: provider.clone(),
                    model: model.clone(),
                    seat: ask.seat.clone(),
                    messages,
                    sampling,
                }))
            }
        }
    }
}

/// Answers [`Effect::Draw`]: a function of the run's seed, the repeat and the stream. The task is not mixed in, so that
/// episodes which name the same stream share it, as rotations of one deck do; an episode that wants numbers of its own
/// puts the task into the stream's name.
pub fn draw(spec: &Spec, repeat: u32, stream: &str, below: u32, take: u32) -> Vec<u32> {
    dice::draw(spec.seed, &format!("{repeat}:{stream}"), below, take)
}

/// A recording repeats the replies of another player, so the transcript names that player: the same replies, the same bytes.
fn speak_for_the_recorded(
    spec: &mut Spec,
    recordings: &BTreeMap<String, Recording>,
) -> Result<(), BadSpec> {
    for (seat, sitting) in &mut spec.seats {
        let Player::Recording(folder) = &sitting.player else {
            continue;
        };
        let field = format!("seats.{seat}");
        let recorded = recordings
            .get(folder)
            .ok_or_else(|| BadSpec::new(&field, format!("tape:{folder} was not loaded")))?
            .seats
            .get(seat)
            .ok_or_else(|| {
                BadSpec::new(&field, format!("tape:{folder} has nobody in this seat"))
            })?;
        *sitting = recorded.clone();
    }
    Ok(())
}
