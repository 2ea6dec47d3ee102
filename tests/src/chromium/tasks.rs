//! The tasks of a page's main thread, each with the CPU time that it took and the time that went by until it was over.
//!
//! The second is what a person waits for. Where cores are few, what other threads and processes do in between counts in it, too:
//! the browser compiles, collects garbage and draws beside the page. The first is the page's own.

use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::tracing::{
    EndParams, EventDataCollected, EventTracingComplete, StartParams, StartTransferMode,
    TraceConfig,
};
use chromiumoxide::listeners::EventStream;
use futures::StreamExt as _;
use serde_json::Value;

use super::{Tab, timely};

/// How long what was noted may take to come.
const ALL_OF_IT: Duration = Duration::from_secs(60);

/// The events of tasks, and of what the threads are called.
const CATEGORIES: [&str; 2] = ["toplevel", "__metadata"];

/// What Chromium calls a task of any thread.
const TASK: &str = "ThreadControllerImpl::RunTask";

/// What it calls the main thread of a page.
const MAIN: &str = "CrRendererMain";

/// A task of a page's main thread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Task {
    /// From its beginning to its end, in milliseconds.
    pub wall: f64,
    /// What the thread itself worked in between, in milliseconds.
    pub cpu: f64,
}

/// A browser that notes the tasks of its pages until [`Noting::end`].
pub struct Noting<'tab> {
    tab: &'tab Tab,
    parts: EventStream<EventDataCollected>,
    over: EventStream<EventTracingComplete>,
}

impl Tab {
    /// From now on the browser notes its tasks.
    pub async fn note_tasks(&self) -> Noting<'_> {
        let parts = timely("listening", self.page.event_listener()).await;
        let over = timely("listening", self.page.event_listener()).await;
        let only = TraceConfig::builder().included_categories(CATEGORIES);
        let start = StartParams::builder()
            .transfer_mode(StartTransferMode::ReportEvents)
            .trace_config(only.build());
        timely("tracing", self.page.execute(start.build())).await;
        Noting { tab: self, parts, over }
    }
}

impl Noting<'_> {
    /// The tasks of every page's main thread since then.
    ///
    /// # Panics
    /// If the browser does not say that it was all, or reported no task.
    pub async fn end(mut self) -> Vec<Task> {
        timely("tracing", self.tab.page.execute(EndParams::default())).await;
        let mut events = Vec::new();
        let told = tokio::time::timeout(ALL_OF_IT, async {
            loop {
                tokio::select! {
                    biased;
                    Some(part) = self.parts.next() => events.extend_from_slice(&part.value),
                    Some(_) = self.over.next() => return,
                }
            }
        });
        told.await.expect("the browser tells what it noted");
        let tasks = of_main_threads(&events);
        assert!(!tasks.is_empty(), "no page had a task");
        tasks
    }
}

/// The tasks among events of the trace format.
fn of_main_threads(events: &[Value]) -> Vec<Task> {
    let thread = |event: &Value| (event["pid"].as_u64(), event["tid"].as_u64());
    let main: Vec<_> = events
        .iter()
        .filter(|event| event["name"] == "thread_name" && event["args"]["name"] == MAIN)
        .map(thread)
        .collect();
    let milliseconds = |time: &Value| time.as_f64().map(|time| time / 1000.0);
    events
        .iter()
        .filter(|event| event["name"] == TASK && main.contains(&thread(event)))
        .filter_map(|event| {
            Some(Task { wall: milliseconds(&event["dur"])?, cpu: milliseconds(&event["tdur"])? })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_tasks_of_main_threads_count() {
        let called = |tid: u64, name: &str| json!({ "ph": "M", "name": "thread_name", "pid": 7, "tid": tid, "args": { "name": name } });
        let task = |name: &str, tid: u64| json!({ "ph": "X", "name": name, "pid": 7, "tid": tid, "ts": 1, "dur": 61_500, "tdur": 12_250 });
        let events = [
            task(TASK, 1),
            task("v8.callFunction", 1),
            task(TASK, 2),
            called(1, MAIN),
            called(2, "Compositor"),
        ];
        let expected = Task { wall: 61.5, cpu: 12.25 };
        assert_eq!(of_main_threads(&events), [expected]);
    }
}
