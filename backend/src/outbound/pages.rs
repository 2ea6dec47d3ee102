//! Where pages of the live web are plugged in.

use futures::future::BoxFuture;
use turnwise_shared::effect::{Page, Visit};

use crate::fetching::Fetcher;
use crate::services::ProviderError;
use crate::services::page::{self, Source};

/// Reads pages of the web. It is asked for as many at once as calls come; it treats sites well itself.
pub trait Pages: Send + Sync + 'static {
    fn read<'a>(&'a self, visit: &'a Visit) -> BoxFuture<'a, Result<Page, ProviderError>>;
}

impl Pages for Fetcher {
    fn read<'a>(&'a self, visit: &'a Visit) -> BoxFuture<'a, Result<Page, ProviderError>> {
        Box::pin(async move {
            let fetched = self.fetch(&visit.url, visit.locale.as_deref()).await?;
            let read = tokio::task::spawn_blocking(move || {
                page::read(&Source {
                    url: &fetched.url,
                    status: fetched.status,
                    media: &fetched.content_type,
                    text: &fetched.text,
                    digest: fetched.source,
                })
            });
            Ok(read.await.expect("reading does not panic"))
        })
    }
}
