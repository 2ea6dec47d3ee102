//! What is used for an episode: pages of the web, and the browser that renders.

use std::sync::Arc;

use turnwise_shared::effect::{Job, Pictured, Tool};
use turnwise_shared::prelude::*;

use super::pages::Pages;
use super::renderer::{Renderer, Rendering};
use super::together::Together;
use crate::pictures::{PictureError, Pictures};
use crate::services::ProviderError;

/// Where pages are read, what renders, and where its pictures are kept. Clones share what is under way.
#[derive(Clone)]
pub(super) struct Tools {
    pub pages: Arc<dyn Pages>,
    pub renderer: Arc<dyn Renderer>,
    pub pictures: Pictures,
    pub under_way: Arc<Together<Result<Made, ProviderError>>>,
}

impl Tools {
    /// What comes of a tool. Episodes that want the same at once have the same.
    pub async fn using(&self, tool: &Tool) -> Result<Made, ProviderError> {
        let (tools, wanted) = (self.clone(), tool.clone());
        let work = async move { tools.using_alone(&wanted).await };
        self.under_way.join(Digest::of_value(tool), work).await
    }

    async fn using_alone(&self, tool: &Tool) -> Result<Made, ProviderError> {
        let made = match tool {
            Tool::Render(job) => Made::Picture(Box::new(self.render(job).await?)),
            Tool::Page(visit) => Made::Page(Box::new(self.pages.read(visit).await?)),
        };
        match made.fits(tool) {
            true => Ok(made),
            false => Err(ProviderError::new(
                FailureClass::Undecodable,
                format!("what came of the tool {:?} is not what it was asked for", tool.name()),
            )),
        }
    }

    /// Renders, and stores the picture before the reply is delivered. The same job is rendered once.
    async fn render(&self, job: &Job) -> Result<Pictured, ProviderError> {
        if let Some(made) = self.pictures.rendered(job).await {
            return Ok(made);
        }
        let Rendering { png, layout, refused, browser } = self.renderer.render(job).await?;
        let lost = |error: PictureError| {
            let what = format!("the picture cannot be kept: {error}");
            ProviderError::new(FailureClass::Undecodable, what)
        };
        let picture = self.pictures.keep(&png).await.map_err(lost)?;
        let made = Pictured { picture, layout, refused, browser };
        self.pictures.remember(job, &made).await.map_err(lost)?;
        Ok(made)
    }
}
