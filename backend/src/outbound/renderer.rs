//! Where the browser that renders is plugged in.

use futures::future::BoxFuture;
use turnwise_shared::effect::{FailureClass, Job};

use crate::rendering::{self, MOST_PIXELS, Order, RenderError};
use crate::services::ProviderError;

/// Makes HTML pictures. It is asked for as many at once as calls come; it queues them itself.
pub trait Renderer: Send + Sync + 'static {
    fn render<'a>(&'a self, job: &'a Job) -> BoxFuture<'a, Result<Rendering, ProviderError>>;

    /// Why it does not render here, as a clause after "because"; `None` where it does, or nothing is known yet.
    fn off(&self) -> Option<String> {
        None
    }

    /// Learns whether it renders, and logs it.
    fn check(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}

/// A render as it comes from the browser.
#[derive(Debug, Clone)]
pub struct Rendering {
    pub png: Vec<u8>,
    /// As [`Pictured`](turnwise_shared::effect::Pictured) has it, like the rest.
    pub layout: String,
    pub refused: Vec<String>,
    pub browser: String,
}

impl Renderer for rendering::Renderer {
    fn render<'a>(&'a self, job: &'a Job) -> BoxFuture<'a, Result<Rendering, ProviderError>> {
        let order = Order {
            html: &job.html,
            width: job.width,
            height: job.height,
            most_height: MOST_PIXELS,
        };
        Box::pin(async move {
            let shot = rendering::Renderer::render(self, order).await?;
            Ok(Rendering {
                png: shot.png,
                layout: shot.layout.to_string(),
                refused: shot.refused,
                browser: shot.browser,
            })
        })
    }

    fn off(&self) -> Option<String> {
        rendering::Renderer::off(self)
    }

    fn check(&self) -> BoxFuture<'_, ()> {
        Box::pin(rendering::Renderer::check(self))
    }
}

impl From<RenderError> for ProviderError {
    fn from(error: RenderError) -> Self {
        let class = match &error {
            RenderError::Off(_) => FailureClass::Unavailable,
            // The same page would fare the same again.
            RenderError::TooSlow | RenderError::TooLarge | RenderError::Crashed => {
                FailureClass::Rejected
            }
            RenderError::Broken(_) => FailureClass::Server,
        };
        ProviderError::new(class, error.to_string())
    }
}
