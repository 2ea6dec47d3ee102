//! Everything that decides how a run goes, and how to start one like it.

use crate::address::Config;
use crate::clock;
use crate::components::clipboard::copy;
use crate::components::report;
use crate::prelude::*;
use crate::strings::run as words;

/// The section, with links to runs like this one.
pub fn configuration_view(id: &RunId, info: &RunInfo) -> impl IntoView + use<> {
    let spec = info.spec.clone();
    let more = vec![("Run", id.to_string()), ("Opened", clock::moment(info.opened))];
    let rows = report::configuration(&info.spec, more);
    // Gradings and branches begin with the episodes of another run.
    let begins_anew = info.regrades.is_none()
        && info.branch_of.is_none()
        && registry::is_played(&info.spec.benchmark);
    let again = begins_anew.then(|| start(&Config::like(&info.spec)));
    let others = begins_anew.then(|| others(&info.spec));
    view! {
        <section class="section" aria-labelledby="spec-head">
            <div class="section-head">
                <h2 id="spec-head">"Configuration"</h2>
                <button
                    class="btn btn-small"
                    type="button"
                    on:click=move |_| {
                        let text = serde_json::to_string_pretty(&spec).unwrap_or_default();
                        copy(text);
                    }
                >
                    <SmallIcon name="copy"/>
                    "Copy as JSON"
                </button>
                {again.map(|again| view! { <a class="btn btn-small" href=again>"Start one like it"</a> })}
            </div>
            {rows}
            {others}
        </section>
    }
}

/// The form of a new run, filled in.
fn start(config: &Config) -> String {
    format!("/new?{}", config.query())
}

/// The way to the run with which this one is to be compared, and about what it will cost: that of the player in this run.
pub fn twin(spec: &Spec, report: &Report) -> Option<impl IntoView + use<>> {
    let twin = report.twin.as_ref()?;
    let mut config = Config::like(spec);
    config.settings.extend(twin.settings.clone());
    config.repeats = twin.repeats;
    let paid = report.record["cost_by_role"][Seat::PLAYER]["usd"].as_f64();
    let cost = paid.filter(|paid| *paid > 0.0).map(number::rough_dollars);
    Some(view! {
        <p class="row" id="twin">
            <a class="btn btn-small" href=start(&config)>
                {format!("Start the {}", twin.name)}
            </a>
            <span class="small soft">
                {twin.about.clone()} " " {words::twin_costs(twin.repeats, cost.as_deref())}
            </span>
        </p>
    })
}

/// The same tasks under the other values of a setting of which runs are read together.
fn others(spec: &Spec) -> Option<impl IntoView + use<>> {
    let benchmark = registry::find(&spec.benchmark).ok()?;
    let (setting, cards) = benchmark.schema().compared()?;
    let chosen = spec.settings.get(setting.name).cloned();
    let own = chosen.or_else(|| benchmark.default_settings().get(setting.name).cloned())?;
    cards.iter().find(|card| own == card.value)?;
    let links: Vec<_> = cards
        .into_iter()
        .filter(|card| own != card.value)
        .map(|card| {
            let mut config = Config::like(spec);
            config.settings.insert(setting.name.to_owned(), card.value.into());
            view! {
                <a class="btn btn-small" href=start(&config) title=card.note>
                    {card.title}
                </a>
            }
        })
        .collect();
    Some(view! {
        <p class="row">
            <span class="small soft">"The same player and tasks in another setting, to be compared with this run:"</span>
            {links}
        </p>
    })
}
