//! What tools make where neither browser nor web is tested: pictures of the right size without pixels, and made-up pages.

use futures::future::BoxFuture;
use turnwise_backend::outbound::{Pages, Renderer, Rendering};
use turnwise_backend::services::ProviderError;
use turnwise_core::testing;
use turnwise_shared::effect::{Job, Made, Page, Tool, Visit};

/// Renders and reads at once; the same document is the same picture, the same address the same page.
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

impl Pages for Painted {
    fn read<'a>(&'a self, visit: &'a Visit) -> BoxFuture<'a, Result<Page, ProviderError>> {
        let Made::Page(page) = testing::made(&Tool::Page(visit.clone())) else {
            panic!("a visit makes a page");
        };
        Box::pin(async { Ok(*page) })
    }
}
