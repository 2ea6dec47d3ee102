//! A table that is played by hand.

use serde_json::Value;

use crate::record::HandRecord;
use crate::{Poker, hands};
use turnwise_core::benchmark::default_spec;
use turnwise_core::dice;
use turnwise_core::prelude::*;
use turnwise_core::scene::CardTable;
use turnwise_core::session::{Next, Session};
use turnwise_core::testing::Case;

/// A table that is played by hand.
pub(super) struct AtTable {
    pub(super) session: Session,
    pub(super) task: Task,
}

impl AtTable {
    pub(super) fn open(profile: Profile, settings: Value) -> Self {
        AtTable::of(Spec { profile, settings, ..default_spec(&Poker) })
    }

    pub(super) fn of(spec: Spec) -> Self {
        let task = Poker.plan(&spec).unwrap().tasks.remove(0);
        AtTable { session: Case::new(&Poker, &spec, &task).open(), task }
    }

    /// The next request to a seat; decks are dealt on the way.
    pub(super) fn next(&mut self) -> Option<(CallId, Ask)> {
        loop {
            match self.session.poll() {
                Next::Call(call, Effect::Draw { stream, below, take }) => {
                    let numbers = dice::draw(1, &stream, below, take);
                    self.session.tell(call, Reply::Drawn { numbers }).unwrap();
                }
                Next::Call(call, Effect::Ask(ask)) => return Some((call, ask)),
                Next::Call(_, other) => panic!("{other:?} is not asked for in poker"),
                Next::Wait => panic!("every call was answered"),
                Next::Closed(_) => return None,
            }
        }
    }

    pub(super) fn say(&mut self, text: &str) -> Ask {
        let (call, ask) = self.next().expect("the table is not over");
        self.session.tell(call, Reply::Said(Said::text(text))).unwrap();
        ask
    }

    pub(super) fn fail(&mut self, class: FailureClass) {
        let (call, _) = self.next().expect("the table is not over");
        let failure = Failure::new(class, "a test");
        self.session.tell(call, Reply::Failed(failure)).unwrap();
    }

    pub(super) fn text(&self, ask: &Ask) -> String {
        let messages = (Poker::FACTS.pack)().render(ask, &self.task).unwrap();
        messages.into_iter().map(|message| message.text).collect::<Vec<_>>().join("\n")
    }

    pub(super) fn records(&mut self) -> Vec<HandRecord> {
        self.session.poll();
        hands(&self.session.transcript())
    }

    /// What is said of the viewer's last reply.
    pub(super) fn remark(&self, viewer: &Viewer) -> Option<String> {
        let blocks = self.session.scene(viewer).blocks;
        blocks.into_iter().find_map(|block| match block {
            Block::Remark { text } => Some(text),
            _ => None,
        })
    }

    pub(super) fn table(&self, viewer: &Viewer) -> CardTable {
        let blocks = self.session.scene(viewer).blocks;
        blocks
            .into_iter()
            .find_map(|block| match block {
                Block::CardTable(table) => Some(table),
                _ => None,
            })
            .expect("a table is shown")
    }
}
