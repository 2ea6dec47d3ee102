//! The page's side: the one worker that it starts when it first needs one.

use futures::channel::oneshot;
use futures::future::{Either, select};
use futures::lock::Mutex;
use leptos::prelude::document;
use serde::Serialize;
use web_sys::{Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::sent::Sent;
use super::{Answer, Count, Order, packed, unpacked};
use crate::prelude::*;
use crate::{clock, library};

/// This many episodes are counted in less time than a frame has; starting a worker would not pay off.
const FEW: usize = 100;
/// Summaries that are sent in one task.
const AT_ONCE: usize = 100;
/// How long an answer is waited for, in milliseconds; then the worker is given up.
const PATIENCE: u32 = 60_000;

/// The numbers over some episodes that have ended, counted beside the page where they are many; `None` where there are none to be
/// had: no episode, or a benchmark that this program does not know.
pub async fn report(
    spec: &Spec,
    ended: &[Arc<Summary>],
    options: &MeasureOptions,
) -> Option<Report> {
    if ended.len() > FEW {
        let desk = DESK.with(Rc::clone);
        // One after the other: what one wish no longer needs, the next might think was there.
        let mut desk = desk.lock().await;
        if let Some(answer) = desk.ask(spec, ended, options).await {
            return answer;
        }
        *desk = State::Broken;
    }
    let benchmark = library::benchmark(&spec.benchmark).ok()?;
    let ended: Vec<&Summary> = ended.iter().map(|summary| &**summary).collect();
    (!ended.is_empty()).then(|| benchmark.report(spec, &ended, options))
}

thread_local! {
    static DESK: Rc<Mutex<State>> = Rc::new(Mutex::new(State::Unused));
}

/// How the page stands with its worker.
enum State {
    /// It has not been needed.
    Unused,
    Working(Hand),
    /// There is none to be had.
    Broken,
}

struct Hand {
    worker: Worker,
    sent: Sent,
    ticket: u64,
    /// Who waits for its next answer.
    waiting: Rc<RefCell<Option<oneshot::Sender<Answer>>>>,
    _heard: Closure<dyn FnMut(MessageEvent)>,
    _failed: Closure<dyn FnMut(Event)>,
}

impl State {
    /// What the worker says; `None` if it cannot be asked or does not answer.
    async fn ask(
        &mut self,
        spec: &Spec,
        ended: &[Arc<Summary>],
        options: &MeasureOptions,
    ) -> Option<Option<Report>> {
        if let State::Unused = self {
            *self = State::Broken;
            *self = State::Working(Hand::hire().await?);
        }
        match self {
            State::Working(hand) => hand.count(spec, ended, options).await,
            State::Unused | State::Broken => None,
        }
    }
}

impl Hand {
    /// Starts a worker and waits until it listens.
    async fn hire() -> Option<Hand> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&script()?, &options).ok()?;
        let waiting = Rc::new(RefCell::new(None::<oneshot::Sender<Answer>>));
        let answer = |waiting: &RefCell<Option<oneshot::Sender<Answer>>>, answer| {
            if let Some(sender) = waiting.take() {
                // The waiting task may have gone.
                let _ = sender.send(answer);
            }
        };
        let heard = {
            let waiting = Rc::clone(&waiting);
            Closure::new(move |event: MessageEvent| {
                answer(&waiting, unpacked(&event.data()).unwrap_or(Answer::Useless));
            })
        };
        let failed = {
            let waiting = Rc::clone(&waiting);
            Closure::new(move |_: Event| answer(&waiting, Answer::Useless))
        };
        worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
        worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
        let hand = Hand {
            worker,
            sent: Sent::default(),
            ticket: 0,
            waiting,
            _heard: heard,
            _failed: failed,
        };
        let ready = hand.answer().await;
        matches!(ready, Some(Answer::Ready)).then_some(hand)
    }

    async fn count(
        &mut self,
        spec: &Spec,
        ended: &[Arc<Summary>],
        options: &MeasureOptions,
    ) -> Option<Option<Report>> {
        for some in ended.chunks(AT_ONCE) {
            let missing = self.sent.add(some);
            if !missing.is_empty() {
                self.post(&Order::Keep(missing))?;
                clock::breathe().await;
            }
        }
        self.ticket += 1;
        let count = Count {
            ticket: self.ticket,
            spec: spec.clone(),
            options: options.clone(),
            over: self.sent.only(ended),
        };
        self.post(&Order::<&Summary>::Count(Box::new(count)))?;
        loop {
            match self.answer().await? {
                Answer::Counted { ticket, report } if ticket == self.ticket => {
                    return Some(report.map(|report| *report));
                }
                // The answer to an earlier request that was given up.
                Answer::Counted { .. } => {}
                Answer::Ready | Answer::Useless => return None,
            }
        }
    }

    fn post(&self, order: &impl Serialize) -> Option<()> {
        let bytes = packed(order)?;
        let own = js_sys::Array::of1(&bytes.buffer());
        self.worker.post_message_with_transfer(&bytes, &own).ok()
    }

    /// The next thing that it says; `None` if it says nothing.
    async fn answer(&self) -> Option<Answer> {
        let (sender, receiver) = oneshot::channel();
        self.waiting.replace(Some(sender));
        match select(receiver, Box::pin(clock::sleep(PATIENCE))).await {
            Either::Left((answer, _)) => answer.ok(),
            Either::Right(_) => None,
        }
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

/// The script that started this page; `None` where it stands in the page itself, as `trunk serve` has it.
fn script() -> Option<String> {
    let element = document().query_selector("script[type=module][src^='/start-']").ok()??;
    element.get_attribute("src")
}
