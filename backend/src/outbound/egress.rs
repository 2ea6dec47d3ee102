//! What goes out: calls to models, search engines, pages of the web and the browser that renders, with the retries that are due. It knows no run and no ledger;
//! [`calls`](super::calls) keeps those, and the native driver needs none.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use turnwise_shared::benchmark::{Attempts, USUAL_ATTEMPTS};
use turnwise_shared::picture::base64;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::budgets::PaceChange;
use turnwise_shared::wire::{ListedModel, ModelList, ProviderInfo};

use super::budget::{Account, Unpaid, Unsettled};
use super::pages::Pages;
use super::renderer::Renderer;
use super::tools::Tools;
use crate::clock::{milliseconds, now};
use crate::config::{Config, Limits};
use crate::driver::Outside;
use crate::fetching::Fetcher;
use crate::pictures::Pictures;
use crate::prices;
use crate::providers::{self, Heard, LIST_TIME, Listener, Listing, Provider};
use crate::random;
use crate::rendering;
use crate::sealed::Sender;
use crate::search::Engines;
use crate::services::throttle::{OnItsWay, Throttle};
use crate::services::{Again, ProviderError, can_open_files};

/// How long after it was asked a model that is being loaded is asked again, unless its service says when.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// The operator's endpoints and search engines.
pub struct Egress {
    providers: BTreeMap<String, Provider>,
    engines: Engines,
    limits: Limits,
    prices: PriceBook,
    tools: Tools,
}

impl Egress {
    /// Makes everything ready that the configuration names.
    ///
    /// # Errors
    /// What cannot be made ready, and why.
    pub async fn open(config: &Config) -> Result<Self, CannotOpen> {
        let mut providers = BTreeMap::new();
        for provider in &config.providers {
            let ready = Provider::new(provider, &config.limits, &config.reach).map_err(|_| {
                CannotOpen(format!(
                    "the provider {:?} cannot be made ready: this machine's certificates or network cannot be used",
                    provider.name
                ))
            })?;
            providers.insert(provider.name.clone(), ready);
        }
        let mut engines = Engines::default();
        for engine in &config.engines {
            engines
                .open(engine, &config.limits, &config.reach)
                .await
                .map_err(|why| CannotOpen(format!("the search engine {:?}: {why}", engine.name)))?;
        }
        let pages = Fetcher::new(&config.manners).map_err(|_| {
            CannotOpen(
                "pages cannot be fetched: this machine's certificates cannot be used".to_owned(),
            )
        })?;
        Ok(Egress {
            providers,
            engines,
            limits: config.limits,
            prices: prices::with_own_engines(config),
            tools: Tools {
                pages: Arc::new(pages),
                renderer: Arc::new(rendering::Renderer::default()),
                pictures: Pictures::default(),
                under_way: Arc::default(),
            },
        })
    }

    /// The same, with a place where pictures are kept.
    #[must_use]
    pub fn keeping(self, pictures: Pictures) -> Self {
        Egress { tools: Tools { pictures, ..self.tools }, ..self }
    }

    /// The same, with what renders.
    #[must_use]
    pub fn rendering(self, renderer: Arc<dyn Renderer>) -> Self {
        Egress { tools: Tools { renderer, ..self.tools }, ..self }
    }

    /// The same, with what reads pages of the web.
    #[must_use]
    pub fn reading(self, pages: Arc<dyn Pages>) -> Self {
        Egress { tools: Tools { pages, ..self.tools }, ..self }
    }

    pub fn renderer(&self) -> &dyn Renderer {
        &*self.tools.renderer
    }

    pub fn pictures(&self) -> &Pictures {
        &self.tools.pictures
    }

    /// What calls cost, those to the server's own search engines included.
    pub fn prices(&self) -> &PriceBook {
        &self.prices
    }

    /// How services were held back since this was asked last.
    pub fn pace_changes(&self) -> Vec<PaceChange> {
        let providers = self.providers.values().map(Provider::throttle);
        providers.chain(self.engines.throttles()).flat_map(Throttle::take_changes).collect()
    }

    /// What may be shown of the endpoints.
    pub fn providers(&self) -> Vec<ProviderInfo> {
        self.providers.values().map(Provider::info).collect()
    }

    /// What the address of an endpoint is known by; `None` if there is no such endpoint.
    pub fn address(&self, provider: &str) -> Option<Digest> {
        self.providers.get(provider).map(Provider::address)
    }

    /// What of a sampling a model is never sent, as far as is known by now; `None` if there is no such endpoint.
    pub fn left_out(&self, provider: &str, model: &str) -> Option<Vec<&'static str>> {
        let provider = self.providers.get(provider)?;
        Some(provider.left_out(model))
    }

    /// What may be shown of the search engines.
    pub fn engines(&self) -> Vec<EngineInfo> {
        self.engines.infos()
    }

    /// Makes a call, with retries, and says what came back and what it took. Only the first attempt is heard; later ones
    /// ask for the whole answer, so that no half text is heard twice.
    /// Every attempt is paid from the account. There are as many as the operator has set, else these `attempts` at most
    /// ([`attempts`]).
    pub async fn send(
        &self,
        request: &Outgoing,
        listener: Listener<'_>,
        account: &Account,
        attempts: impl Into<Attempts>,
    ) -> CallAnswer {
        let sent = self.send_unsettled(request, listener, account, attempts);
        settled(account, sent.await).await
    }

    /// The same, but a reply is left to the caller to settle: it is to be stored first, because it is paid for.
    pub async fn send_unsettled(
        &self,
        request: &Outgoing,
        listener: Listener<'_>,
        account: &Account,
        attempts: impl Into<Attempts>,
    ) -> (CallAnswer, Option<Unsettled>) {
        let mut attempts: Attempts = attempts.into();
        attempts.most = self.limits.attempts.unwrap_or(attempts.most);
        self.send_with(request, listener, account, attempts).await
    }

    /// Makes a call once, paid from the account.
    pub async fn probe(&self, request: &Outgoing, account: &Account) -> CallAnswer {
        let sent = self.send_with(request, None, account, 1.into());
        settled(account, sent.await).await
    }

    /// Which models an endpoint lists, and of which of them the price is known on a day; `None` if there is no such endpoint. It is asked
    /// once, when it takes one more call, and charges nothing.
    pub async fn models(&self, provider: &str, day: &Day) -> Option<ModelList> {
        let asked = self.providers.get(provider)?;
        // The user waits in front of a page: not for a service that rests.
        let outcome = match tokio::time::timeout(LIST_TIME, asked.throttle().enter()).await {
            Ok(turn) => {
                let outcome = asked.models().await;
                asked.throttle().heard(&turn, &outcome, now());
                outcome
            }
            Err(_) => Err(ProviderError::too_late()),
        };
        let names = match outcome {
            Ok(Listing::Models(names)) => names,
            Ok(Listing::None) => return Some(ModelList::None),
            Err(miss) => {
                let mut failure = miss.failure;
                if let Some(words) = miss.words {
                    failure.message = format!("{}; it says: {words}", failure.message);
                }
                return Some(ModelList::Failed(failure));
            }
        };
        let is_free = self.prices.is_free(provider);
        let all = names.len();
        let names = names.into_iter().take(ModelList::MOST);
        let models = names.map(|name| ListedModel {
            priced: is_free || self.prices.model(provider, &name, day).is_some(),
            name,
        });
        let models = models.collect();
        Some(ModelList::Listed { models, all })
    }

    /// The steps of every attempt, in order: throttle, reserve, attempt, settle. A reply is not settled yet.
    async fn send_with(
        &self,
        request: &Outgoing,
        listener: Listener<'_>,
        account: &Account,
        Attempts { most, blank_fails }: Attempts,
    ) -> (CallAnswer, Option<Unsettled>) {
        let began = Instant::now();
        let mut timing = Timing { started: now(), ..Timing::default() };
        let mut in_line = None;
        // Attempts that found a model which was still being loaded.
        let mut loading = 0;
        // What replies without text used that were asked for again.
        let mut blank: Option<Usage> = None;
        loop {
            // What waits for its turn has reserved nothing: it may be cancelled, and others need the budget meanwhile.
            let turn = self.turn(request).await;
            let reserved = match account.reserve(request, &self.prices).await {
                Ok(reserved) => reserved,
                Err(Unpaid::Later(later)) => {
                    // A call that waits for the budget must not hold up others at the service.
                    drop(turn);
                    account.wait(later, &mut in_line).await;
                    continue;
                }
                Err(Unpaid::Refused(failure)) => {
                    timing.took = milliseconds(began.elapsed());
                    let reply = Reply::Failed(failure);
                    return (CallAnswer { reply, timing }, None);
                }
            };
            in_line = None;
            timing.attempts += 1;
            let heard = listener.filter(|_| timing.attempts == 1);
            let attempted = self.attempt(request, timing.attempts, heard).await;
            let (outcome, words) = match attempted {
                Ok((reply, words)) => (Ok(reply), words),
                Err(miss) => (Err(miss), None),
            };
            if let Some((throttle, on_its_way)) = turn {
                throttle.heard(&on_its_way, &outcome, now());
            }
            let unsettled = account.account_for(reserved, request, &outcome, &self.prices);
            let miss = match outcome {
                Ok(Reply::Said(mut said)) => {
                    if let Some(blank) = &blank {
                        said.usage = said.usage.plus(blank);
                    }
                    if !(blank_fails && said.is_blank() && timing.attempts - loading < most) {
                        timing.took = milliseconds(began.elapsed());
                        timing.words = words;
                        let reply = Reply::Said(said);
                        return (CallAnswer { reply, timing }, Some(unsettled));
                    }
                    blank = Some(said.usage);
                    ProviderError::new(FailureClass::Server, "the reply has no text")
                }
                Ok(reply) => {
                    timing.took = milliseconds(began.elapsed());
                    timing.words = words;
                    return (CallAnswer { reply, timing }, Some(unsettled));
                }
                Err(miss) => miss,
            };
            account.settle(unsettled).await;
            if miss.again == Again::OnceFilesOpen {
                timing.attempts -= 1;
                tracing::warn!("{}; the call waits", miss.failure.message);
                while !can_open_files() {
                    tokio::time::sleep(self.limits.backoff).await;
                }
                continue;
            }
            let is_loading = miss.again == Again::OnceLoaded;
            let wait = match is_loading {
                true => self.wait_until_loaded(&miss, began.elapsed(), most),
                false => self.wait_before_next(&miss, timing.attempts - loading, most),
            };
            let Some(wait) = wait else {
                timing.took = milliseconds(began.elapsed());
                timing.words = miss.words;
                timing.until = miss.retry_after.map(|wait| now() + milliseconds(wait));
                let reply = Reply::Failed(miss.failure);
                return (CallAnswer { reply, timing }, None);
            };
            loading += u32::from(is_loading);
            timing.failures.push(miss.failure);
            tokio::time::sleep(wait).await;
        }
    }

    /// Waits until the service takes one more call; what answers on this machine takes any number.
    async fn turn(&self, request: &Outgoing) -> Option<(&Throttle, OnItsWay)> {
        let throttle = self.throttle(request)?;
        Some((throttle, throttle.enter().await))
    }

    fn throttle(&self, request: &Outgoing) -> Option<&Throttle> {
        match request {
            Outgoing::Model(call) => self.providers.get(&call.provider).map(Provider::throttle),
            Outgoing::Search { engine, .. } => self.engines.throttle(engine),
            Outgoing::Sealed { .. } | Outgoing::Use(_) => None,
        }
    }

    async fn attempt(
        &self,
        request: &Outgoing,
        attempt: u32,
        listener: Listener<'_>,
    ) -> Result<(Reply, Option<String>), ProviderError> {
        match request {
            Outgoing::Model(call) => {
                let Heard { said, words } = self.model(call, attempt, listener).await?;
                Ok((Reply::Said(said), words))
            }
            Outgoing::Search { engine, query } => {
                Ok((self.engines.search(engine, query).await?, None))
            }
            Outgoing::Use(tool) => Ok((Reply::Made(self.tools.using(tool).await?), None)),
            // What is asked there is known to [`sealed`](crate::sealed), which sends it as a call to a model.
            Outgoing::Sealed { seat } => Err(ProviderError::new(
                FailureClass::Unavailable,
                format!("what the seat {seat} is asked is sealed, and is not sent as it is"),
            )),
        }
    }

    async fn model(
        &self,
        call: &ModelCall,
        attempt: u32,
        listener: Listener<'_>,
    ) -> Result<Heard, ProviderError> {
        let provider = self.providers.get(&call.provider).ok_or_else(|| {
            let name: String = call.provider.chars().take(80).collect();
            let what = format!("the operator has configured no provider named {name:?}");
            ProviderError::new(FailureClass::Unavailable, what)
        })?;
        let pictures = self.pictures_of(call).await?;
        provider.attempt(call, &pictures, attempt, listener).await
    }

    /// The bytes of the pictures that a call shows.
    async fn pictures_of(&self, call: &ModelCall) -> Result<providers::Pictures, ProviderError> {
        let mut found = providers::Pictures::new();
        for picture in call.messages.iter().flat_map(|message| &message.pictures) {
            if found.contains_key(&picture.digest) {
                continue;
            }
            let unavailable = |why: String| {
                let what = format!("the picture {} cannot be sent: {why}", picture.digest.short());
                ProviderError::new(FailureClass::Unavailable, what)
            };
            let png = self.tools.pictures.read(&picture.digest).await;
            let png = png.map_err(|error| unavailable(error.to_string()))?;
            let png = png.ok_or_else(|| unavailable("its bytes are not here".to_owned()))?;
            picture.check(&png).map_err(|bad| unavailable(bad.to_string()))?;
            found.insert(picture.digest, base64(&png));
        }
        Ok(found)
    }

    /// How long to wait before the next attempt; `None` if there is to be none.
    fn wait_before_next(&self, miss: &ProviderError, made: u32, attempts: u32) -> Option<Duration> {
        let is_hopeless = miss.again == Again::Never || !miss.failure.class.can_succeed_later();
        if made >= attempts || is_hopeless {
            return None;
        }
        let doublings = made.saturating_sub(1).min(16);
        let own = self.limits.backoff.saturating_mul(1 << doublings);
        let (wait, spread) = match miss.retry_after {
            Some(asked) if asked > self.limits.longest_wait => return None,
            Some(asked) => (asked, own / 4),
            None => (own / 2, own),
        };
        Some(wait + spread.mul_f64(random::fraction()))
    }
}

impl Egress {
    /// How long to wait for a model that is being loaded, as long as one attempt may take; `None` if that is over, or nothing is
    /// to be tried again.
    fn wait_until_loaded(
        &self,
        miss: &ProviderError,
        waited: Duration,
        attempts: u32,
    ) -> Option<Duration> {
        if attempts <= 1 || waited >= self.limits.total {
            return None;
        }
        let wait = miss.retry_after.unwrap_or(LOOK_AGAIN);
        Some(wait.clamp(self.limits.backoff, self.limits.longest_wait.max(self.limits.backoff)))
    }
}

async fn settled(
    account: &Account,
    (answer, unsettled): (CallAnswer, Option<Unsettled>),
) -> CallAnswer {
    if let Some(unsettled) = unsettled {
        account.settle(unsettled).await;
    }
    answer
}

impl Outside for Egress {
    async fn answer(&self, _: Ticket, request: Outgoing) -> (Reply, Timing) {
        let open = Account::open();
        let sent = self.send(&request, None, &open, USUAL_ATTEMPTS);
        let CallAnswer { reply, timing } = sent.await;
        (reply, timing)
    }
}

/// What sends calls, with what pays for them.
#[derive(Clone, Copy)]
pub struct Paid<'a> {
    pub egress: &'a Egress,
    pub account: &'a Account,
    /// How often a call is sent at most, unless the operator has set a number.
    pub attempts: Attempts,
}

impl Sender for Paid<'_> {
    async fn send(&self, request: &Outgoing, counted: Outgoing) -> CallAnswer {
        let account = self.account.counting(counted);
        let sent = self.egress.send(request, None, &account, self.attempts);
        sent.await
    }
}

/// How often a call of a run is sent at most, as its benchmark declares it.
pub fn attempts(spec: &Spec) -> Attempts {
    let benchmark = registry::find(&spec.benchmark);
    benchmark.map_or(USUAL_ATTEMPTS.into(), |benchmark| benchmark.attempts(spec))
}

/// Something that the configuration names cannot be made ready.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CannotOpen(pub String);
