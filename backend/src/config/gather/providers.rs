//! Endpoints of models: from the file, from `OPENAI_…`, `ANTHROPIC_…` and `GEMINI_…`, and from `TURNWISE_PROVIDER_<NAME>_<FIELD>`.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::Url;

use super::fields::{Wrong, check_name, key};
use super::{Gathering, words};
use crate::config::file::{File, FileProvider};
use crate::config::{Environment, ProviderConfig, ProviderFormat, Script};
use crate::secret::Secret;
use crate::services::{MODELS, ModelFormat, ModelService};

/// The models that the built-in scripted provider offers.
const SCRIPTED_MODEL: &str = "trial";

/// Calls that a provider gets at once by default.
const IN_FLIGHT: u32 = 256;

/// Every endpoint that is configured soundly; the others are mistakes.
pub fn providers(file: &File, gathering: &mut Gathering) -> Vec<ProviderConfig> {
    let environment = gathering.environment;
    let mut named = BTreeMap::new();
    for provider in &file.provider {
        if named.insert(provider.name.clone(), provider.clone()).is_some() {
            gathering.mistake(format!("provider {:?} stands twice in the file", provider.name));
        }
    }
    // Always there, so that a run over a model can be tried without a key; an operator's provider of that name goes before.
    let scripted = || FileProvider { format: Some("scripted".into()), ..FileProvider::default() };
    named.entry("scripted".to_owned()).or_insert_with(scripted);
    // Services have variables of their own, the same that their clients read.
    for service in &MODELS {
        let key = service.keys.iter().find_map(|key| environment.var(key));
        let base_url = environment.var(service.address);
        if key.is_some() || base_url.is_some() {
            let provider = named.entry(service.name.into()).or_default();
            provider.key = key.map(Secret::new).or(provider.key.take());
            provider.base_url = base_url.map(str::to_owned).or(provider.base_url.take());
        }
    }
    for (rest, value) in environment.beginning("TURNWISE_PROVIDER_") {
        gathering.sound(&format!("TURNWISE_PROVIDER_{rest}"), set(&mut named, rest, value));
    }
    named
        .into_iter()
        .filter_map(|(name, provider)| {
            let mut wrong = Wrong::default();
            let read = provider_config(&name, provider, environment, &mut wrong);
            gathering.whole(&format!("provider {name:?}"), read, wrong)
        })
        .collect()
}

/// `TURNWISE_PROVIDER_<NAME>_<FIELD>`: `MY_SERVER_BASE_URL` is the `base_url` of `my-server`.
fn set(named: &mut BTreeMap<String, FileProvider>, rest: &str, value: &str) -> Result<(), String> {
    const FIELDS: [&str; 6] =
        ["_BASE_URL", "_API_KEY", "_MODELS", "_FORMAT", "_IN_FLIGHT", "_PROXY"];
    let (name, field) = FIELDS
        .iter()
        .find_map(|field| Some((rest.strip_suffix(field)?, *field)))
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| format!("the name ends in none of {}", FIELDS.join(", ")))?;
    let name = name.to_ascii_lowercase().replace('_', "-");
    let provider = named.entry(name).or_default();
    match field {
        "_BASE_URL" => provider.base_url = Some(value.to_owned()),
        "_API_KEY" => provider.key = Some(Secret::new(value)),
        "_MODELS" => provider.models = Some(words(value).map(str::to_owned).collect()),
        "_PROXY" => provider.proxy = Some(value.to_owned()),
        "_FORMAT" => provider.format = Some(value.to_owned()),
        _ => {
            let number = value.parse().map_err(|_| "this is no whole number")?;
            provider.in_flight = Some(number);
        }
    }
    Ok(())
}

fn provider_config(
    name: &str,
    file: FileProvider,
    environment: &Environment,
    wrong: &mut Wrong,
) -> Option<ProviderConfig> {
    wrong.sound("name", check_name(name));
    let proxy = wrong.proxy(file.proxy.as_deref());
    let in_flight = wrong.in_flight(file.in_flight, IN_FLIGHT);
    let mut models = file.models.clone().unwrap_or_default();
    // A service's name says what format it has; a configuration that means another one names it.
    let usual = ModelService::named(name).unwrap_or(ModelFormat::OpenAi.service());
    let written = file.format.as_deref().unwrap_or(usual.name);
    let format = match (written, ModelService::named(written)) {
        (_, Some(service)) => remote(name, service, &file, environment, wrong),
        ("scripted", None) => {
            if models.is_empty() {
                models.push(SCRIPTED_MODEL.to_owned());
            }
            Some(scripted(&file, wrong))
        }
        (other, None) => {
            let names: Vec<_> = MODELS.iter().map(|service| service.name).collect();
            let names = names.join(", ");
            wrong.add("format", format!("{other:?} is not known; write {names} or scripted"));
            None
        }
    };
    Some(ProviderConfig { name: name.to_owned(), models, in_flight, format: format?, proxy })
}

fn remote(
    name: &str,
    service: &ModelService,
    file: &FileProvider,
    environment: &Environment,
    wrong: &mut Wrong,
) -> Option<ProviderFormat> {
    if service.format != ModelFormat::OpenAi {
        let only_openai = [("max_tokens_field", file.max_tokens_field.is_some())];
        wrong.refuse("this belongs to the format openai", &only_openai);
    }
    // Many others speak the format of OpenAI, each at an address of its own.
    let usual_address = match service.format {
        ModelFormat::OpenAi => (name == service.name).then_some(service.base_url),
        ModelFormat::Anthropic | ModelFormat::Gemini => Some(service.base_url),
    };
    let only_scripted = [
        ("seed", file.seed.is_some()),
        ("latency_ms", file.latency_ms.is_some()),
        ("faults", file.faults.is_some()),
    ];
    wrong.refuse("this belongs to the format scripted", &only_scripted);
    let key = key(file.key.as_ref(), file.key_env.as_deref(), environment, wrong);
    let base_url = wrong.base_url(file.base_url.as_deref().or(usual_address))?;
    match service.format {
        ModelFormat::OpenAi => open_ai(service, base_url, key, file, wrong),
        ModelFormat::Anthropic => Some(ProviderFormat::Anthropic { base_url, key }),
        ModelFormat::Gemini => Some(ProviderFormat::Gemini { base_url, key }),
    }
}

fn open_ai(
    service: &ModelService,
    base_url: Url,
    key: Option<Secret>,
    file: &FileProvider,
    wrong: &mut Wrong,
) -> Option<ProviderFormat> {
    let max_tokens_field = match file.max_tokens_field.as_deref() {
        Some(field @ ("max_tokens" | "max_completion_tokens")) => field,
        Some(_) => {
            wrong.add("max_tokens_field", "write max_tokens or max_completion_tokens");
            return None;
        }
        None if service.has_host_of(&base_url) => "max_completion_tokens",
        None => "max_tokens",
    };
    Some(ProviderFormat::OpenAi { max_tokens_field: max_tokens_field.to_owned(), base_url, key })
}

fn scripted(file: &FileProvider, wrong: &mut Wrong) -> ProviderFormat {
    let only_remote = [
        ("base_url", file.base_url.is_some()),
        ("key", file.key.is_some()),
        ("key_env", file.key_env.is_some()),
        ("max_tokens_field", file.max_tokens_field.is_some()),
        ("proxy", file.proxy.is_some()),
    ];
    wrong.refuse("a scripted provider answers inside this program", &only_remote);
    let faults = file.faults.unwrap_or(0.0);
    if !(0.0..=1.0).contains(&faults) {
        wrong.add("faults", "a share from 0 to 1");
    }
    ProviderFormat::Scripted(Script {
        seed: file.seed.unwrap_or(1),
        latency: Duration::from_millis(file.latency_ms.unwrap_or(0)),
        faults,
    })
}
