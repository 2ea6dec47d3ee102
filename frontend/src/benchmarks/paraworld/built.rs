//! What was built: counts, one world to look at, and the files.

use turnwise_shared::benchmarks::paraworld::task::{
    Language, Manifest, Tier, World, field, label, of_task,
};
use turnwise_shared::benchmarks::paraworld::worlds::Recipe;

use super::strings;
use crate::benchmarks::TaskChoice;
use crate::components::clipboard::save;
use crate::prelude::*;
use crate::stint::Stint;

/// What was built: kinds of questions, one of them, and the files.
#[component]
pub(super) fn Built(draft: TaskChoice, chosen: Memo<Option<Recipe>>) -> impl IntoView {
    let set = Memo::new(move |_| {
        let recipe = chosen.get()?;
        let set = draft.tasks.with(|tasks| tasks.ready().cloned())?;
        (set.name == recipe.to_string()).then_some(set)
    });
    move || {
        let (set, recipe) = (set.get()?, chosen.get_untracked()?);
        let sample = set.tasks.first().and_then(of_task).map(|world| sample(&world));
        let families = families_of(&set);
        let (lines, manifested) = (Arc::clone(&set), Arc::clone(&set));
        let name = recipe.to_string();
        Some(view! {
            <div class="stack-2" id="built">
                <p role="status">
                    <span class="good">{strings::built(set.tasks.len())}</span>
                    " "
                    <span class="soft">{move || strings::families(&families.get())}</span>
                </p>
                {sample}
                <div class="row">
                    <button
                        class="btn btn-small"
                        type="button"
                        on:click=move |_| save(&name, "application/x-ndjson", &file(&lines))
                    >
                        <SmallIcon name="download"/>
                        {strings::DOWNLOAD}
                    </button>
                    <button
                        class="btn btn-small"
                        type="button"
                        on:click=move |_| {
                            let manifest = manifest(&manifested, &recipe);
                            let text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
                            save(&format!("{}.manifest.json", manifest.dataset_id), "application/json", &[text]);
                        }
                    >
                        <SmallIcon name="download"/>
                        {strings::DOWNLOAD_MANIFEST}
                    </button>
                </div>
                <p class="field-note">{strings::FROM_NAME}</p>
            </div>
        })
    }
}

/// How many questions of each kind a set has. They are counted a few at a time.
fn families_of(set: &Arc<TaskSet>) -> RwSignal<BTreeMap<String, u32>> {
    let families = RwSignal::new(BTreeMap::new());
    let set = Arc::clone(set);
    spawn_local(async move {
        let mut counted: BTreeMap<String, u32> = BTreeMap::new();
        let mut stint = Stint::begin();
        for world in set.tasks.iter().filter_map(of_task) {
            let family = world.extra.as_ref();
            let family = family.and_then(|extra| extra.generator.get("family")?.as_str());
            *counted.entry(family.unwrap_or_default().to_owned()).or_default() += 1;
            stint.breathe_if_over().await;
        }
        families.try_set(counted);
    });
    families
}

/// A world as a reader sees it: the question, and behind a fold what is hidden from players.
fn sample(world: &World) -> AnyView {
    let lang = world.language().name();
    let facts: Vec<_> = world
        .facts
        .iter()
        .map(|fact| {
            view! {
                <dt>{fact.key.clone()}</dt>
                <dd>{fact.value.clone()}</dd>
            }
        })
        .collect();
    any_view! {
        <div class="card stack-2">
            <div class="row">
                <h3>{strings::SAMPLE}</h3>
                <span class="tag">{world.category.clone()}</span>
                <span class="tag">{world.tier().name()}</span>
                <span class="small faint">{strings::FICTION}</span>
            </div>
            <p class="read" lang=lang>{world.question().to_owned()}</p>
            <details class="more">
                <summary>{strings::SHOW_FACTS}</summary>
                <div class="more-body">
                    <dl class="kv kv-facts" lang=lang>
                        {facts}
                        <dt lang="en">{strings::ANSWER}</dt>
                        <dd><b>{world.answer.clone()}</b></dd>
                    </dl>
                </div>
            </details>
        </div>
    }
}

fn row(task: &Task) -> &str {
    task.field(field::ROW).unwrap_or_default()
}

/// The file of a set, line by line.
fn file(set: &TaskSet) -> Vec<String> {
    set.tasks.iter().map(|task| format!("{}\n", row(task))).collect()
}

/// What is written beside the file.
fn manifest(set: &TaskSet, recipe: &Recipe) -> Manifest {
    let bytes = set.tasks.iter();
    let bytes = bytes.flat_map(|task| [row(task).as_bytes(), b"\n".as_slice()]);
    let digest = Digest::of_parts(bytes);
    let name = recipe.to_string();
    let mut manifest = Manifest {
        dataset_id: name.trim_end_matches(".jsonl").to_owned(),
        sha256: digest,
        worlds_sha256: digest,
        worlds: recipe.count,
        per_tier: BTreeMap::new(),
        per_category: BTreeMap::new(),
        per_language: BTreeMap::new(),
        models: BTreeMap::new(),
        seeds: BTreeMap::from([("worlds".to_owned(), recipe.seed)]),
    };
    for task in &set.tasks {
        let label = |name: &str| task.labels.get(name).map(String::as_str).unwrap_or_default();
        if let Some(tier) = Tier::named(label(label::TIER)) {
            *manifest.per_tier.entry(tier).or_default() += 1;
        }
        if let Some(language) = language(label(label::LANGUAGE)) {
            *manifest.per_language.entry(language).or_default() += 1;
        }
        let category = label(label::CATEGORY).to_owned();
        *manifest.per_category.entry(category).or_default() += 1;
    }
    manifest
}

pub(super) fn language(code: &str) -> Option<Language> {
    Language::named(code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::benchmarks::paraworld::task::load;
    use turnwise_shared::task::TaskSetOrigin;

    #[test]
    fn files_and_manifests_are_those_of_the_worlds() {
        let recipe =
            Recipe { seed: 3, tier: None, count: 7, language: None, family: None, category: None };
        let worlds = recipe.slice(0, 7).expect("they can be built");
        let tasks = worlds.iter().map(World::to_core).collect();
        let set = TaskSet::new(recipe.to_string(), tasks, TaskSetOrigin::Plain);
        let read = load(file(&set).concat().as_bytes()).expect("a file of worlds");
        assert_eq!(read.worlds, worlds);
        let mut wanted = Manifest::of("built-3-all-7-both", &read);
        wanted.seeds.insert("worlds".to_owned(), 3);
        assert_eq!(manifest(&set, &recipe), wanted);
        assert_eq!(read.to_task_set(set.name.clone()), set);
    }
}
