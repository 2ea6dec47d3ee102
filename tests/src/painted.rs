//! What renders where no browser is tested: pictures of the right size without pixels.

use futures::future::BoxFuture;
use turnwise_backend::outbound::{Renderer, Rendering};
use turnwise_backend::services::ProviderError;
use turnwise_core::testing;
use turnwise_shared::effect::{Job, Made, Tool};

/// Renders at once; the same document is the same picture.
pub struct Painted;

impl Renderer for Painted {
    fn render<'a>(&'a self, job: &'a Job) -> BoxFuture<'a, Result<Rendering, ProviderError>> {
        let Made::Picture(made) = testing::made(&Tool::Render(job.clone())) else {
            panic!("a render makes a picture");
        };
        let png = testing::png(job.width, job.height, &made.picture.digest.to_string());
        let rendering =
            Rendering { png, layout: made.layout, refused: made.refused, browser: made.browser };
        Box::pin(async { Ok(rendering) })
    }
}
