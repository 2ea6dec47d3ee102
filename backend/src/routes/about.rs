//! `GET /api/about`

use axum::Json;
use axum::extract::State;
use turnwise_shared::wire::{About, Access, ProviderInfo};

use crate::App;
use crate::config::{ProviderConfig, ProviderFormat};

/// What this server offers: names, never keys and never addresses.
pub async fn about(State(app): State<App>) -> Json<About> {
    let config = app.config();
    Json(About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        providers: config.providers.iter().map(provider).collect(),
        engines: Vec::new(),
        task_sets: Vec::new(),
        access: match config.access {
            Some(_) => Access::Token,
            None => Access::Open,
        },
    })
}

fn provider(config: &ProviderConfig) -> ProviderInfo {
    ProviderInfo {
        name: config.name.clone(),
        format: match config.format {
            ProviderFormat::OpenAi { .. } => "openai".to_owned(),
            ProviderFormat::Scripted(_) => "scripted".to_owned(),
        },
        models: config.models.clone(),
    }
}
