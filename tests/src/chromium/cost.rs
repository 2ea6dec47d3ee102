//! What a page costs: the time of its main thread, its memory, and where the time goes.

use chromiumoxide::cdp::browser_protocol::network;
use chromiumoxide::cdp::browser_protocol::performance;
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
    /// The memory of WebAssembly. It never shrinks, so it is the most that was ever in use.
    pub wasm: f64,
}

impl Heap {
    pub fn bytes(&self) -> f64 {
        self.objects + self.wasm
    }
}

/// Remembers the memories that WebAssembly makes.
const NOTE_WASM: &str = "for (const way of ['instantiate', 'instantiateStreaming']) { const plain = WebAssembly[way]; \
     WebAssembly[way] = async (...given) => { const made = await plain.apply(WebAssembly, given); \
     const parts = Object.values((made.instance ?? made).exports); \
     (window.__memories ??= new Set()); \
     parts.filter(part => part instanceof WebAssembly.Memory).forEach(part => window.__memories.add(part)); return made; }; }";
const WASM: &str =
    "[...(window.__memories ?? [])].reduce((sum, memory) => sum + memory.buffer.byteLength, 0)";

impl Tab {
    /// From the next page on [`Tab::heap`] knows the memory of WebAssembly.
    pub async fn note_wasm(&self) {
        let note = self.page.evaluate_on_new_document(NOTE_WASM);
        timely("init script", note).await;
    }

    /// Leaves the network of the page alone: to hear of every request and every frame of a socket, with all that is in it,
    /// costs a page that talks much more than anything that it does itself. What happened in the tab is not complete then.
    pub async fn do_not_hear_the_network(&self) {
        timely("network", self.page.execute(network::DisableParams::default())).await;
    }

    /// From now on [`Tab::busy`] counts CPU time.
    pub async fn begin_to_count(&self) {
        // The way of counting can only be chosen while nothing is counted.
        let disable = performance::DisableParams::default();
        timely("metrics", self.page.execute(disable)).await;
        let cpu_time = performance::EnableParams {
            time_domain: Some(performance::EnableTimeDomain::ThreadTicks),
        };
        timely("metrics", self.page.execute(cpu_time)).await;
    }

    /// How many seconds of CPU time the page's main thread has spent; only differences mean anything.
    pub async fn busy(&self) -> f64 {
        let metrics = timely("metrics", self.page.metrics()).await;
        metrics
            .iter()
            .find(|metric| metric.name == "TaskDuration")
            .map_or(0.0, |metric| metric.value)
    }

    /// What the page has in memory after garbage collection. [`Tab::watched`] leaves out the task that this is.
    pub async fn heap(&self) -> Heap {
        self.eval("window.__watched?.measured.push([performance.now(), Infinity])").await;
        let collect = CollectGarbageParams::default();
        timely("collecting garbage", self.page.execute(collect)).await;
        let usage = timely("heap", self.page.execute(GetHeapUsageParams::default())).await;
        let wasm = self.eval(WASM).await.as_f64().unwrap_or_default();
        self.eval("if (window.__watched) window.__watched.measured.at(-1)[1] = performance.now()")
            .await;
        Heap {
            objects: usage.used_size + usage.embedder_heap_used_size + usage.backing_storage_size,
            wasm,
        }
    }

    /// Begins to note where the main thread's time goes; that costs time, too.
    pub async fn begin_profile(&self) {
        let enable = profiler::EnableParams::default();
        timely("profiler", self.page.execute(enable)).await;
        let every = profiler::SetSamplingIntervalParams::new(SAMPLING);
        timely("profiler", self.page.execute(every)).await;
        timely("profiler", self.page.execute(profiler::StartParams::default())).await;
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
