//! What a user would notice of a page's work: frames, tasks that hold it up, when something is shown; and a hand on the
//! wheel.

use chromiumoxide::cdp::browser_protocol::input::{
    DispatchMouseEventParams, DispatchMouseEventParamsBuilder, DispatchMouseEventType, MouseButton,
};
use serde_json::Value;

use super::{Tab, timely};

/// Counts long tasks from now on; what is to be watched beside them comes after it, before [`WATCHES`]. The second time it only
/// begins anew.
const WATCH: &str = "(() => { const is_new = window.__watched === undefined; \
     window.__watched = { frames: 0, slowest: 0, tasks: [], measured: [], made: [] }; if (!is_new) return true; \
     new PerformanceObserver(list => list.getEntries().forEach(task => window.__watched.tasks.push(task))) \
     .observe({ type: 'longtask' });";
const WATCHES: &str = " return true; })()";

const FRAMES: &str = " let before = performance.now(); \
     const frame = now => { const seen = window.__watched; seen.frames += 1; if (now - before > seen.slowest) seen.slowest = now - before; \
     before = now; requestAnimationFrame(frame); }; requestAnimationFrame(frame);";

/// Notes what the long ones among the frames are made of, and asks for none: a page that is asked for every frame draws more of
/// them than it would.
const LONG_FRAMES: &str = " new PerformanceObserver(list => list.getEntries().forEach(frame => window.__watched.made.push(frame))) \
     .observe({ type: 'long-animation-frame' });";

/// The longest of the long frames: when, how long, how much of it was layout and drawing, and what was called.
const MADE: &str = "(window.__watched?.made ?? []).toSorted((one, other) => other.blockingDuration - one.blockingDuration).slice(0, 6) \
     .map(frame => { const end = frame.startTime + frame.duration; const ms = time => time.toFixed() + ' ms'; \
     const drawing = frame.styleAndLayoutStart === 0 ? 0 : end - frame.styleAndLayoutStart; \
     return 'at ' + (frame.startTime / 1000).toFixed(1) + ' s ' + ms(frame.duration) + ', layout and drawing ' + ms(drawing) + ': ' \
     + frame.scripts.toSorted((one, other) => other.duration - one.duration).slice(0, 4) \
     .map(script => script.invoker + ' ' + ms(script.duration)).join(', '); })";

/// The durations of the long tasks since the page was navigated to.
const SINCE_OPENED: &str = "new Promise(done => { const tasks = []; \
     new PerformanceObserver(list => tasks.push(...list.getEntries().map(task => task.duration))) \
     .observe({ type: 'longtask', buffered: true }); setTimeout(() => done(tasks), 300); })";

/// Remembers the workers that a page starts, and how often each has answered.
const NOTE_WORKERS: &str = "window.__workers = []; window.Worker = class extends Worker { constructor(...given) { super(...given); \
     const seen = { answers: 0 }; window.__workers.push(seen); this.addEventListener('message', () => seen.answers += 1); } };";

/// What was counted; tasks without those in which the heap was measured: that collects its garbage first, in one long task
/// that is not the page's.
const WATCHED: &str = "(() => { const seen = window.__watched; return { frames: seen.frames, slowest: seen.slowest, \
     tasks: seen.tasks.filter(task => !seen.measured.some( \
     ([from, to]) => task.startTime < to && task.startTime + task.duration > from)).map(task => task.duration) }; })()";

/// What a page did since [`Tab::watch`].
#[derive(Debug, Clone, Default)]
pub struct Watched {
    pub frames: f64,
    /// The longest time between two frames, in milliseconds.
    pub slowest: f64,
    /// The durations of its tasks of 50 ms or more, in milliseconds; browsers tell of no shorter ones.
    pub long_tasks: Vec<f64>,
}

impl Watched {
    /// The longest of the long tasks, in milliseconds; 0 without any.
    pub fn longest(&self) -> f64 {
        self.long_tasks.iter().copied().fold(0.0, f64::max)
    }
}

/// What a page asked for until now.
#[derive(Debug, Clone, Copy, Default)]
pub struct Loaded {
    /// Requests, the page itself included.
    pub requests: u64,
    /// Bytes on the wire, heads included.
    pub bytes: f64,
}

impl Tab {
    /// Begins to count frames and long tasks.
    pub async fn watch(&self) {
        self.eval(&format!("{WATCH}{FRAMES}{WATCHES}")).await;
    }

    /// From the next page on [`Tab::workers`] knows its workers.
    pub async fn note_workers(&self) {
        let note = self.page.evaluate_on_new_document(NOTE_WORKERS);
        timely("init script", note).await;
    }

    /// How often each worker has answered that the page started since [`Tab::note_workers`].
    pub async fn workers(&self) -> Vec<u64> {
        let answers = self.eval("(window.__workers ?? []).map(worker => worker.answers)").await;
        let answers = answers.as_array().into_iter().flatten();
        answers.filter_map(Value::as_u64).collect()
    }

    /// Begins to count long tasks, and no frames.
    pub async fn watch_tasks(&self) {
        self.eval(&format!("{WATCH}{LONG_FRAMES}{WATCHES}")).await;
    }

    /// What the longest frames since [`Tab::watch_tasks`] were made of, each in a line.
    pub async fn longest_frames(&self) -> Vec<String> {
        let made = self.eval(MADE).await;
        let lines = made.as_array().into_iter().flatten();
        lines.filter_map(|line| Some(line.as_str()?.to_owned())).collect()
    }

    /// What was counted since [`Tab::watch`].
    pub async fn watched(&self) -> Watched {
        let seen = self.eval(WATCHED).await;
        let number = |name: &str| seen[name].as_f64().unwrap_or_default();
        let tasks = seen["tasks"].as_array();
        Watched {
            frames: number("frames"),
            slowest: number("slowest"),
            long_tasks: tasks
                .map(|tasks| tasks.iter().filter_map(Value::as_f64).collect())
                .unwrap_or_default(),
        }
    }

    /// The durations of the page's tasks of 50 ms or more since it was navigated to, in milliseconds.
    pub async fn tasks_since_opened(&self) -> Vec<f64> {
        let tasks = self.eval(SINCE_OPENED).await;
        let tasks = tasks.as_array().into_iter().flatten();
        tasks.filter_map(Value::as_f64).collect()
    }

    /// On the next page a note is made when a JavaScript expression is true for the first time and the frame that shows it
    /// has been drawn; see [`Tab::shown`].
    pub async fn note_when(&self, expression: &str) {
        let note = format!(
            "(() => {{ const look = () => {{ \
             if ({expression}) requestAnimationFrame(() => setTimeout(() => {{ window.__shown = performance.now(); }})); \
             else requestAnimationFrame(look); }}; requestAnimationFrame(look); }})()"
        );
        timely("init script", self.page.evaluate_on_new_document(note)).await;
    }

    /// How many milliseconds after the page was navigated to it showed what [`Tab::note_when`] waits for.
    ///
    /// # Panics
    /// If it does not within a minute.
    pub async fn shown(&self, what: &str) -> f64 {
        self.wait(what, "window.__shown !== undefined").await;
        self.eval("window.__shown").await.as_f64().unwrap_or_default()
    }

    /// What the page has asked for so far.
    pub async fn loaded(&self) -> Loaded {
        const LOADED: &str = "(() => { const all = [...performance.getEntriesByType('navigation'), \
             ...performance.getEntriesByType('resource')]; \
             return [all.length, all.reduce((sum, one) => sum + one.transferSize, 0)]; })()";
        let loaded = self.eval(LOADED).await;
        Loaded {
            requests: loaded[0].as_u64().unwrap_or_default(),
            bytes: loaded[1].as_f64().unwrap_or_default(),
        }
    }

    /// Turns the wheel over a place of the window, by this many CSS pixels downwards.
    ///
    /// # Panics
    /// If the browser does not answer.
    pub async fn wheel(&self, place: (f64, f64), down: f64) {
        let turn = mouse(DispatchMouseEventType::MouseWheel, place).delta_x(0.0).delta_y(down);
        self.dispatch(turn).await;
    }

    /// Presses the mouse's button in the middle of the first element that matches, where it stands, and gives that place back:
    /// [`Tab::let_go`] makes it a click.
    ///
    /// # Panics
    /// If there is no such element, it is out of sight, or the browser does not answer.
    pub async fn hold_down(&self, selector: &str) -> (f64, f64) {
        let find = format!(
            "(() => {{ const at = document.querySelector({}).getBoundingClientRect(); \
             return [at.x + at.width / 2, at.y + at.height / 2, innerHeight]; }})()",
            Value::from(selector)
        );
        let place: (f64, f64, f64) =
            serde_json::from_value(self.eval(&find).await).expect("a place");
        let (x, y, height) = place;
        assert!(y < height, "{selector} is out of sight");
        self.button(DispatchMouseEventType::MousePressed, (x, y)).await;
        (x, y)
    }

    /// Lets the mouse's button go.
    ///
    /// # Panics
    /// If the browser does not answer.
    pub async fn let_go(&self, place: (f64, f64)) {
        self.button(DispatchMouseEventType::MouseReleased, place).await;
    }

    /// Clicks an element that is in sight twice at the same place, as fast as a double click is, whatever lies there by then.
    ///
    /// # Panics
    /// If there is no such element, it is out of sight, or the browser does not answer.
    pub async fn double_click(&self, selector: &str) {
        let place = self.hold_down(selector).await;
        self.let_go(place).await;
        self.button(DispatchMouseEventType::MousePressed, place).await;
        self.let_go(place).await;
    }

    async fn button(&self, what: DispatchMouseEventType, place: (f64, f64)) {
        let button = mouse(what, place).button(MouseButton::Left).click_count(1);
        self.dispatch(button).await;
    }

    async fn dispatch(&self, event: DispatchMouseEventParamsBuilder) {
        let event = event.build().expect("what is done, and where");
        timely("the mouse", self.page.execute(event)).await;
    }
}

fn mouse(what: DispatchMouseEventType, (x, y): (f64, f64)) -> DispatchMouseEventParamsBuilder {
    DispatchMouseEventParams::builder().r#type(what).x(x).y(y)
}
