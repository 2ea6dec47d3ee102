use turnwise_shared::benchmarks::paraworld::task::lines;
use turnwise_shared::benchmarks::paraworld::worlds::Recipe;

/// A task file of [`WORLDS`](turnwise_shared::examples::WORLDS) with as many built tasks as wanted.
///
/// # Panics
/// If more are wanted than can be built.
pub fn built_tasks(count: u32, seed: u64) -> String {
    let recipe = Recipe { seed, tier: None, count, language: None, family: None, category: None };
    lines(&recipe.slice(0, count).expect("they can be built"))
}
