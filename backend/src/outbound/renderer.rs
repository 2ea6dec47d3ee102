//! Where the browser that renders is plugged in.

use std::sync::Arc;

use futures::future::BoxFuture;
use turnwise_shared::effect::{FailureClass, Job};

use crate::services::ProviderError;

/// Makes HTML pictures. It is asked for as many at once as calls come; it queues them itself.
pub trait Renderer: Send + Sync + 'static {
    /// Renders one document.
    fn render<'a>(&'a self, job: &'a Job) -> BoxFuture<'a, Result<Rendering, ProviderError>>;
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

/// Whether there is a browser.
#[derive(Clone)]
pub enum Renders {
    By(Arc<dyn Renderer>),
    /// Why not: the rest of a sentence after "rendering is off, because".
    Off(String),
}

impl Renders {
    pub(super) async fn render(&self, job: &Job) -> Result<Rendering, ProviderError> {
        match self {
            Renders::By(renderer) => renderer.render(job).await,
            Renders::Off(why) => Err(ProviderError::new(
                FailureClass::Unavailable,
                format!("rendering is off, because {why}"),
            )),
        }
    }
}
