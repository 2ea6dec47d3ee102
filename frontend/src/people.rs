//! What people in seats of this page are asked: a queue that a page shows.
//!
//! No person is timed out here: a question waits until it is answered, the run is cancelled, or its episode ends. Nothing of
//! the queue is kept; a run that is taken up asks what is open again.

mod languages;
mod thinking;

use thinking::Thinking;

use crate::prelude::*;

pub use languages::Languages;

/// A question that waits for a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    pub ticket: Ticket,
    pub question: Question,
    /// The language of its task, as a code (`en`), where it has one.
    pub language: Option<String>,
}

/// An answer that can still be taken back.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    pub waiting: Arc<Waiting>,
    pub text: String,
    /// Milliseconds for which the question lay in front of the person.
    pub took: f64,
}

/// The questions of a run to people in this page. A person stays with a task until it is over: its next question comes before
/// those of others.
///
/// Questions in languages that the person does not take wait apart, uncounted among those that can be shown.
///
/// While others wait, an answer is held until the next is given or five seconds are over: a wrong key can be taken
/// back, and this holds up no player. The last one goes out at once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct People {
    /// Those that wait, in the order in which they came.
    pub waiting: Vec<Arc<Waiting>>,
    /// The episode whose questions are answered, until it is over.
    current: Option<EpisodeKey>,
    /// How many questions were answered here in plays that are not over.
    in_open: BTreeMap<EpisodeKey, u32>,
    /// The newest answer, while it can be taken back.
    pub held: Option<Held>,
    /// How many were answered since the run was opened or taken up here.
    pub answered: u32,
    pub languages: Languages,
    /// For how long questions lay in front.
    thinking: Thinking,
}

impl People {
    /// A question comes last. Times are those of [`clock::now`].
    pub fn ask(&mut self, waiting: Waiting, now: f64) {
        self.waiting.push(Arc::new(waiting));
        self.look(now);
    }

    /// The question that is shown: one of the task that was begun, or the first where none was.
    pub fn shown(&self) -> Option<&Arc<Waiting>> {
        match &self.current {
            // A task that was begun is brought to its end, in whatever language.
            Some(play) => {
                let mut waiting = self.waiting.iter();
                waiting.find(|one| one.ticket.episode.its_play() == *play)
            }
            None => self.taken().next(),
        }
    }

    fn taken(&self) -> impl Iterator<Item = &Arc<Waiting>> {
        self.waiting.iter().filter(|one| {
            let language = one.language.as_deref();
            language.is_none_or(|language| self.languages.takes(language))
        })
    }

    /// How many questions of other tasks could be shown, for which this one can be left.
    pub fn others(&self) -> usize {
        let play_of = |one: &Arc<Waiting>| one.ticket.episode.its_play();
        let play = self.shown().map(play_of);
        self.taken().filter(|one| Some(play_of(one)) != play).count()
    }

    /// How many wait in languages that are not taken.
    pub fn left_out(&self) -> usize {
        self.waiting.len() - self.taken().count()
    }

    /// Takes questions in a language, or leaves them to wait.
    pub fn take_language(&mut self, language: &str, takes: bool, now: f64) {
        self.languages.choose(language, takes);
        self.look(now);
    }

    /// How many questions were answered here in plays that are not over.
    pub fn answered_in_open(&self) -> u32 {
        self.in_open.values().sum()
    }

    /// Takes in an answer. Returns what goes out now, oldest first; nothing if no person is asked this.
    pub fn answer(&mut self, ticket: &Ticket, text: String, now: f64) -> Vec<Held> {
        let found = self.waiting.iter().position(|one| one.ticket == *ticket);
        let Some(at) = found else {
            return Vec::new();
        };
        let held =
            Held { waiting: self.waiting.remove(at), text, took: self.thinking.took(ticket, now) };
        // A grading is one question, and no task to stay with.
        let is_play = ticket.episode.part() == PartKey::Play;
        self.current = is_play.then(|| ticket.episode.clone());
        *self.in_open.entry(ticket.episode.its_play()).or_default() += 1;
        self.look(now);
        self.answered += 1;
        let before = self.held.take();
        let out: Vec<Held> = match self.waiting.is_empty() {
            true => before.into_iter().chain([held]).collect(),
            false => {
                self.held = Some(held);
                before.into_iter().collect()
            }
        };
        for held in &out {
            let gone = &held.waiting.ticket;
            self.thinking.forget(|ticket| ticket == gone);
        }
        out
    }

    /// The held answer goes out, if it is that to this question.
    pub fn release(&mut self, ticket: &Ticket) -> Option<Held> {
        let held = self.held.take_if(|held| held.waiting.ticket == *ticket)?;
        self.thinking.forget(|known| known == ticket);
        Some(held)
    }

    /// The held answer is taken back; its question comes first again.
    pub fn take_back(&mut self, now: f64) {
        if let Some(held) = self.held.take() {
            self.answered -= 1;
            let play = held.waiting.ticket.episode.its_play();
            if let Some(answered) = self.in_open.get_mut(&play) {
                *answered -= 1;
            }
            self.current = Some(play);
            self.waiting.insert(0, held.waiting);
            self.look(now);
        }
    }

    /// Leaves a task for the others that wait: its questions come behind theirs.
    pub fn postpone(&mut self, now: f64) {
        let Some(play) = self.task() else { return };
        let (later, mut first): (Vec<_>, Vec<_>) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|one| one.ticket.episode.its_play() == play);
        first.extend(later);
        self.waiting = first;
        self.current = None;
        self.look(now);
    }

    /// The episode of what is shown, or of what is waited for.
    fn task(&self) -> Option<EpisodeKey> {
        let first = || Some(self.taken().next()?.ticket.episode.its_play());
        self.current.clone().or_else(first)
    }

    /// Whether anything of an episode is known here.
    pub fn knows(&self, episode: &EpisodeKey) -> bool {
        let play = episode.its_play();
        let held = self.held.iter().map(|held| &held.waiting);
        let mut all = self.waiting.iter().chain(held);
        all.any(|one| one.ticket.episode == *episode)
            || self.current.as_ref() == Some(&play)
            || self.in_open.contains_key(&play)
    }

    /// Nothing of an episode is asked any more.
    pub fn forget(&mut self, episode: &EpisodeKey, now: f64) {
        self.held.take_if(|held| held.waiting.ticket.episode == *episode);
        self.waiting.retain(|waiting| waiting.ticket.episode != *episode);
        let play = episode.its_play();
        self.current.take_if(|current| *current == play);
        self.in_open.remove(&play);
        self.look(now);
        self.thinking.forget(|ticket| ticket.episode == *episode);
    }

    /// What is shown lies in front.
    fn look(&mut self, now: f64) {
        let front = self.shown().map(|waiting| waiting.ticket.clone());
        self.thinking.turn(front.as_ref(), now);
    }
}

/// Whether people sit in seats of a spec.
pub fn has_people(spec: &Spec) -> bool {
    let mut seats = spec.seats.values();
    seats.any(|sitting| sitting.player == Player::Person)
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::effect::CallId;
    use turnwise_shared::hash::Digest;
    use turnwise_shared::prompt::Expect;
    use turnwise_shared::scene::Scene;
    use turnwise_shared::seat::Seat;
    use turnwise_shared::task::TaskId;

    fn waiting(task: &str, call: u32) -> Waiting {
        Waiting {
            ticket: Ticket {
                episode: EpisodeKey::play(&TaskId::from(task), 1),
                call: CallId(call),
                digest: Digest::of(task),
            },
            question: Question {
                seat: Seat::new(Seat::RESPONDER),
                expect: Expect::Text,
                messages: Vec::new(),
                parts: Vec::new(),
                scene: Scene::default(),
            },
            language: None,
        }
    }

    fn order(people: &People) -> Vec<u32> {
        let calls = people.waiting.iter().map(|one| one.ticket.call.0);
        calls.collect()
    }

    #[test]
    fn questions_are_shown_one_after_the_other_and_answered_once() {
        let mut people = People::default();
        for (task, call) in [("a", 1), ("b", 2), ("c", 3)] {
            people.ask(waiting(task, call), 0.0);
        }
        let first = people.waiting[0].ticket.clone();
        people.postpone(100.0);
        assert_eq!(order(&people), [2, 3, 1]);
        assert_eq!(people.answer(&first, "yes".to_owned(), 150.0), [], "it is held");
        let again = people.answer(&first, "no".to_owned(), 150.0);
        assert_eq!(again, [], "a second click answers nothing");
        assert_eq!((order(&people), people.answered), (vec![2, 3], 1));
        let ended = people.waiting[0].ticket.episode.clone();
        people.forget(&ended, 200.0);
        assert_eq!((order(&people), people.answered), (vec![3], 1));
        people.postpone(200.0);
        let last = people.waiting[0].ticket.clone();
        let out: Vec<_> = people
            .answer(&last, "no".to_owned(), 230.0)
            .into_iter()
            .map(|held| (held.waiting.ticket.call.0, held.text, held.took))
            .collect();
        let sent = |call, text: &str, took| (call, text.to_owned(), took);
        assert_eq!(out, [sent(1, "yes", 100.0), sent(3, "no", 30.0)], "the last goes at once");
    }

    #[test]
    fn a_task_is_answered_to_its_end_before_the_next() {
        let shown = |people: &People| {
            let shown = people.shown();
            shown.map(|one| (one.ticket.episode.to_string(), one.ticket.call.0))
        };
        let name = |task: &str| EpisodeKey::play(&TaskId::from(task), 1).to_string();
        let mut people = People::default();
        for (task, call) in [("a", 1), ("b", 1), ("c", 1)] {
            people.ask(waiting(task, call), 0.0);
        }
        let first = people.waiting[0].ticket.clone();
        people.answer(&first, "yes".to_owned(), 10.0);
        assert_eq!(shown(&people), None, "the next question of the task is awaited");
        assert_eq!((people.waiting.len(), people.answered_in_open()), (2, 1));
        people.ask(waiting("a", 2), 20.0);
        assert_eq!(shown(&people), Some((name("a"), 2)), "before those that came earlier");
        // A person who does not want to wait takes the next task, and comes back later.
        people.postpone(30.0);
        assert_eq!(shown(&people), Some((name("b"), 1)));
        let second = people.waiting[0].ticket.clone();
        people.answer(&second, "no".to_owned(), 40.0);
        assert_eq!(shown(&people), None);
        people.forget(&second.episode, 50.0);
        assert_eq!(shown(&people), Some((name("c"), 1)), "that task is over");
        assert_eq!(people.answered_in_open(), 1, "one of the first task");
        people.postpone(60.0);
        assert_eq!(shown(&people), Some((name("a"), 2)));
        // A grading is one question: the next task's is shown at once.
        let mut grader = People::default();
        for task in ["a", "b"] {
            let mut one = waiting(task, 1);
            one.ticket.episode = one.ticket.episode.grading();
            grader.ask(one, 0.0);
        }
        let first = grader.waiting[0].ticket.clone();
        grader.answer(&first, "yes".to_owned(), 10.0);
        let next = shown(&grader).expect("the next grading");
        assert!(next.0.starts_with('b'), "{next:?}");
    }

    #[test]
    fn questions_in_other_languages_wait_apart() {
        let set = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
        let in_language = |task: &str, call, language: &str| Waiting {
            language: Some(language.to_owned()),
            ..waiting(task, call)
        };
        let mut people = People {
            languages: Languages::new(set(&["en", "zh"]), set(&["en"])),
            ..People::default()
        };
        people.ask(in_language("a", 1, "zh"), 0.0);
        let shown = |people: &People| people.shown().map(|one| one.ticket.call.0);
        assert_eq!((shown(&people), people.left_out()), (None, 1));
        people.ask(in_language("b", 2, "en"), 0.0);
        people.ask(in_language("c", 3, "en"), 0.0);
        assert_eq!((shown(&people), people.others()), (Some(2), 1));
        people.postpone(10.0);
        assert_eq!(shown(&people), Some(3), "the next one in this language");
        people.take_language("zh", true, 20.0);
        assert_eq!((people.left_out(), people.others()), (0, 2));
        people.take_language("en", false, 30.0);
        assert_eq!((shown(&people), people.left_out()), (Some(1), 2));
    }

    #[test]
    fn an_answer_can_be_taken_back_until_it_goes_out() {
        let mut people = People::default();
        people.ask(waiting("a", 1), 0.0);
        people.ask(waiting("b", 2), 0.0);
        let [first, second] = [0, 1].map(|at: usize| people.waiting[at].ticket.clone());
        people.answer(&first, "yes".to_owned(), 10.0);
        people.take_back(15.0);
        assert_eq!((order(&people), people.answered), (vec![1, 2], 0));
        people.answer(&first, "no".to_owned(), 18.0);
        assert_eq!(people.release(&second), None, "another is held");
        let out = people.release(&first).expect("it is held");
        assert_eq!((out.text.as_str(), out.took), ("no", 13.0));
        people.take_back(20.0);
        assert_eq!(order(&people), [2], "nothing is held any more");
    }
}
