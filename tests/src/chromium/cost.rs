//! What a page costs: the time of its main thread, its memory, and where the time goes.

use chromiumoxide::cdp::browser_protocol::performance::EnableParams;
use chromiumoxide::cdp::js_protocol::heap_profiler::CollectGarbageParams;
use chromiumoxide::cdp::js_protocol::profiler;
use chromiumoxide::cdp::js_protocol::runtime::GetHeapUsageParams;

use super::{Tab, timely};

/// Microseconds between two looks of a profiler.
const SAMPLING: i64 = 500;

/// What a page has in memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heap {
    /// Objects of JavaScript and of the document that are in use.
    pub objects: f64,
    /// Buffers, the memory of WebAssembly included; that never shrinks, so it is the most that was ever in use.
    pub buffers: f64,
}

impl Heap {
    /// Everything together.
    pub fn bytes(&self) -> f64 {
        self.objects + self.buffers
    }
}

impl Tab {
    /// How many seconds of CPU time the page's main thread has spent on tasks since the tab was opened.
    pub async fn busy(&self) -> f64 {
        timely("metrics", self.page.execute(EnableParams::default())).await;
        let metrics = timely("metrics", self.page.metrics()).await;
        metrics
            .iter()
            .find(|metric| metric.name == "TaskDuration")
            .map_or(0.0, |metric| metric.value)
    }

    /// What the page has in memory once everything is gone that nobody needs.
    pub async fn heap(&self) -> Heap {
        let collect = CollectGarbageParams::default();
        timely("collecting garbage", self.page.execute(collect)).await;
        let usage = timely("heap", self.page.execute(GetHeapUsageParams::default())).await;
        Heap {
            objects: usage.used_size + usage.embedder_heap_used_size,
            buffers: usage.backing_storage_size,
        }
    }

    /// Begins to note where the main thread's time goes; that costs time, too.
    pub async fn begin_profile(&self) {
        let enable = profiler::EnableParams::default();
        timely("profiler", self.page.execute(enable)).await;
        let every = profiler::SetSamplingIntervalParams::new(SAMPLING);
        timely("profiler", self.page.execute(every)).await;
        timely(
            "profiler",
            self.page.execute(profiler::StartParams::default()),
        )
        .await;
    }

    /// What was noted since [`Tab::begin_profile`], as the developer tools of Chromium read it (`.cpuprofile`).
    ///
    /// # Panics
    /// If the browser does not answer.
    pub async fn end_profile(&self) -> String {
        let stop = profiler::StopParams::default();
        let stopped = timely("profiler", self.page.execute(stop)).await;
        serde_json::to_string(&stopped.profile).expect("a profile is plain data")
    }
}
