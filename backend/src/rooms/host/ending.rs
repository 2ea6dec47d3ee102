//! The end of a table.

use turnwise_shared::fairness::Proof;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::live::{LiveEnd, LiveEnding};

use super::Host;
use crate::clock;
use crate::error::Answer;
use crate::rooms::chair::Chair;
use crate::rooms::plan::secret_as_digest;
use crate::rooms::play::Event;
use crate::store::StoreError;

impl Host {
    /// The table is over: what is under way ends, the seal is broken, everybody sees it.
    pub(super) async fn end(mut self, end: LiveEnd) {
        self.chairs.values_mut().for_each(Chair::clear);
        if end.ending != LiveEnding::Played
            && let Err(problem) = self.wind_up().await
        {
            tracing::error!(run = %self.info.run, %problem, "a live table was not ended in order");
        }
        let state = match end.ending {
            LiveEnding::Played => RunState::Closed,
            LiveEnding::Cancelled | LiveEnding::Interrupted => RunState::Cancelled,
        };
        self.info.stage = LiveStage::Over;
        self.info.end = Some(end);
        self.info.proof = self.play.is_some().then(|| Proof {
            commitment: self.info.commitment,
            secret: secret_as_digest(&self.secret),
            nonces: self.nonces(),
        });
        let store = self.app.store();
        let run = &self.info.run;
        let kept = async {
            // Another server may have taken this one for gone, and ended the table; then how it ended stands.
            if store.hosts(run).await? {
                store.set_state(run, state).await?;
                store.end_live(&self.info, clock::now()).await?;
            }
            Ok::<_, StoreError>(())
        };
        let kept = kept.await;
        if let Err(error) = kept {
            tracing::error!(run = %self.info.run, %error, "the end of a live table cannot be kept");
        }
        self.show();
    }

    /// What is under way ends as cancelled.
    async fn wind_up(&mut self) -> Answer<()> {
        if let Some(play) = &mut self.play {
            play.cancel();
        }
        // Whatever is asked from now on fails at once, so nothing is waited for.
        while let Some(play) = &mut self.play {
            match play.advance().await? {
                Event::Ended { number } => self.remember(number),
                Event::Over | Event::Waits => break,
                Event::Asked { .. } | Event::TooLarge { .. } => {}
            }
        }
        Ok(())
    }
}
