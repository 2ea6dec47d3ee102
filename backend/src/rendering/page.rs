//! One render, step by step.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use turnwise_shared::hash::Digest;

use super::pipe::{Message, Pipe};
use super::{Order, RenderError, Screenshot, blocks};

/// The most addresses that are named, and the most characters of each.
const MOST_REFUSED: usize = 200;
const LONGEST_ADDRESS: usize = 2_000;
/// Requested by the browser itself, not by the page.
const ICON: &str = "https://render.invalid/favicon.ico";

/// Brings everything that moves to its end, in frames, too. A bar without a value moves in a way of its own, and a caret blinks.
const STILL: &str = "(function still(page) {
  for (const moving of page.getAnimations()) {
    try { moving.finish() } catch { moving.cancel() }
  }
  for (const bar of page.querySelectorAll('progress:not([value])')) bar.value = 0;
  page.activeElement?.blur();
  // What wants the focus is given it with the next frame, unless it cannot have it.
  page.documentElement.inert = true;
  for (const frame of page.querySelectorAll('iframe, frame, object')) {
    if (frame.contentDocument) still(frame.contentDocument);
  }
})(document)";

/// Makes a picture in a context of its own, which is gone afterwards.
pub async fn render(
    pipe: &mut Pipe,
    order: Order<'_>,
    runs_scripts: bool,
    browser: &str,
) -> Result<Screenshot, RenderError> {
    let context = pipe.call("Target.createBrowserContext", json!({})).await?;
    let context = &context["browserContextId"];
    let deny = json!({ "behavior": "deny", "browserContextId": context });
    pipe.call("Browser.setDownloadBehavior", deny).await?;
    let target = json!({ "url": "about:blank", "browserContextId": context });
    let target = pipe.call("Target.createTarget", target).await?;
    let attach = json!({ "targetId": target["targetId"], "flatten": true });
    let attached = pipe.call("Target.attachToTarget", attach).await?;
    let mut page = Page {
        pipe,
        session: attached["sessionId"].as_str().unwrap_or_default().to_owned(),
        address: format!("https://render.invalid/{}", Digest::of(order.html)),
        order,
        runs_scripts,
        is_served: false,
        has_loaded: false,
        refused: Vec::new(),
    };
    let (png, layout) = page.shot().await?;
    let mut refused = page.refused;
    // The browser asks for several at a time, in no order that would hold.
    refused.sort();
    pipe.call("Target.disposeBrowserContext", json!({ "browserContextId": context })).await?;
    Ok(Screenshot { png, layout, refused, browser: browser.to_owned() })
}

struct Page<'a> {
    pipe: &'a mut Pipe,
    session: String,
    address: String,
    order: Order<'a>,
    runs_scripts: bool,
    /// Whether the document was given.
    is_served: bool,
    has_loaded: bool,
    refused: Vec<String>,
}

impl Page<'_> {
    async fn shot(&mut self) -> Result<(Vec<u8>, turnwise_shared::layout::Layout), RenderError> {
        self.fence_in(self.session.clone()).await?;
        self.call("Inspector.enable", json!({})).await?;
        self.call("Page.enable", json!({})).await?;
        self.call("Animation.enable", json!({})).await?;
        self.call("Animation.setPlaybackRate", json!({ "playbackRate": 0 })).await?;
        self.size(self.order.height).await?;
        self.call("Page.navigate", json!({ "url": self.address })).await?;
        while !self.has_loaded {
            let message = self.pipe.next().await?;
            self.event(message).await?;
        }
        self.call("Runtime.evaluate", json!({ "expression": STILL })).await?;
        let metrics = self.call("Page.getLayoutMetrics", json!({})).await?;
        let height = metrics["cssContentSize"]["height"].as_f64().unwrap_or(0.0).ceil();
        // A page of more than four milliards of pixels is cut like any other.
        let height = (height as u32).clamp(self.order.height, self.order.most_height);
        self.size(height).await?;
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" })).await?;
        let png = BASE64_STANDARD.decode(shot["data"].as_str().unwrap_or_default());
        let png = png.map_err(|error| RenderError::Broken(error.to_string()))?;
        let styles = json!({ "computedStyles": blocks::STYLES });
        let snapshot = self.call("DOMSnapshot.captureSnapshot", styles).await?;
        let layout = blocks::layout(&snapshot, &png)?;
        Ok((png, layout))
    }

    async fn size(&mut self, height: u32) -> Result<(), RenderError> {
        let size = json!({
            "width": self.order.width, "height": height, "deviceScaleFactor": 1, "mobile": false,
        });
        self.call("Emulation.setDeviceMetricsOverride", size).await.map(|_| ())
    }

    /// Of the page, or of a frame or worker that has a process of its own.
    async fn fence_in(&mut self, session: String) -> Result<(), RenderError> {
        let everything = json!({ "patterns": [{ "urlPattern": "*" }] });
        let deep = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
        let commands = [
            ("Fetch.enable", everything),
            ("Target.setAutoAttach", deep),
            ("Emulation.setScriptExecutionDisabled", json!({ "value": !self.runs_scripts })),
            ("Runtime.runIfWaitingForDebugger", json!({})),
        ];
        for (method, params) in commands {
            self.pipe.send(Some(&session), method, params).await?;
        }
        Ok(())
    }

    async fn call(&mut self, method: &str, params: Value) -> Result<Value, RenderError> {
        let id = self.pipe.send(Some(&self.session), method, params).await?;
        loop {
            let message = self.pipe.next().await?;
            if message.id == Some(id) {
                return message.result(method);
            }
            self.event(message).await?;
        }
    }

    /// Answers what must be answered; answers to other commands are dropped.
    async fn event(&mut self, message: Message) -> Result<(), RenderError> {
        let Message { method, params, session_id, .. } = message;
        let session = session_id.as_deref();
        match method.as_str() {
            "Fetch.requestPaused" => self.asked(session, &params).await,
            "Page.loadEventFired" => {
                self.has_loaded |= session == Some(&self.session) && self.is_served;
                Ok(())
            }
            // An open dialog would stop everything.
            "Page.javascriptDialogOpening" => {
                let close = json!({ "accept": false });
                self.pipe.send(session, "Page.handleJavaScriptDialog", close).await?;
                Ok(())
            }
            "Target.attachedToTarget" => {
                let inner = params["sessionId"].as_str().unwrap_or_default().to_owned();
                self.fence_in(inner).await
            }
            "Inspector.targetCrashed" => Err(RenderError::Crashed),
            _ => Ok(()),
        }
    }

    /// Gives the document, once; everything else is refused and named.
    async fn asked(&mut self, session: Option<&str>, params: &Value) -> Result<(), RenderError> {
        let request = &params["requestId"];
        let url = params["request"]["url"].as_str().unwrap_or_default();
        let is_own = params["resourceType"] == "Document" && url == self.address;
        if is_own && !self.is_served {
            self.is_served = true;
            let document = json!({
                "requestId": request,
                "responseCode": 200,
                "responseHeaders": [{ "name": "Content-Type", "value": "text/html; charset=utf-8" }],
                "body": BASE64_STANDARD.encode(self.order.html),
            });
            self.pipe.send(session, "Fetch.fulfillRequest", document).await?;
            return Ok(());
        }
        let url: String = url.chars().take(LONGEST_ADDRESS).collect();
        if url != ICON && self.refused.len() < MOST_REFUSED && !self.refused.contains(&url) {
            self.refused.push(url);
        }
        // A navigation that is aborted leaves what was there; any other refusal would bring a page of the browser's own.
        let reason =
            if params["resourceType"] == "Document" { "Aborted" } else { "BlockedByClient" };
        let refusal = json!({ "requestId": request, "errorReason": reason });
        self.pipe.send(session, "Fetch.failRequest", refusal).await?;
        Ok(())
    }
}
