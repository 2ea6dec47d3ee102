//! The lease of the page at the other end of a socket: it lives on everything that comes in.

use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;
use turnwise_shared::key::RunId;
use turnwise_shared::wire::driving::Epoch;

use super::End;
use crate::App;
use crate::driving::{Connected, lease};

/// A lease is not written anew more often than that, however much comes in.
const SELDOM: Duration = Duration::from_secs(10);

pub struct HeldLease {
    app: App,
    run: RunId,
    epoch: Epoch,
    renewed: Option<Instant>,
    connected: Option<Connected>,
}

impl HeldLease {
    /// The lease of a page that has just said hello.
    pub fn new(app: &App, run: &RunId, epoch: Epoch) -> Self {
        HeldLease {
            app: app.clone(),
            run: run.clone(),
            epoch,
            renewed: None,
            connected: Some(app.drives().connect(run)),
        }
    }

    /// Something came in.
    ///
    /// # Errors
    /// The end of the connection, if another driver drives the run.
    pub async fn sign(&mut self, now: Instant) -> Result<(), End> {
        let is_fresh = self.renewed.is_some_and(|renewed| now.duration_since(renewed) < SELDOM);
        if self.epoch.is_none() || is_fresh {
            return Ok(());
        }
        self.renewed = Some(now);
        match lease::heard(&self.app, &self.run, self.epoch).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(End::overtaken()),
            Err(problem) => {
                // It lives for a while yet, and the next sign may be written.
                tracing::warn!(%problem, "a lease could not be renewed");
                Ok(())
            }
        }
    }

    /// A lease was taken by a driver. Returns whether it was this run's.
    pub async fn is_overtaken(&mut self, news: Result<(RunId, Epoch), RecvError>) -> bool {
        match news {
            Ok((run, epoch)) => run == self.run && epoch > self.epoch,
            Err(RecvError::Lagged(_)) => {
                self.renewed = None;
                self.sign(Instant::now()).await.is_err()
            }
            Err(RecvError::Closed) => false,
        }
    }
}

impl Drop for HeldLease {
    fn drop(&mut self) {
        let is_last = self.connected.take().is_some_and(|connected| connected.is_last());
        if self.epoch.is_none() || !is_last {
            return;
        }
        let (app, run, epoch) = (self.app.clone(), self.run.clone(), self.epoch);
        tokio::spawn(async move {
            if let Err(problem) = lease::gone(&app, &run, epoch).await {
                tracing::debug!(%problem, "a lease could not be shortened");
            }
        });
    }
}
