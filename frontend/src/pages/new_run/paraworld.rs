//! The settings of Mind-ParaWorld: a card for what the player is given, and the rest as far as it means anything there.

use leptos::prelude::*;
use turnwise_shared::benchmarks::paraworld::settings::Setting;
use turnwise_shared::registry;
use turnwise_shared::spec::Profile;

use super::Draft;
use super::fresh::PARAWORLD;
use super::settings::field;
use crate::address::Config;
use crate::benchmarks::{OwnForm, own_form};
use crate::components::ribbon::example;
use crate::strings::settings::Setting as Known;
use crate::strings::worlds::{self as strings, SettingCard};

/// The setting that cards choose.
const SETTING: &str = "setting";
/// The setting that is not folded away.
const TURNS: &str = "turns";

/// Its settings, as it declares them.
fn known() -> &'static [Known] {
    registry::find(PARAWORLD)
        .expect("it is registered")
        .schema()
        .settings
}

/// See the module's head; nothing for other benchmarks.
#[component]
pub fn ParaWorld(draft: Draft) -> impl IntoView {
    let setting = Memo::new(move |_| {
        draft
            .setting(SETTING)
            .and_then(|setting| setting.as_str()?.parse::<Setting>().ok())
    });
    let profile = Memo::new(move |_| draft.config.with(|config| config.profile));
    // What means nothing is shown if somebody chose it all the same, because then it has to be mended.
    let shown = Memo::new(move |_| {
        let setting = setting.get().unwrap_or_default();
        draft.config.with(|config| {
            let is_shown = |known: &&Known| {
                means_something(known.name, setting, profile.get())
                    || config.settings.contains_key(known.name)
            };
            known().iter().filter(is_shown).collect::<Vec<_>>()
        })
    });
    let folded = move || {
        let mut shown = shown.get();
        shown.retain(|known| known.name != TURNS);
        shown
    };
    let has_turns = Memo::new(move |_| shown.with(|all| all.iter().any(|it| it.name == TURNS)));
    let turns = known().iter().find(|known| known.name == TURNS);
    let now = move || {
        let values: Vec<_> = folded()
            .into_iter()
            .filter_map(|known| {
                let value = draft.setting(known.name)?;
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                Some((known.name, text))
            })
            .collect();
        strings::advanced_now(&values)
    };
    view! {
        <Show when=move || own_form(draft.benchmark.get()) == Some(OwnForm::Knowledge)>
            <section class="section stack">
                <div class="section-head">
                    <h2 id="settings">{strings::SETTING}</h2>
                </div>
                <fieldset class="choices" aria-labelledby="settings">
                    {strings::SETTINGS.iter().map(|card| view! { <Card draft setting card/> }).collect_view()}
                </fieldset>
                <Show when=move || setting.get().is_some_and(|setting| !setting.searches())>
                    <p class="field-note">{strings::NO_ENGINE}</p>
                </Show>
                <Show when=move || has_turns.get()>
                    <div class="fields">{turns.map(|turns| field(draft, turns))}</div>
                </Show>
                <details class="more">
                    <summary>
                        {strings::ADVANCED}
                        <span class="faint">{now}</span>
                    </summary>
                    <div class="more-body fields fields-wide">
                        <For each=folded key=|known| known.name let(known)>
                            {field(draft, known)}
                        </For>
                    </div>
                </details>
            </section>
        </Show>
    }
}

#[component]
fn Card(draft: Draft, setting: Memo<Option<Setting>>, card: &'static SettingCard) -> impl IntoView {
    let is_chosen = move || setting.get().is_some_and(|one| one.name() == card.name);
    let choose = move |_| {
        draft.set(SETTING, card.name.into());
        draft.config.update(leave_out_what_means_nothing);
    };
    view! {
        <label class="choice">
            <input type="radio" name="setting" value=card.name prop:checked=is_chosen on:change=choose/>
            <span class="choice-title">{card.title}</span>
            {example(card.ribbon)}
            <span class="choice-note">{card.note}</span>
        </label>
    }
}

/// Whoever chooses another card does not take settings along that are not for it.
fn leave_out_what_means_nothing(config: &mut Config) {
    let chosen = config.settings.get(SETTING).and_then(|name| name.as_str());
    let setting = chosen
        .and_then(|name| name.parse().ok())
        .unwrap_or_default();
    let profile = config.profile;
    config
        .settings
        .retain(|name, _| name == SETTING || means_something(name, setting, profile));
}

/// Whether a setting decides anything; what does not is refused by the benchmark, or ignored.
fn means_something(name: &str, setting: Setting, profile: Profile) -> bool {
    let is_strict = profile == Profile::Strict;
    let is_custom = setting == Setting::Custom;
    match name {
        "syntax" | "system" => is_custom,
        "parallel" => setting.searches() && (is_strict || is_custom),
        "format_errors" => setting.searches() && is_strict,
        "votes" => is_strict,
        "engines" => !is_strict,
        _ => setting.searches(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::registry;

    /// Every card stands for a setting, and what is offered beside it is accepted.
    #[test]
    fn cards_and_fields_are_those_of_the_benchmark() {
        let benchmark = registry::find(PARAWORLD).expect("it is registered");
        let others = [
            ("turns", json!(5)),
            ("syntax", json!("glm4")),
            ("context", json!(null)),
            ("format_errors", json!(null)),
            ("votes", json!(3)),
            ("engines", json!("api")),
            ("parallel", json!(true)),
            ("system", json!("Search.")),
        ];
        assert_eq!(strings::SETTINGS.len(), Setting::ALL.len());
        for card in strings::SETTINGS {
            let setting: Setting = card.name.parse().expect(card.name);
            for profile in [Profile::Strict, Profile::Reference] {
                if setting == Setting::Control && profile == Profile::Reference {
                    continue;
                }
                for (name, value) in &others {
                    let mut spec = default_spec(benchmark);
                    spec.profile = profile;
                    spec.settings["setting"] = json!(card.name);
                    spec.settings[*name] = value.clone();
                    let accepted = match benchmark.check(&spec) {
                        Ok(()) => true,
                        // Bots write calls in one way only; models are offered all.
                        Err(bad) => bad.field == "seats.player",
                    };
                    if means_something(name, setting, profile) {
                        assert!(accepted, "{setting} {profile:?} {name}");
                    }
                }
            }
        }
    }

    #[test]
    fn another_card_takes_nothing_along_that_is_not_for_it() {
        let mut config = Config::new(PARAWORLD);
        for (name, value) in [
            ("setting", json!("A")),
            ("syntax", json!("glm4")),
            ("system", json!("Search.")),
            ("turns", json!(9)),
            ("votes", json!(3)),
        ] {
            config.settings.insert(name.to_owned(), value);
        }
        leave_out_what_means_nothing(&mut config);
        let left: Vec<_> = config.settings.keys().map(String::as_str).collect();
        assert_eq!(left, ["setting", "votes"]);
    }
}
