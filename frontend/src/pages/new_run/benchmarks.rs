//! Which benchmark: one card each.

use leptos::prelude::*;
use turnwise_shared::registry;

use super::Draft;
use crate::address::Config;

/// The choice of a benchmark. Another one starts from its own defaults.
#[component]
pub fn Benchmarks(draft: Draft) -> impl IntoView {
    let cards: Vec<_> = registry::BENCHMARKS
        .iter()
        .map(|benchmark| {
            let name = benchmark.name();
            view! {
                <label class="choice">
                    <input
                        type="radio"
                        name="benchmark"
                        value=name
                        prop:checked=move || draft.benchmark.get() == name
                        on:change=move |_| {
                            draft
                                .config
                                .update(|config| {
                                    *config = Config {
                                        profile: config.profile,
                                        in_flight: config.in_flight,
                                        pause_after: config.pause_after,
                                        caps: std::mem::take(&mut config.caps),
                                        seed: config.seed,
                                        ..Config::new(name)
                                    };
                                });
                        }
                    />
                    <span class="choice-title">{benchmark.title()}</span>
                    <span class="choice-note">{benchmark.about()}</span>
                </label>
            }
        })
        .collect();
    view! {
        <section class="section stack">
            <div class="section-head">
                <h2 id="benchmarks">"Benchmark"</h2>
            </div>
            <fieldset class="choices" aria-labelledby="benchmarks">
                {cards}
            </fieldset>
        </section>
    }
}
