//! A benchmark in which a player writes a page like a target, the page is rendered, and a judge sees both pictures.

use turnwise_shared::benchmark::{Facts, SeatInfo};
use turnwise_shared::effect::{Effect, Job, RENDER, RenderProfile, Tool};
use turnwise_shared::episode::{Episode, Outbox};
use turnwise_shared::prompt::Message;
use turnwise_shared::task::question_id;

use crate::common::*;

/// The field with the target.
const TARGET: &str = "target";

/// Which may be used, or not.
pub struct Painter {
    pub renders: u32,
}

/// The picture to be painted.
pub fn target() -> Vec<u8> {
    tiny_skia::Pixmap::new(5, 4).and_then(|pixels| pixels.encode_png().ok()).expect("a PNG")
}

struct Play(Outbox);

impl Play {
    fn ask(&mut self, seat: &str, message: Message) {
        let thread = self.0.thread();
        self.0.ask(Ask::new(seat, thread, vec![message], Expect::Text));
    }
}

impl Episode for Play {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.0
    }

    fn said(&mut self, seat: &str, said: Said) {
        if seat == "judge" {
            return self.0.finish("judged", json!({ "verdict": said.text }));
        }
        let html = said.text.unwrap_or_default();
        let job = Job { html, width: 32, height: 16, profile: RenderProfile::Render1 };
        self.0.request(Effect::Use(Tool::Render(job)));
    }

    fn made_by_tool(&mut self, made: Made) {
        let Made::Picture(made) = made else { return };
        let layout = [("layout", Variable::text(&made.layout))];
        let pictures = vec![Variable::field(TARGET), Variable::text(made.picture.to_string())];
        let message = Message::template(Role::User, "judge", layout);
        self.ask("judge", Message { pictures, ..message });
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        Scene { awaits: self.0.awaits(viewer), ..Scene::default() }
    }
}

const FACTS: Facts = Facts {
    name: "painter",
    title: "Painter",
    about: "One page, one verdict.",
    seats: &[
        SeatInfo::new(Seat::PLAYER, "writes", "bot:none"),
        SeatInfo::new("judge", "looks", "bot:none"),
    ],
    pack: || {
        let judge = "Alike? Picture 1: the target. Picture 2: the attempt. {layout}";
        Pack::of("painter-1", [("ask", "Write {question}."), ("judge", judge)])
    },
    ..Facts::USUAL
};

impl Benchmark for Painter {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn most_calls(&self, _: &Spec, _: &Task) -> Result<Vec<(&'static str, u32)>, BadSpec> {
        Ok(vec![(Seat::PLAYER, 1), ("judge", 1), (RENDER, self.renders)])
    }

    fn samples(&self) -> TaskSet {
        let png = target();
        let picture = PictureRef::of(&png).expect("it is a PNG");
        let fields = BTreeMap::from([
            (OPEN_FIELD.to_owned(), "a page".to_owned()),
            (TARGET.to_owned(), picture.to_string()),
        ]);
        let task = Task {
            id: question_id("a page"),
            digest: Digest::of_value(&fields),
            labels: BTreeMap::new(),
            fields,
        };
        let set = TaskSet::new("samples", vec![task], TaskSetOrigin::Plain);
        TaskSet { pictures: BTreeMap::from([(picture.digest, png.into())]), ..set }
    }

    fn open(&self, _: &Spec, _: &Task, _: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        let mut play = Play(Outbox::default());
        let question = [("question", Variable::field(OPEN_FIELD))];
        play.ask(Seat::PLAYER, Message::template(Role::User, "ask", question));
        Ok(Box::new(play))
    }
}
