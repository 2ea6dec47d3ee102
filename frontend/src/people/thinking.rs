//! How long questions lie in front of a person. What waits behind another question takes none of the person's time; time for
//! which the page is in the background counts, because it is unknown what a person thinks of there.

use turnwise_shared::run::Ticket;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Thinking {
    /// What lies in front, and since when.
    front: Option<(Ticket, f64)>,
    /// For how long questions lay in front before, oldest first.
    before: Vec<(Ticket, f64)>,
}

impl Thinking {
    /// What lies in front now; nothing changes if it is what lay there before.
    pub fn turn(&mut self, front: Option<&Ticket>, now: f64) {
        if self.front.as_ref().map(|(ticket, _)| ticket) == front {
            return;
        }
        if let Some((ticket, since)) = self.front.take() {
            match self.before.iter_mut().find(|(known, _)| *known == ticket) {
                Some((_, took)) => *took += now - since,
                None => self.before.push((ticket, now - since)),
            }
        }
        self.front = front.map(|ticket| (ticket.clone(), now));
    }

    /// For how long a question has lain in front.
    pub fn took(&self, ticket: &Ticket, now: f64) -> f64 {
        let before = self.before.iter().find(|(known, _)| known == ticket);
        let front = self.front.as_ref().filter(|(known, _)| known == ticket);
        before.map_or(0.0, |(_, took)| *took) + front.map_or(0.0, |(_, since)| now - since)
    }

    /// These will not be asked for any more.
    pub fn forget(&mut self, gone: impl Fn(&Ticket) -> bool) {
        self.before.retain(|(ticket, _)| !gone(ticket));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::effect::CallId;
    use turnwise_shared::hash::Digest;
    use turnwise_shared::key::EpisodeKey;
    use turnwise_shared::task::TaskId;

    fn ticket(task: &str) -> Ticket {
        Ticket {
            episode: EpisodeKey::play(&TaskId::from(task), 1),
            call: CallId(1),
            digest: Digest::of(task),
        }
    }

    #[test]
    fn only_what_lies_in_front_takes_time() {
        let (first, second) = (ticket("a"), ticket("b"));
        let mut thinking = Thinking::default();
        thinking.turn(Some(&first), 10.0);
        thinking.turn(Some(&first), 20.0);
        assert_eq!(thinking.took(&first, 30.0), 20.0);
        assert_eq!(thinking.took(&second, 30.0), 0.0);
        thinking.turn(Some(&second), 40.0);
        thinking.turn(Some(&first), 50.0);
        assert_eq!(thinking.took(&first, 55.0), 35.0, "it came back");
        assert_eq!(thinking.took(&second, 55.0), 10.0);
        thinking.turn(None, 60.0);
        assert_eq!(thinking.took(&first, 100.0), 40.0);
        thinking.forget(|gone| *gone == first);
        assert_eq!(thinking.took(&first, 100.0), 0.0);
    }
}
