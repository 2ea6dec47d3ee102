//! The host of a live table: one task that owns who sits, the run and the clocks, from the first who sits down to the end.

mod ending;
mod hearing;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};
use turnwise_shared::fairness::seed;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::live::{LastEpisode, LiveEnd, LiveEnding};

use super::chair::{Answered, Chair};
use super::plan::Plan;
use super::play::{Event, Play};
use super::{Awaits, Command};
use crate::error::{Answer, Problem};
use crate::store::NewRun;
use crate::{App, clock};

/// The shortest time without any player after which a room without a clock ends, unless a visitor opened it.
const UNHURRIED: Duration = Duration::from_secs(24 * 3600);

pub struct Host {
    app: App,
    plan: Arc<Plan>,
    secret: [u8; 32],
    info: LiveInfo,
    chairs: BTreeMap<Seat, Chair>,
    commands: mpsc::Receiver<Command>,
    told: watch::Sender<LiveInfo>,
    play: Option<Play>,
    /// Those whose word was taken; they hear so once views show what came of it.
    taken: Vec<oneshot::Sender<Answer<()>>>,
}

/// What a host waits for.
enum Wakes {
    Command(Option<Command>),
    Answer(turnwise_shared::run::Ticket, Box<Reply>),
    Clock,
    Closing,
}

impl Host {
    /// The host of a room with empty seats.
    pub fn new(
        app: App,
        plan: Arc<Plan>,
        secret: [u8; 32],
        info: LiveInfo,
        chairs: BTreeMap<Seat, Chair>,
        commands: mpsc::Receiver<Command>,
        told: watch::Sender<LiveInfo>,
    ) -> Self {
        Host { app, plan, secret, info, chairs, commands, told, play: None, taken: Vec::new() }
    }

    /// From the first who sits down to the end.
    pub async fn run(mut self) {
        let end = self.hold().await.unwrap_or_else(|problem| {
            tracing::error!(run = %self.info.run, %problem, "a live table broke off");
            LiveEnd {
                ending: LiveEnding::Interrupted,
                why: "The server failed at this table. Its log says more.".to_owned(),
            }
        });
        self.end(end).await;
    }

    async fn hold(&mut self) -> Answer<LiveEnd> {
        let mut closing = self.app.closing();
        loop {
            if self.play.is_none() && self.chairs.values().all(|chair| chair.nonce().is_some()) {
                self.begin().await?;
            }
            if let Some(end) = self.advance().await? {
                return Ok(end);
            }
            self.show();
            let clock = sleep_until(self.wakes_at());
            let wakes = match &mut self.play {
                None => tokio::select! {
                    command = self.commands.recv() => Wakes::Command(command),
                    () = clock => Wakes::Clock,
                    () = closing.wait() => Wakes::Closing,
                },
                Some(play) => tokio::select! {
                    command = self.commands.recv() => Wakes::Command(command),
                    (ticket, reply) = play.answered() => Wakes::Answer(ticket, Box::new(reply)),
                    () = clock => Wakes::Clock,
                    () = closing.wait() => Wakes::Closing,
                },
            };
            let end = match wakes {
                Wakes::Command(Some(command)) => self.obey(command).await?,
                // Every hand on the table has gone.
                Wakes::Command(None) => Some(ended(LiveEnding::Cancelled, "The table was closed.")),
                Wakes::Answer(ticket, reply) => {
                    if let Some(play) = &mut self.play {
                        play.tell(&ticket, *reply);
                    }
                    None
                }
                Wakes::Clock => self.look_at_the_clock().await?,
                Wakes::Closing => Some(ended(LiveEnding::Interrupted, "The server stopped.")),
            };
            if let Some(end) = end {
                return Ok(end);
            }
        }
    }

    /// Everybody sits: the seed is mixed, and the run begins. Its row is sealed from the first moment.
    async fn begin(&mut self) -> Answer<()> {
        let nonces = self.nonces();
        let (plan, seed) = (Arc::clone(&self.plan), seed(&self.secret, &nonces));
        let run = tokio::task::spawn_blocking(move || plan.run(seed))
            .await
            .map_err(Problem::internal)?
            .map_err(Problem::internal)?;
        self.info.stage = LiveStage::Playing;
        let store = self.app.store();
        store.begin_live(&self.info, &nonces).await?;
        let new = NewRun {
            tags: Vec::new(),
            run: self.info.run.clone(),
            token: self.plan.token,
            title: self.info.title.clone(),
            spec: run.spec().clone(),
            opened: clock::now(),
            episodes: self.info.episodes,
            regrades: None,
            branch_of: None,
            visibility: Visibility::default(),
            is_visitors: self.plan.opener.is_visitor,
        };
        store.add_run(&new).await?;
        let board = self.plan.benchmark.board(&new.spec);
        let owner = self.plan.opener.owner.as_ref();
        store.set_opening(&new.run, owner, &board).await?;
        let (caps, access) = (&self.plan.caps, self.plan.opener.access.as_deref());
        if !caps.is_nothing() || access.is_some() {
            let call_limits = self.app.call_limits();
            call_limits.set_caps(&new.run, caps, access).await?;
        }
        let head = store
            .run_head(&new.run)
            .await?
            .ok_or_else(|| Problem::internal("a run was kept and is not there"))?;
        self.play = Some(Play::new(self.app.clone(), run, head));
        Ok(())
    }

    /// Goes on until a player must answer; the end, if there is nothing more to play.
    async fn advance(&mut self) -> Answer<Option<LiveEnd>> {
        while let Some(play) = &mut self.play {
            match play.advance().await? {
                Event::Asked { ticket, question } => match self.chairs.get_mut(&question.seat) {
                    Some(chair) => {
                        chair.ask(ticket, *question, Instant::now());
                        self.answer_for_those_who_left().await?;
                    }
                    None => {
                        let why = format!("nobody can sit in the seat {}", question.seat);
                        let failure = Failure::new(FailureClass::Unavailable, why);
                        play.tell(&ticket, Reply::Failed(failure));
                    }
                },
                Event::Ended { number } => {
                    self.remember(number);
                    self.show();
                    if !self.app.store().hosts(&self.info.run).await? {
                        let why = "Another server ended this table, because nothing was heard of this one for a while.";
                        return Ok(Some(ended(LiveEnding::Interrupted, why)));
                    }
                    // A run of bots never waits: other tables have their turn.
                    tokio::task::yield_now().await;
                }
                Event::TooLarge { most } => {
                    let why = format!(
                        "The table was ended: its transcripts have more than {most} bytes, the most of a visitor's table."
                    );
                    return Ok(Some(ended(LiveEnding::Cancelled, &why)));
                }
                Event::Waits => return Ok(None),
                Event::Over => {
                    let why = match play.incomplete() {
                        0 => "Everything was played.".to_owned(),
                        some => format!("Everything was played; {some} could not be finished."),
                    };
                    return Ok(Some(ended(LiveEnding::Played, &why)));
                }
            }
        }
        Ok(None)
    }

    /// An episode has ended: everybody who took part keeps its last picture.
    fn remember(&mut self, number: u32) {
        let Some(play) = &self.play else {
            return;
        };
        self.info.played = play.played();
        for (seat, chair) in &mut self.chairs {
            chair.clear();
            let scene = play.last_scene(&Viewer::Seat(seat.clone()));
            if scene.blocks.is_empty() {
                continue;
            }
            chair.last = Some(LastEpisode {
                episode: number,
                scene,
                reveal: match self.info.kind {
                    LiveKind::Practice => Some(play.last_scene(&Viewer::Reader)),
                    LiveKind::Rated => None,
                },
            });
        }
    }

    async fn obey(&mut self, command: Command) -> Answer<Option<LiveEnd>> {
        match command {
            Command::Said { seat, says, answer } => match self.hear(&seat, says).await {
                Ok(()) => self.taken.push(answer),
                // The client that asked may have gone; then nothing needs to be answered.
                Err(problem) => drop(answer.send(Err(problem))),
            },
            Command::Connected { seat, hold } => {
                if let Some(chair) = self.chairs.get_mut(&seat) {
                    chair.come(hold, Instant::now());
                }
            }
            Command::Seen { seat } => {
                if let Some(chair) = self.chairs.get_mut(&seat) {
                    chair.look(Instant::now());
                }
            }
            Command::Cancel => {
                let why = "Whoever opened the table ended it.";
                return Ok(Some(ended(LiveEnding::Cancelled, why)));
            }
        }
        let everybody_left = self.chairs.values().all(|chair| chair.left);
        Ok(everybody_left.then(|| ended(LiveEnding::Cancelled, "Everybody left.")))
    }

    /// Answers the question that stands in a seat.
    async fn tell(&mut self, seat: &Seat, reply: Reply) -> Answer<()> {
        let answered = match reply {
            Reply::Failed(_) => Answered::Late,
            _ => Answered::InTime,
        };
        let chair = self.chairs.get_mut(seat);
        let taken = chair.and_then(|chair| chair.take(answered, Instant::now()));
        if let (Some(play), Some((ticket, took))) = (&mut self.play, taken) {
            play.tell_of_person(&ticket, reply, took).await?;
        }
        Ok(())
    }

    async fn answer_for_those_who_left(&mut self) -> Answer<()> {
        self.answer_for(|chair| chair.left, "the person has left").await
    }

    /// The protocol hears of a timeout for everybody of whom this is so, and goes on by its own rule.
    async fn answer_for(&mut self, is_so: impl Fn(&Chair) -> bool, why: &str) -> Answer<()> {
        let seats: Vec<Seat> = self
            .chairs
            .iter()
            .filter(|(_, chair)| chair.turn().is_some() && is_so(chair))
            .map(|(seat, _)| seat.clone())
            .collect();
        for seat in seats {
            let failure = Failure::new(FailureClass::Timeout, why);
            self.tell(&seat, Reply::Failed(failure)).await?;
        }
        Ok(())
    }

    async fn look_at_the_clock(&mut self) -> Answer<Option<LiveEnd>> {
        let now = Instant::now();
        let is_late = |chair: &Chair| chair.deadline(now).is_some_and(|deadline| deadline <= now);
        self.answer_for(is_late, "the person's time ran out").await?;
        let is_deserted = self.deserted_at(now) <= now;
        Ok(is_deserted
            .then(|| ended(LiveEnding::Cancelled, "Nobody was at the table for too long.")))
    }

    /// When the next thing happens by itself.
    fn wakes_at(&self) -> Instant {
        let now = Instant::now();
        self.chairs
            .values()
            .filter_map(|chair| chair.deadline(now))
            .chain([self.deserted_at(now)])
            .min()
            .unwrap_or(now)
    }

    /// When the room ends because no player is there.
    fn deserted_at(&self, now: Instant) -> Instant {
        let seen = self.chairs.values().map(|chair| chair.seen(now)).max();
        let idle = self.app.config().limits.live_idle;
        // Visitors hold few tables; an abandoned one makes room for the next.
        let is_short = self.info.clock.runs() || self.plan.opener.is_visitor;
        let patience = match is_short {
            true => idle,
            // A player without a time limit may close the page and come back.
            false => idle.max(UNHURRIED),
        };
        seen.unwrap_or(now) + patience
    }

    /// Everybody sees how things are, and hears that its word was taken.
    fn show(&mut self) {
        let now = Instant::now();
        self.info.people =
            self.chairs.iter().map(|(seat, chair)| (seat.clone(), chair.sitter(now))).collect();
        self.told.send_replace(self.info.clone());
        for (seat, chair) in &self.chairs {
            let (episode, scene) = match &self.play {
                Some(play) => (play.number(), self.named(seat, play)),
                None => (None, Scene::default()),
            };
            let awaits = self.awaits(seat, &scene, now);
            chair.show(&self.info, episode, scene, awaits);
        }
        for answer in self.taken.drain(..) {
            // The client that asked may have gone; then nothing needs to be answered.
            let _ = answer.send(Ok(()));
        }
    }

    /// What a seat sees. In practice this includes at which places the people sit whose names it knows.
    fn named(&self, seat: &Seat, play: &Play) -> Scene {
        let mut scene = play.scene(&Viewer::Seat(seat.clone()));
        if self.info.kind == LiveKind::Practice && self.chairs.len() > 1 {
            let whole = play.scene(&Viewer::Reader);
            let people = |seat: &Seat| self.chairs.contains_key(seat);
            scene.name_places(&whole, people);
        }
        scene
    }

    /// The player that a seat waits for, as far as it may know that. A player who is asked waits for no other, and a player who
    /// sees nothing of an episode does not learn that others play it. In a match no player learns who the other is, because a
    /// clock would tell a person from a model, or one person from another: it is shown only where it can only be that of one
    /// player.
    fn awaits(&self, seat: &Seat, scene: &Scene, now: Instant) -> Option<Awaits> {
        let is_asked = self.chairs.get(seat)?.turn().is_some();
        let is_match = |block: &Block| matches!(block, Block::Lanes(_));
        let may_be_another = self.chairs.len() > 2 || self.plan.has_models();
        if is_asked || scene.blocks.is_empty() {
            return None;
        }
        if scene.blocks.iter().any(is_match) && may_be_another {
            return None;
        }
        let others = self.chairs.iter().filter(|(other, _)| *other != seat);
        others.filter_map(|(_, chair)| chair.awaits(now)).max_by_key(|awaits| awaits.until)
    }

    fn nonces(&self) -> BTreeMap<Seat, String> {
        self.chairs
            .iter()
            .filter_map(|(seat, chair)| Some((seat.clone(), chair.nonce()?.to_owned())))
            .collect()
    }
}

fn ended(ending: LiveEnding, why: &str) -> LiveEnd {
    LiveEnd { ending, why: why.to_owned() }
}
