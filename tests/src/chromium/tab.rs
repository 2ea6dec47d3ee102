//! A tab: goes to pages, looks at them, works them as a person would, and remembers everything that went wrong.

use std::fmt::Display;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use chromiumoxide::Page;
use chromiumoxide::cdp::IntoEventKind;
use chromiumoxide::cdp::browser_protocol::dom::SetFileInputFilesParams;
use chromiumoxide::cdp::browser_protocol::emulation::{
    MediaFeature, SetDeviceMetricsOverrideParams,
};
use chromiumoxide::cdp::browser_protocol::log::{EventEntryAdded, LogEntryLevel};
use chromiumoxide::cdp::browser_protocol::network::{
    EventRequestWillBeSent, EventWebSocketCreated,
};
use chromiumoxide::cdp::browser_protocol::page::CaptureScreenshotFormat;
use chromiumoxide::cdp::js_protocol::runtime::{
    ConsoleApiCalledType, EventConsoleApiCalled, EventExceptionThrown,
};
use chromiumoxide::page::ScreenshotParams;
use futures::StreamExt as _;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{COMMAND_LIMIT, LOOK, Look, SOON, Scheme, timely};

/// Of a page that does not do what is waited for, at most this many characters are shown.
const SHOWN: usize = 1500;

/// What happened in a tab since it was opened.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Errors on the console, uncaught exceptions, violations of the Content-Security-Policy, failed requests.
    pub errors: Vec<String>,
    /// The addresses of everything that was asked for, sockets included.
    pub requests: Vec<String>,
}

pub struct Tab {
    pub(super) page: Page,
    /// The address of the server that its paths belong to.
    home: String,
    seen: Arc<Mutex<Seen>>,
}

/// Makes violations of the Content-Security-Policy speak, those of styles included.
const TELL_VIOLATIONS: &str = "document.addEventListener('securitypolicyviolation', event => \
     console.error(`CSP: ${event.violatedDirective} forbids ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`));";

/// Waits for two frames; those of a hidden tab may never come.
const TWO_FRAMES: &str = "(async () => { for (let at = 0; at < 2; at += 1) await new Promise(done => { \
     requestAnimationFrame(done); setTimeout(done, 1000); }); })()";

impl Tab {
    /// A tab that listens from now on.
    pub(super) async fn listening(page: Page, home: String) -> Self {
        let tab = Tab { page, home, seen: Arc::default() };
        tab.listen().await;
        tab
    }

    async fn listen(&self) {
        timely("init script", self.page.evaluate_on_new_document(TELL_VIOLATIONS)).await;
        self.hear(|event: &EventConsoleApiCalled, seen| {
            if matches!(event.r#type, ConsoleApiCalledType::Error | ConsoleApiCalledType::Assert) {
                let words: Vec<_> = event
                    .args
                    .iter()
                    .map(|part| match (&part.value, &part.description) {
                        (Some(Value::String(text)), _) => text.clone(),
                        (Some(value), _) => value.to_string(),
                        (None, description) => description.clone().unwrap_or_default(),
                    })
                    .collect();
                seen.errors.push(format!("console: {}", words.join(" ")));
            }
        })
        .await;
        self.hear(|event: &EventExceptionThrown, seen| {
            let details = &event.exception_details;
            let what = details
                .exception
                .as_ref()
                .and_then(|exception| exception.description.clone())
                .unwrap_or_else(|| details.text.clone());
            seen.errors.push(format!("exception: {what}"));
        })
        .await;
        self.hear(|event: &EventEntryAdded, seen| {
            let entry = &event.entry;
            if entry.level == LogEntryLevel::Error {
                let place = entry.url.clone().unwrap_or_default();
                seen.errors.push(format!("log: {} {place}", entry.text));
            }
        })
        .await;
        self.hear(|event: &EventRequestWillBeSent, seen| {
            seen.requests.push(event.request.url.clone());
        })
        .await;
        self.hear(|event: &EventWebSocketCreated, seen| {
            seen.requests.push(event.url.clone());
        })
        .await;
    }

    async fn hear<E>(&self, note: impl Fn(&E, &mut Seen) + Send + 'static)
    where
        E: IntoEventKind + Unpin + Send + Sync + 'static,
    {
        let mut events = timely("listening", self.page.event_listener::<E>()).await;
        let seen = Arc::clone(&self.seen);
        tokio::spawn(async move {
            while let Some(event) = events.next().await {
                if let Ok(mut seen) = seen.lock() {
                    note(&event, &mut seen);
                }
            }
        });
    }

    /// Runs a script in every page that is opened from now on, before its own.
    pub async fn before_pages(&self, script: &str) {
        timely("a script", self.page.evaluate_on_new_document(script)).await;
    }

    /// Changes how the tab looks at pages, and waits until what depends on it is drawn.
    pub async fn look(&self, look: Look) {
        let scheme = match look.scheme {
            Scheme::Light => "light",
            Scheme::Dark => "dark",
        };
        let wish = MediaFeature::new("prefers-color-scheme", scheme);
        timely("colours", self.page.emulate_media_features(vec![wish])).await;
        let narrow = look.width < 600;
        let size = SetDeviceMetricsOverrideParams::new(
            i64::from(look.width),
            i64::from(look.height),
            1.0,
            narrow,
        );
        timely("size", self.page.execute(size)).await;
        self.eval(TWO_FRAMES).await;
    }

    /// Goes to an address, or to a path at home.
    pub async fn goto(&self, place: &str) {
        let home = if place.starts_with('/') { &*self.home } else { "" };
        timely(place, self.page.goto(format!("{home}{place}"))).await;
    }

    pub async fn reload(&self) {
        timely("reload", self.page.reload()).await;
    }

    /// Comes before the other tabs: one behind them draws nothing, and hears no click.
    pub async fn to_front(&self) {
        self.page.bring_to_front().await.expect("the browser is there");
    }

    pub async fn close(self) {
        timely("closing", self.page.close()).await;
    }

    /// What a JavaScript expression gives; a promise is waited for.
    pub async fn eval(&self, expression: &str) -> Value {
        let result = tokio::time::timeout(COMMAND_LIMIT, self.page.evaluate(expression)).await;
        match result {
            Ok(Ok(result)) => result.value().cloned().unwrap_or(Value::Null),
            Ok(Err(error)) => panic!("{expression}: {error}"),
            Err(_) => panic!("{expression}: the page does not answer"),
        }
    }

    /// Waits until a JavaScript expression is true. While a page is being replaced an expression may fail; that counts as
    /// "not yet".
    ///
    /// # Panics
    /// After a minute, with what the page shows and what went wrong in it.
    pub async fn wait(&self, what: &str, expression: &str) {
        self.wait_within(SOON, what, expression).await;
    }

    /// The same with other patience.
    ///
    /// # Panics
    /// After `within`, with what the page shows and what went wrong in it.
    pub async fn wait_within(&self, within: Duration, what: &str, expression: &str) {
        let began = Instant::now();
        loop {
            let look = tokio::time::timeout(COMMAND_LIMIT, self.page.evaluate(expression)).await;
            if let Ok(Ok(result)) = look
                && result.value() == Some(&Value::Bool(true))
            {
                return;
            }
            if began.elapsed() > within {
                let place = self.page.url().await.ok().flatten().unwrap_or_default();
                let shown: String = self.text("main").await.chars().take(SHOWN).collect();
                panic!(
                    "{what}: not within {within:?} at {place}\n{shown}\n{:#?}",
                    self.seen().errors
                );
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until an element is there.
    pub async fn wait_for(&self, selector: &str) {
        let expression = format!("document.querySelector({}) !== null", json!(selector));
        self.wait(selector, &expression).await;
    }

    /// Waits until the page shows a text.
    pub async fn wait_for_text(&self, text: &str) {
        let expression = format!("document.body.innerText.includes({})", json!(text));
        self.wait(&format!("the text {text:?}"), &expression).await;
    }

    /// Waits until an element shows a text.
    pub async fn wait_for_text_in(&self, selector: &str, text: &str) {
        let expression = format!(
            "document.querySelector({})?.innerText.includes({}) === true",
            json!(selector),
            json!(text)
        );
        let what = format!("the text {text:?} in {selector}");
        self.wait(&what, &expression).await;
    }

    /// Waits until an element is gone, or if it never came.
    pub async fn wait_gone(&self, selector: &str) {
        let expression = format!("document.querySelector({}) === null", json!(selector));
        self.wait(&format!("no {selector}"), &expression).await;
    }

    /// Waits until there are as many elements.
    pub async fn wait_for_count(&self, selector: &str, count: impl Display) {
        let expression =
            format!("document.querySelectorAll({}).length === {count}", json!(selector));
        self.wait(&format!("{count} × {selector}"), &expression).await;
    }

    /// Waits until the page does not show a text, or no longer.
    pub async fn wait_for_no_text(&self, text: &str) {
        let expression = format!("!document.body.innerText.includes({})", json!(text));
        self.wait(&format!("no {text:?}"), &expression).await;
    }

    /// Waits until a field holds a value.
    pub async fn wait_for_value(&self, selector: &str, value: &str) {
        let expression =
            format!("document.querySelector({})?.value === {}", json!(selector), json!(value));
        self.wait(&format!("the value {value:?} of {selector}"), &expression).await;
    }

    /// Waits until an element has the focus.
    pub async fn wait_for_focus(&self, selector: &str) {
        let expression = format!("document.activeElement?.matches({}) === true", json!(selector));
        self.wait(&format!("the focus on {selector}"), &expression).await;
    }

    /// Waits until the query of the address includes a text, written as it is or in percent signs.
    pub async fn wait_for_query(&self, text: &str) {
        let expression = format!(
            "[location.search, decodeURIComponent(location.search)].some(query => query.includes({}))",
            json!(text)
        );
        self.wait(&format!("{text:?} in the address"), &expression).await;
    }

    /// Waits until the tab is at a path, whatever its query.
    pub async fn wait_for_path(&self, path: &str) {
        self.wait(path, &format!("location.pathname === {}", json!(path))).await;
    }

    /// What a JavaScript expression gives, as a Rust type.
    ///
    /// # Panics
    /// If it gives something else.
    pub async fn read<T: DeserializeOwned>(&self, expression: &str) -> T {
        let value = self.eval(expression).await;
        serde_json::from_value(value).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Whether a JavaScript expression is true.
    pub async fn is(&self, expression: &str) -> bool {
        self.eval(expression).await == true
    }

    /// The value of a field.
    pub async fn value(&self, selector: &str) -> String {
        self.read(&format!("document.querySelector({}).value", json!(selector))).await
    }

    /// The path of the page.
    pub async fn path(&self) -> String {
        self.read("location.pathname").await
    }

    /// Puts a value into a field or a list, as soon as it can be, as a person would who leaves it then. Keys of a keyboard would
    /// not do for Chinese.
    pub async fn set(&self, selector: &str, value: &str) {
        self.wait_for(&format!("{selector}:enabled")).await;
        self.eval(&format!(
            "(() => {{ const field = document.querySelector({}); field.value = {}; \
             for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, {{ bubbles: true }})); }})()",
            json!(selector),
            json!(value)
        ))
        .await;
    }

    /// What an element shows; empty if there is none.
    pub async fn text(&self, selector: &str) -> String {
        let expression = format!("document.querySelector({})?.innerText ?? ''", json!(selector));
        self.eval(&expression).await.as_str().unwrap_or_default().to_owned()
    }

    /// How many elements there are.
    pub async fn count(&self, selector: &str) -> u64 {
        let expression = format!("document.querySelectorAll({}).length", json!(selector));
        self.eval(&expression).await.as_u64().unwrap_or_default()
    }

    /// Presses a key, e.g. `ArrowRight`, on whatever has the focus.
    ///
    /// # Panics
    /// If the browser does not know the key.
    pub async fn press(&self, key: &str) {
        let body = timely("the page", self.page.find_element("body")).await;
        timely(key, body.press_key(key)).await;
    }

    /// Types a text on whatever has the focus.
    ///
    /// # Panics
    /// If the browser does not know a sign of it.
    pub async fn write(&self, text: &str) {
        let body = timely("the page", self.page.find_element("body")).await;
        timely("typing", body.type_str(text)).await;
    }

    /// Types a text into a field, and presses Enter.
    pub async fn enter(&self, selector: &str, text: &str) {
        self.focus(selector).await;
        self.write(text).await;
        self.press("Enter").await;
    }

    /// Gives an element the focus, as soon as it is there and takes it.
    pub async fn focus(&self, selector: &str) {
        let expression = format!(
            "(() => {{ const element = document.querySelector({}); element?.focus(); \
             return element !== null && document.activeElement === element; }})()",
            json!(selector)
        );
        let what = format!("the focus on {selector}");
        self.wait(&what, &expression).await;
    }

    /// Puts a file into a file input, as if it had been chosen there.
    ///
    /// # Panics
    /// If there is no such input or no such file.
    pub async fn choose_file(&self, selector: &str, file: &Path) {
        self.choose_files(selector, &[file]).await;
    }

    /// Chooses several files at once in a field that takes several.
    ///
    /// # Panics
    /// If there is no such field, or one of the files is not there.
    pub async fn choose_files(&self, selector: &str, files: &[&Path]) {
        self.wait_for(selector).await;
        let element = timely(selector, self.page.find_element(selector)).await;
        // The browser opens no path with `..` in it.
        let files = files.iter().map(|file| {
            let file = file.canonicalize().expect("the file is there");
            file.to_string_lossy().into_owned()
        });
        let params = SetFileInputFilesParams::builder()
            .files(files)
            .node_id(element.node_id)
            .build()
            .expect("files and a node");
        timely(selector, self.page.execute(params)).await;
    }

    /// Keeps a picture of the window as `target/screenshots/NAME.png`.
    ///
    /// # Panics
    /// If it cannot be written.
    pub async fn screenshot(&self, name: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/screenshots");
        std::fs::create_dir_all(&folder).expect("the target folder can be written");
        let params = ScreenshotParams::builder().format(CaptureScreenshotFormat::Png).build();
        let picture = timely(name, self.page.screenshot(params)).await;
        std::fs::write(folder.join(format!("{name}.png")), picture)
            .expect("the picture can be written");
    }

    /// What has happened so far.
    ///
    /// # Panics
    /// If a listener panicked.
    pub fn seen(&self) -> Seen {
        self.seen.lock().expect("no listener panics").clone()
    }

    /// Forgets the errors so far, where a test provoked them.
    ///
    /// # Panics
    /// If a listener panicked.
    pub fn forgive(&self) {
        self.seen.lock().expect("no listener panics").errors.clear();
    }

    /// Checks that nothing went wrong and that no other host was asked than the one at home.
    ///
    /// # Panics
    /// With what went wrong.
    pub fn assert_clean(&self) {
        let seen = self.seen();
        assert!(seen.errors.is_empty(), "errors in the page: {:#?}", seen.errors);
        let strangers: Vec<_> = seen
            .requests
            .iter()
            .filter(|url| {
                let ours = [
                    format!("{}/", self.home),
                    format!("{}/", self.home.replacen("http", "ws", 1)),
                ];
                let inside = ["data:", "blob:", "about:"];
                !ours.iter().any(|ours| url.starts_with(ours.as_str()))
                    && !inside.iter().any(|inside| url.starts_with(inside))
            })
            .collect();
        assert!(strangers.is_empty(), "somebody else was asked: {strangers:#?}");
    }
}
