//! Headless Chromium: one browser with a profile of its own, tabs that remember everything that went wrong in them.
//!
//! Nothing here waits for ever, and the browser's whole process group ends when [`Chromium`] is dropped.

use std::future::Future;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

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
use chromiumoxide::handler::HandlerConfig;
use chromiumoxide::page::ScreenshotParams;
use chromiumoxide::{Browser, Page};
use futures::StreamExt as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinHandle;

/// How long the browser may take to start.
const START_LIMIT: Duration = Duration::from_secs(30);

/// How long one command to the browser may take.
const COMMAND_LIMIT: Duration = Duration::from_secs(30);

/// Between two looks at a page that is waited for.
const LOOK: Duration = Duration::from_millis(100);

/// Of a page that does not do what is waited for, so many signs are shown.
const SHOWN: usize = 1500;

/// The browser that `cargo xtask test` names in `TURNWISE_CHROMIUM`. `None` if it is not there.
pub fn browser() -> Option<PathBuf> {
    std::env::var_os("TURNWISE_CHROMIUM")
        .map(PathBuf::from)
        .filter(|path| path.is_file())
}

/// A running browser.
pub struct Chromium {
    child: Child,
    browser: Browser,
    handler: JoinHandle<()>,
    _profile: TempDir,
}

/// How a tab looks at pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Whether the system wishes for dark colours.
    pub scheme: Scheme,
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
}

/// The system's wish for colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Look {
    /// A light screen of a desk.
    pub const WIDE: Look = Look {
        scheme: Scheme::Light,
        width: 1280,
        height: 900,
    };

    /// The four looks of `ui.md`, with a name for files.
    pub const ALL: [(&'static str, Look); 4] = [
        ("light-1280", Look::WIDE),
        (
            "dark-1280",
            Look {
                scheme: Scheme::Dark,
                ..Look::WIDE
            },
        ),
        (
            "light-390",
            Look {
                scheme: Scheme::Light,
                width: 390,
                height: 844,
            },
        ),
        (
            "dark-390",
            Look {
                scheme: Scheme::Dark,
                width: 390,
                height: 844,
            },
        ),
    ];
}

impl Chromium {
    /// Starts a browser with an empty profile. It resolves no host name but loopback's.
    ///
    /// # Panics
    /// If it does not start within half a minute.
    pub async fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().expect("a temporary folder");
        let mut command = Command::new(program);
        command
            .args([
                "--headless",
                "--remote-debugging-port=0",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--no-default-browser-check",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-breakpad",
                "--disable-dev-shm-usage",
                "--disable-background-timer-throttling",
                "--disable-renderer-backgrounding",
                "--disable-backgrounding-occluded-windows",
                "--hide-scrollbars",
                "--lang=en-US",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        if is_root() {
            // Chromium has no sandbox for root, and refuses to start with one (decisions.md 24).
            command.arg("--no-sandbox");
        }
        let mut child = command.spawn().expect("the browser starts");
        let address = match debugging_address(profile.path()).await {
            Some(address) => address,
            None => {
                end_group(&mut child);
                panic!("the browser did not open its debugging port");
            }
        };
        let config = HandlerConfig {
            request_timeout: COMMAND_LIMIT,
            viewport: None,
            ..HandlerConfig::default()
        };
        let (browser, mut handler) = Browser::connect_with_config(address, config)
            .await
            .expect("the browser can be spoken to");
        // Events that this version of the protocol does not know are errors of single messages; the rest goes on.
        let handler = tokio::spawn(async move { while handler.next().await.is_some() {} });
        Chromium {
            child,
            browser,
            handler,
            _profile: profile,
        }
    }

    /// Opens a tab on `url`, listening from its first moment.
    pub async fn open(&self, url: &str, look: Look) -> Tab {
        let page = timely("a new tab", self.browser.new_page("about:blank")).await;
        let tab = Tab {
            page,
            seen: Arc::default(),
        };
        tab.listen().await;
        tab.look(look).await;
        tab.goto(url).await;
        tab
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        self.handler.abort();
        end_group(&mut self.child);
    }
}

fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.starts_with(b"0\n"))
}

/// Ends the browser and every process that it started.
fn end_group(child: &mut Child) {
    // The group may be gone already; then there is nobody to end.
    let _ = Command::new("kill")
        .args(["-KILL", "--", &format!("-{}", child.id())])
        .stderr(Stdio::null())
        .status();
    let _ = child.kill();
    let _ = child.wait();
}

async fn debugging_address(profile: &Path) -> Option<String> {
    let file = profile.join("DevToolsActivePort");
    let began = Instant::now();
    while began.elapsed() < START_LIMIT {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if let Some((port, path)) = text.trim().split_once('\n') {
            return Some(format!("ws://127.0.0.1:{port}{path}"));
        }
        tokio::time::sleep(LOOK).await;
    }
    None
}

/// What a command brings, in time.
async fn timely<T, E: std::fmt::Display>(
    what: &str,
    command: impl Future<Output = Result<T, E>>,
) -> T {
    match tokio::time::timeout(COMMAND_LIMIT, command).await {
        Ok(Ok(value)) => value,
        Ok(Err(error)) => panic!("{what}: {error}"),
        Err(_) => panic!("{what}: the browser does not answer"),
    }
}

/// What happened in a tab since it was opened.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Errors on the console, uncaught exceptions, violations of the Content-Security-Policy, failed requests.
    pub errors: Vec<String>,
    /// The addresses of everything that was asked for, sockets included.
    pub requests: Vec<String>,
}

/// A tab.
pub struct Tab {
    page: Page,
    seen: Arc<Mutex<Seen>>,
}

/// Makes violations of the Content-Security-Policy speak, those of styles included.
const TELL_VIOLATIONS: &str = "document.addEventListener('securitypolicyviolation', event => \
     console.error(`CSP: ${event.violatedDirective} forbids ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`));";

impl Tab {
    async fn listen(&self) {
        timely(
            "init script",
            self.page.evaluate_on_new_document(TELL_VIOLATIONS),
        )
        .await;
        self.hear(|event: &EventConsoleApiCalled, seen| {
            if matches!(
                event.r#type,
                ConsoleApiCalledType::Error | ConsoleApiCalledType::Assert
            ) {
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
        E: chromiumoxide::cdp::IntoEventKind + Unpin + Send + Sync + 'static,
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

    /// Changes how the tab looks at pages.
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
    }

    /// Goes to an address.
    pub async fn goto(&self, url: &str) {
        timely(url, self.page.goto(url)).await;
    }

    /// Loads the page anew.
    pub async fn reload(&self) {
        timely("reload", self.page.reload()).await;
    }

    /// Closes the tab.
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
    /// After `within`, with what the page shows and what went wrong in it.
    pub async fn wait(&self, what: &str, expression: &str, within: Duration) {
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
    pub async fn wait_for(&self, selector: &str, within: Duration) {
        let expression = format!("document.querySelector({}) !== null", json!(selector));
        self.wait(selector, &expression, within).await;
    }

    /// Waits until the page shows a text.
    pub async fn wait_for_text(&self, text: &str, within: Duration) {
        let expression = format!("document.body.innerText.includes({})", json!(text));
        self.wait(&format!("the text {text:?}"), &expression, within)
            .await;
    }

    /// What an element shows; empty if there is none.
    pub async fn text(&self, selector: &str) -> String {
        let expression = format!(
            "document.querySelector({})?.innerText ?? ''",
            json!(selector)
        );
        self.eval(&expression)
            .await
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// How many elements there are.
    pub async fn count(&self, selector: &str) -> u64 {
        let expression = format!("document.querySelectorAll({}).length", json!(selector));
        self.eval(&expression).await.as_u64().unwrap_or_default()
    }

    /// Clicks an element with the mouse, where a person would.
    ///
    /// # Panics
    /// If it is not there or cannot be hit.
    pub async fn click(&self, selector: &str) {
        self.wait_for(selector, Duration::from_secs(10)).await;
        let element = timely(selector, self.page.find_element(selector)).await;
        timely(selector, element.click()).await;
    }

    /// Clicks the first button or link whose text is this.
    ///
    /// # Panics
    /// If there is none within ten seconds.
    pub async fn click_text(&self, text: &str) {
        let find = format!(
            "(() => {{ const found = [...document.querySelectorAll('button, a, summary, label')].find(element => \
             element.innerText.trim() === {} && element.offsetParent !== null && !element.disabled); \
             document.querySelector('[data-to-click]')?.removeAttribute('data-to-click'); \
             found?.setAttribute('data-to-click', ''); return found !== undefined; }})()",
            json!(text)
        );
        self.wait(
            &format!("a button {text:?}"),
            &find,
            Duration::from_secs(10),
        )
        .await;
        self.click("[data-to-click]").await;
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

    /// Gives an element the focus.
    pub async fn focus(&self, selector: &str) {
        self.eval(&format!(
            "document.querySelector({}).focus()",
            json!(selector)
        ))
        .await;
    }

    /// Puts a file into a file input, as if it had been chosen there.
    ///
    /// # Panics
    /// If there is no such input.
    pub async fn choose_file(&self, selector: &str, file: &Path) {
        let element = timely(selector, self.page.find_element(selector)).await;
        let params = SetFileInputFilesParams::builder()
            .file(file.to_string_lossy())
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
        let params = ScreenshotParams::builder()
            .format(CaptureScreenshotFormat::Png)
            .build();
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

    /// Checks that nothing went wrong and that nobody but `host` was asked.
    ///
    /// # Panics
    /// With what went wrong.
    pub fn assert_clean(&self, host: &str) {
        let seen = self.seen();
        assert!(
            seen.errors.is_empty(),
            "errors in the page: {:#?}",
            seen.errors
        );
        let strangers: Vec<_> = seen
            .requests
            .iter()
            .filter(|url| {
                let ours = [format!("http://{host}/"), format!("ws://{host}/")];
                let inside = ["data:", "blob:", "about:"];
                !ours.iter().any(|ours| url.starts_with(ours.as_str()))
                    && !inside.iter().any(|inside| url.starts_with(inside))
            })
            .collect();
        assert!(
            strangers.is_empty(),
            "somebody else was asked: {strangers:#?}"
        );
    }
}
