//! Fresh worlds: built by rule in this page, a few at a time, from a recipe that is the name of the set and so stands in the
//! address. Another recipe in the address, or another set, stops what is being built.

use turnwise_shared::benchmarks::paraworld::task::{Language, Tier};
use turnwise_shared::benchmarks::paraworld::worlds::{Family, MOST, Recipe, categories};

use super::built::{Built, language};
use super::strings;
use crate::address::SAMPLES;
use crate::benchmarks::TaskChoice;
use crate::components::form::NumberField;
use crate::live_seat::number_below;
use crate::prelude::*;

/// Worlds that are built by default.
const USUAL: u32 = 30;
/// Seeds by chance lie below this, so that they are easily said.
const SEEDS: usize = 1_000_000;

/// The choice of fresh worlds.
#[component]
pub(super) fn Fresh(draft: TaskChoice) -> impl IntoView {
    let chosen = Memo::new(move |_| draft.config.with(|config| Recipe::read(&config.tasks)));
    let wish = RwSignal::new(chosen.get_untracked().unwrap_or_else(usual));
    Effect::new(move |_| {
        if let Some(chosen) = chosen.get() {
            wish.set(chosen);
        }
    });
    let choose = move |name: String| {
        draft.config.update(|config| {
            config.tasks = name;
            config.subset = Default::default();
        });
    };
    let is_under_way = move || draft.making.with(|making| making.done < making.of);
    // An address with a recipe opens the fold; nothing closes it but the visitor.
    let is_open = chosen.with_untracked(Option::is_some);
    view! {
        <details class="more" id="fresh" open=is_open>
            <summary>
                {strings::FRESH}
                <span class="faint">{strings::FRESH_NOTE}</span>
            </summary>
            <div class="more-body stack">
                <Wish wish/>
                <div class="row">
                    <button
                        class="btn"
                        type="button"
                        id="build"
                        disabled=is_under_way
                        on:click=move |_| choose(wish.with_untracked(Recipe::to_string))
                    >
                        <Icon name="plus"/>
                        {move || strings::build(wish.with(|wish| wish.count))}
                    </button>
                    <Show when=is_under_way>
                        <button class="btn btn-quiet" type="button" id="stop-building" on:click=move |_| choose(SAMPLES.to_owned())>
                            {strings::CANCEL}
                        </button>
                    </Show>
                </div>
                <Show when=is_under_way>
                    <div class="progress" translate="no">
                        <div class="progress-head">
                            <span class="progress-now">
                                {move || draft.making.with(|making| strings::building(making.done, making.of))}
                            </span>
                        </div>
                        <progress
                            aria-label=strings::FRESH
                            max=move || draft.making.with(|making| making.of)
                            prop:value=move || draft.making.with(|making| f64::from(making.done))
                        ></progress>
                    </div>
                </Show>
                <Built draft chosen/>
            </div>
        </details>
    }
}

fn usual() -> Recipe {
    Recipe {
        seed: number_below(SEEDS) as u64,
        tier: None,
        count: USUAL,
        language: Some(Language::En),
        family: None,
        category: None,
    }
}

/// The fields of a recipe.
#[component]
fn Wish(wish: RwSignal<Recipe>) -> impl IntoView {
    let tiers = Tier::ALL.map(|tier| (tier.name(), strings::tier(tier.name())));
    let languages = [Language::En, Language::Zh]
        .map(|language| (language.name(), strings::language(language.name()).to_owned()));
    let families =
        Family::ALL.map(|family| (family.name(), strings::family(family.name()).to_owned()));
    let categories: Vec<_> =
        categories().into_iter().map(|category| (category, category.to_owned())).collect();
    view! {
        <div class="fields">
            <NumberField
                id="worlds-seed"
                label=strings::SEED
                note=strings::SEED_NOTE
                value=Signal::derive(move || Some(wish.with(|wish| wish.seed)))
                on_change=move |number| wish.update(|wish| wish.seed = number.unwrap_or(wish.seed))
            />
            <NumberField
                id="worlds-count"
                label=strings::COUNT
                value=Signal::derive(move || Some(wish.with(|wish| wish.count.into())))
                on_change=move |number| {
                    if let Some(count) = number.and_then(|number| u32::try_from(number).ok()) {
                        wish.update(|wish| wish.count = count);
                    }
                }
                least=1
                most=MOST.into()
            />
            {list(
                "worlds-tier",
                strings::TIER,
                strings::ALL_TIERS,
                tiers.into(),
                Signal::derive(move || wish.with(|wish| wish.tier.map(Tier::name).map(str::to_owned))),
                move |name| wish.update(|wish| wish.tier = Tier::named(name)),
            )}
            {list(
                "worlds-language",
                strings::LANGUAGE,
                strings::BOTH,
                languages.into(),
                Signal::derive(move || wish.with(|wish| wish.language.map(Language::name).map(str::to_owned))),
                move |code| wish.update(|wish| wish.language = language(code)),
            )}
            {list(
                "worlds-family",
                strings::FAMILY,
                strings::ANY,
                families.into(),
                Signal::derive(move || wish.with(|wish| wish.family.map(Family::name).map(str::to_owned))),
                move |name| {
                    wish.update(|wish| wish.family = Family::ALL.into_iter().find(|one| one.name() == name));
                },
            )}
            {list(
                "worlds-category",
                strings::CATEGORY,
                strings::ANY,
                categories,
                Signal::derive(move || wish.with(|wish| wish.category.clone())),
                move |name| {
                    wish.update(|wish| wish.category = Some(name.to_owned()).filter(|name| !name.is_empty()));
                },
            )}
        </div>
    }
}

/// A list with a first entry that leaves it open; its value is empty.
fn list(
    id: &'static str,
    name: &'static str,
    open: &'static str,
    entries: Vec<(&'static str, String)>,
    value: Signal<Option<String>>,
    choose: impl Fn(&str) + 'static,
) -> impl IntoView {
    let entries: Vec<_> = entries
        .into_iter()
        .map(|(entry, text)| {
            option(entry, text, move || value.with(|value| value.as_deref() == Some(entry)))
        })
        .collect();
    let options = (option("", open, move || value.is_none()), entries);
    select_field(id, name, move |value| choose(&value), options)
}
