//! Models behind the operator's endpoints: one folder per wire format, one attempt per call. Retries are the business of
//! [`crate::outbound`], which every call passes.
//!
//! [`remote`] does what all formats have in common; [`capabilities`] knows which model takes which parameter; [`errors`] reads
//! what services say in place of an answer, whose words [`refusals`] knows; [`dialogue`] arranges messages for formats that are strict
//! about turns. An answer is put together in a [`draft`], from JSON or from [`events`]; [`counts`] reads its account of tokens.

mod anthropic;
mod capabilities;
mod counts;
mod dialogue;
mod draft;
mod errors;
mod events;
mod gemini;
mod listing;
mod openai;
mod pieces;
mod refusals;
mod remote;
mod scripted;
#[cfg(test)]
mod tests;
mod wire_format;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use turnwise_shared::prelude::*;
use turnwise_shared::wire::ProviderInfo;

use crate::config::{Limits, ProviderConfig, ProviderFormat};
use crate::services::reach::Reach;
use crate::services::throttle::Throttle;
use crate::services::{ModelFormat, ProviderError};
use anthropic::Anthropic;
pub(crate) use draft::lasting;
pub(crate) use errors::{error_of_text, retry_after};
use gemini::Gemini;
pub use listing::{LIST_TIME, Listing};
use openai::OpenAi;
pub(crate) use refusals::{About, about, is_page, sentence};
use remote::Remote;
use scripted::Scripted;
pub(crate) use words::Words;

/// Who hears a text while it is written; for the eye only.
pub type Listener<'a> = Option<&'a (dyn Fn(&str) + Send + Sync)>;

/// Pictures of a call in base64, by digest: they are put in when it is written down.
pub type Pictures = BTreeMap<Digest, String>;

/// An endpoint, ready to be asked.
pub struct Provider {
    name: String,
    models: Vec<String>,
    address: Digest,
    throttle: Throttle,
    is_ready: bool,
    /// Models that have answered a call with pictures.
    seeing: Mutex<BTreeSet<String>>,
    /// `None` for the scripted one.
    wire: Option<ModelFormat>,
    format: Format,
}

enum Format {
    OpenAi(Box<Remote<OpenAi>>),
    Anthropic(Box<Remote<Anthropic>>),
    Gemini(Box<Remote<Gemini>>),
    Scripted(Scripted),
}

/// What a model said, and what its service said of requests that it refused before it answered.
#[derive(Debug)]
pub struct Heard {
    pub said: Said,
    /// The service's own words, less key and address.
    pub words: Option<String>,
}

impl From<Said> for Heard {
    fn from(said: Said) -> Self {
        Heard { said, words: None }
    }
}

impl Provider {
    /// Makes an endpoint ready.
    ///
    /// # Errors
    /// If the machine's certificates or its network cannot be used.
    pub fn new(
        config: &ProviderConfig,
        limits: &Limits,
        reach: &Reach,
    ) -> Result<Self, reqwest::Error> {
        let remote = config.format.remote();
        let way = (reach, &config.proxy);
        Ok(Provider {
            name: config.name.clone(),
            models: config.models.clone(),
            // A service at its own host answers no request without a key.
            is_ready: remote.is_none_or(|(_, _, key)| key.is_some())
                || config.format.own_service().is_none(),
            address: match remote {
                Some((_, base_url, _)) => Digest::of(base_url.as_str()),
                None => Digest::of(ProviderInfo::SCRIPTED),
            },
            wire: remote.map(|(format, ..)| format),
            seeing: Mutex::default(),
            throttle: Throttle::new(config.name.as_str(), config.in_flight),
            format: match &config.format {
                ProviderFormat::OpenAi { base_url, key, max_tokens_field } => {
                    let format = OpenAi::new(base_url, max_tokens_field);
                    let remote = Remote::new(format, base_url, key.clone(), limits, way)?;
                    Format::OpenAi(Box::new(remote))
                }
                ProviderFormat::Anthropic { base_url, key } => {
                    let format = Anthropic::new(base_url);
                    let remote = Remote::new(format, base_url, key.clone(), limits, way)?;
                    Format::Anthropic(Box::new(remote))
                }
                ProviderFormat::Gemini { base_url, key } => {
                    let format = Gemini::new(base_url);
                    let remote = Remote::new(format, base_url, key.clone(), limits, way)?;
                    Format::Gemini(Box::new(remote))
                }
                ProviderFormat::Scripted(script) => Format::Scripted(Scripted::new(*script)),
            },
        })
    }

    /// What may be shown of it.
    pub fn info(&self) -> ProviderInfo {
        ProviderInfo {
            name: self.name.clone(),
            format: match self.wire {
                Some(format) => format.service().name,
                None => ProviderInfo::SCRIPTED,
            }
            .to_owned(),
            models: self.models.clone(),
            is_ready: self.is_ready,
        }
    }

    /// The digest that stands for its address, which itself is shown to no client.
    pub fn address(&self) -> Digest {
        self.address
    }

    /// What of a sampling a model is never sent, as far as is known by now.
    pub fn left_out(&self, model: &str) -> Vec<&'static str> {
        match &self.format {
            Format::OpenAi(remote) => remote.left_out(model),
            Format::Anthropic(remote) => remote.left_out(model),
            Format::Gemini(remote) => remote.left_out(model),
            Format::Scripted(_) => Vec::new(),
        }
    }

    /// Which models the service lists. The caller has waited at the [throttle](Self::throttle).
    pub async fn models(&self) -> Result<Listing, ProviderError> {
        match &self.format {
            Format::OpenAi(remote) => remote.models().await,
            Format::Anthropic(remote) => remote.models().await,
            Format::Gemini(remote) => remote.models().await,
            Format::Scripted(_) => Ok(Listing::Models(self.models.clone())),
        }
    }

    /// Whether a model sees pictures; `None` if that is not known.
    fn sees_pictures(&self, model: &str) -> Option<bool> {
        match &self.format {
            Format::OpenAi(remote) => remote.sees_pictures(model),
            Format::Anthropic(remote) => remote.sees_pictures(model),
            Format::Gemini(remote) => remote.sees_pictures(model),
            Format::Scripted(_) => Some(true),
        }
    }

    /// How many calls it gets at once.
    pub fn throttle(&self) -> &Throttle {
        &self.throttle
    }

    /// One attempt of a call with pictures. That a model sees none is reported in a class on which a run pauses at once: each of its
    /// calls would fail alike.
    async fn shown(
        &self,
        call: &ModelCall,
        pictures: &Pictures,
        attempt: u32,
        listener: Listener<'_>,
    ) -> Result<Heard, ProviderError> {
        let blind = |why: &str| {
            let what = format!("{} {why}; choose a model that sees pictures", call.model);
            Failure::new(FailureClass::Forbidden, what)
        };
        if self.sees_pictures(&call.model) == Some(false) {
            return Err(blind("takes no pictures").into());
        }
        let seeing = || self.seeing.lock().unwrap_or_else(PoisonError::into_inner);
        match self.sent(call, pictures, attempt, listener).await {
            Ok(heard) => {
                seeing().insert(call.model.clone());
                Ok(heard)
            }
            Err(miss)
                if miss.failure.class == FailureClass::Rejected
                    && !seeing().contains(&call.model) =>
            {
                let failure = blind("refused the first request with a picture");
                Err(ProviderError { failure, ..miss })
            }
            Err(miss) => Err(miss),
        }
    }

    /// One attempt; `attempt` counts from 1. The caller has waited at the [throttle](Self::throttle).
    pub async fn attempt(
        &self,
        call: &ModelCall,
        pictures: &Pictures,
        attempt: u32,
        listener: Listener<'_>,
    ) -> Result<Heard, ProviderError> {
        match pictures.is_empty() {
            true => self.sent(call, pictures, attempt, listener).await,
            false => self.shown(call, pictures, attempt, listener).await,
        }
    }

    async fn sent(
        &self,
        call: &ModelCall,
        pictures: &Pictures,
        attempt: u32,
        listener: Listener<'_>,
    ) -> Result<Heard, ProviderError> {
        match &self.format {
            Format::OpenAi(remote) => remote.attempt(call, pictures, listener).await,
            Format::Anthropic(remote) => remote.attempt(call, pictures, listener).await,
            Format::Gemini(remote) => remote.attempt(call, pictures, listener).await,
            Format::Scripted(scripted) => {
                let said = scripted.attempt(call, attempt, listener).await?;
                Ok(said.into())
            }
        }
    }
}
