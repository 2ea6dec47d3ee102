//! As many browsers as there are cores, started when they are needed.

use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{OnceCell, Semaphore};
use tokio::time::timeout;

use super::browser::{self, Browser, Options};
use super::fence::Fence;
use super::{LONGEST, Order, RenderError, Screenshot, memory};

/// How long the test of the fence waits for a forbidden connection.
const LEAK: Duration = Duration::from_millis(100);
/// Attempts of one render: a browser may crash for another reason than the page.
const ATTEMPTS: u32 = 2;

/// Makes pictures of HTML, several at a time.
#[derive(Clone)]
pub struct Renderer(Arc<Pool>);

struct Pool {
    options: Result<Options, RenderError>,
    places: Semaphore,
    idle: Mutex<Vec<Browser>>,
    /// The fence, once a browser behind it was tested.
    fence: OnceCell<Result<Fence, RenderError>>,
}

impl Default for Renderer {
    /// With the browser of this machine.
    fn default() -> Self {
        Renderer::new(browser::find().map(Options::new))
    }
}

impl Renderer {
    /// With a browser, or the reason why there is none.
    pub fn new(options: Result<Options, RenderError>) -> Self {
        let cores = available_parallelism().map_or(1, NonZero::get);
        Renderer(Arc::new(Pool {
            options,
            places: Semaphore::new(cores),
            idle: Mutex::default(),
            fence: OnceCell::new(),
        }))
    }

    /// Why it does not render, as a clause after "because"; `None` where it does, or as long as no browser was started.
    pub fn off(&self) -> Option<String> {
        let tested = self.0.fence.get().map(|fence| fence.as_ref().err());
        let off = self.0.options.as_ref().err().or(tested.flatten())?;
        Some(match off {
            RenderError::Off(why) => why.clone(),
            other => other.to_string(),
        })
    }

    /// Starts a browser to learn whether pages can be rendered, and logs it.
    pub async fn check(&self) {
        match self.0.fence().await {
            Ok(fence) => tracing::info!(?fence, "pages can be rendered"),
            Err(why) => tracing::warn!("{why}"),
        }
    }

    /// Makes a picture of a page.
    ///
    /// # Errors
    /// If rendering is off, the page breaks a limit, or browsers crash on it.
    pub async fn render(&self, order: Order<'_>) -> Result<Screenshot, RenderError> {
        let _place = self.0.places.acquire().await.expect("the places are never closed");
        let mut attempt = 1;
        loop {
            match self.0.attempt(order).await {
                Err(error) if error.can_succeed_later() && attempt < ATTEMPTS => attempt += 1,
                result => return result,
            }
        }
    }
}

impl Renderer {
    /// Ends the browsers that show nothing.
    pub async fn close(&self) {
        let idle = std::mem::take(&mut *self.0.idle.lock().unwrap_or_else(PoisonError::into_inner));
        for browser in idle {
            browser.end().await;
        }
    }
}

impl Pool {
    async fn attempt(&self, order: Order<'_>) -> Result<Screenshot, RenderError> {
        let fence = self.fence().await?;
        let browser = match self.idle() {
            Some(browser) => browser,
            // One was started and tested before, so another may start later.
            None => Browser::start(self.options()?, fence)
                .await
                .map_err(|error| RenderError::Broken(error.to_string()))?,
        };
        let (mut browser, result) = within_limits(browser, order).await;
        if result.is_ok() && browser.is_fresh() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(browser);
        } else {
            browser.end().await;
        }
        result
    }

    /// A browser that shows nothing. Those that died meanwhile are left out.
    fn idle(&self) -> Option<Browser> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| idle.pop()).find_map(|mut one| one.is_fresh().then_some(one))
    }

    fn options(&self) -> Result<&Options, RenderError> {
        self.options.as_ref().map_err(RenderError::clone)
    }

    async fn fence(&self) -> Result<Fence, RenderError> {
        // Only a lasting reason is kept; a test that was too slow is repeated, and is not the page's fault.
        let test = || async {
            match self.test_fence().await {
                Err(error) if !matches!(error, RenderError::Off(_)) => {
                    Err(RenderError::Broken(format!("the test of its fence: {error}")))
                }
                tested => Ok(tested),
            }
        };
        self.fence.get_or_try_init(test).await?.clone()
    }

    async fn test_fence(&self) -> Result<Fence, RenderError> {
        let options = self.options()?;
        let fence = Fence::best(options.has_namespace);
        let mut browser = Browser::start(options, fence).await?;
        let fenced = is_fenced(&mut browser).await;
        browser.end().await;
        fenced.map(|()| fence)
    }
}

/// Renders within the limits of time and memory. After a failure the browser must be ended.
async fn within_limits(
    mut browser: Browser,
    order: Order<'_>,
) -> (Browser, Result<Screenshot, RenderError>) {
    let process = browser.process();
    let result = tokio::select! {
        result = timeout(Duration::from_secs(LONGEST), browser.render(order)) => {
            result.unwrap_or(Err(RenderError::TooSlow))
        }
        () = memory::exceeded(process) => Err(RenderError::TooLarge),
    };
    (browser, result)
}

/// Renders a page that asks for an address of this machine, and listens there.
async fn is_fenced(browser: &mut Browser) -> Result<(), RenderError> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}/", listener.local_addr()?);
    let html = format!(
        "<link rel=prefetch href={address}a><img src={address}b><iframe src={address}c></iframe>"
    );
    let order = Order { html: &html, width: 100, height: 100, most_height: 100 };
    let shot = timeout(Duration::from_secs(LONGEST), browser.render(order))
        .await
        .unwrap_or(Err(RenderError::TooSlow))?;
    let leaks = timeout(LEAK, listener.accept()).await.is_ok();
    match !leaks && shot.refused.len() == 3 {
        true => Ok(()),
        false => Err(RenderError::Off("the browser lets pages reach the network".to_owned())),
    }
}
