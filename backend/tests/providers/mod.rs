//! Wire formats against a service on loopback that speaks them as the services do, error bodies and quirks of streams included.

pub mod anthropic;
mod faults;
pub mod gemini;
mod listing;
mod openai;
mod otherwise;
mod pictures;
mod refusals;
mod streams;
mod wrapping;

use std::sync::Mutex;

use turnwise_backend::config::ProviderFormat;
use turnwise_backend::outbound::Egress;
use turnwise_backend::outbound::budget::Account;
use turnwise_backend::pictures::Pictures;
use turnwise_backend::secret::Secret;
use turnwise_shared::benchmark::USUAL_ATTEMPTS;
use turnwise_shared::prompt::Rendered;

use crate::common::*;

/// A question with rules and a sampling, to a model.
fn question(model: &str) -> Outgoing {
    question_of(model, |_| {})
}

/// The same with further sampling.
fn question_of(model: &str, more: impl FnOnce(&mut Sampling)) -> Outgoing {
    let mut sampling =
        Sampling { temperature: Some(0.6), max_tokens: Some(50), ..Sampling::default() };
    more(&mut sampling);
    Outgoing::Model(ModelCall {
        provider: "up".into(),
        model: model.into(),
        seat: "player".into(),
        messages: vec![Rendered::text(Role::System, "rules"), Rendered::text(Role::User, "who?")],
        sampling,
    })
}

/// A call that was made.
struct Trial {
    upstream: Upstream,
    egress: Egress,
    answer: CallAnswer,
    heard: String,
}

/// What reaches the service of a format at an address.
async fn egress(format: &str, base_url: &str, limits: &str) -> Egress {
    let config = config_of(format, folder().path(), base_url, limits);
    Egress::open(&config).await.expect("it opens")
}

/// A whole answer of a format, with a text.
fn answer(format: &str, text: &str) -> Value {
    match format {
        "anthropic" => anthropic::message(text),
        "gemini" => gemini::response(text),
        _ => completion(json!(text)),
    }
}

/// Asks a service that has one answer.
async fn asked(format: &str, answer: Canned) -> Trial {
    trial(format, question("m"), vec![answer], false, "").await
}

/// Sends a call to a service of a format with these answers.
async fn trial(
    format: &str,
    asked: Outgoing,
    answers: Vec<Canned>,
    listen: bool,
    limits: &str,
) -> Trial {
    let upstream = Upstream::start(answers).await;
    let egress = egress(format, &upstream.base_url(), limits).await;
    let folder = folder();
    let egress = egress.keeping(Pictures::of_run(folder.path()));
    egress.pictures().keep(&pictures::png()).await.expect("it is kept");
    let heard = Mutex::new(String::new());
    let listener = |piece: &str| heard.lock().expect("no panic").push_str(piece);
    let answer =
        egress.send(&asked, listen.then_some(&listener), &Account::open(), USUAL_ATTEMPTS).await;
    let shown = format!("{answer:?} {}", serde_json::to_string(&answer).expect("JSON"));
    for secret in [MARKED_KEY, "127.0.0.1", "http://"] {
        assert!(!shown.contains(secret), "{secret} is in {shown}");
    }
    let heard = heard.into_inner().expect("no panic");
    Trial { upstream, egress, answer, heard }
}

impl Trial {
    fn said(&self) -> &Said {
        match &self.answer.reply {
            Reply::Said(said) => said,
            other => panic!("nothing was said: {other:?}"),
        }
    }

    fn text(&self) -> Option<&str> {
        self.said().text.as_deref()
    }

    fn class(&self) -> FailureClass {
        self.failure().class
    }

    /// The class of the failure, and how often the service was asked until then.
    fn failed(&self) -> (FailureClass, usize) {
        (self.class(), self.requests())
    }

    fn failure(&self) -> &Failure {
        match &self.answer.reply {
            Reply::Failed(failure) => failure,
            other => panic!("it did not fail: {other:?}"),
        }
    }

    fn requests(&self) -> usize {
        self.upstream.seen().len()
    }

    /// How the request differed from what was chosen.
    fn departures(&self) -> Vec<(&str, Departed)> {
        departures(self.said())
    }

    /// What the service answers when it is asked once more.
    async fn again(&self, asked: &Outgoing) -> Said {
        match self.egress.send(asked, None, &Account::open(), USUAL_ATTEMPTS).await.reply {
            Reply::Said(said) => said,
            other => panic!("nothing was said: {other:?}"),
        }
    }
}

/// How a request differed from what was chosen.
fn departures(said: &Said) -> Vec<(&str, Departed)> {
    said.departures.iter().map(|departure| (departure.parameter.as_str(), departure.how)).collect()
}

/// A service at its own address cannot be asked without a key; an endpoint of the operator's may need none.
#[tokio::test]
async fn a_service_without_its_key_is_told_as_one_that_cannot_be_asked() {
    for (address, key, is_ready) in [
        ("https://api.openai.com/v1", None, false),
        ("https://api.openai.com/v1", Some(MARKED_KEY), true),
        ("http://127.0.0.1:11434/v1", None, true),
    ] {
        let mut config = config_of("openai", folder().path(), address, "");
        let ProviderFormat::OpenAi { key: own, .. } = &mut config.providers[1].format else {
            panic!("the first is scripted, the second the one that was written");
        };
        *own = key.map(|key| Secret::new(key.to_owned()));
        let egress = Egress::open(&config).await.expect("it opens");
        let told: Vec<(String, bool)> =
            egress.providers().into_iter().map(|one| (one.name, one.is_ready)).collect();
        let wanted = [("scripted".to_owned(), true), ("up".to_owned(), is_ready)];
        assert_eq!(told, wanted, "{address}");
    }
}
