//! The public samples of Mind-ParaWorld: they load, become tasks, and are written back with nothing lost. Only counts stand
//! here.

use turnwise_shared::benchmarks::paraworld::task::{
    Language, Manifest, Tier, lines, load, of_task,
};
use turnwise_shared::json::{Dialect, parse};
use turnwise_tests::data_dir;

#[test]
fn the_public_samples() {
    let file = data_dir().map(|folder| folder.join("mind_paraworld/mpw_bench.jsonl"));
    let Some(file) = file.and_then(|file| std::fs::read(file).ok()) else {
        eprintln!("skipped: the public samples are not at hand");
        return;
    };
    let set = load(&file).expect("the public samples can be read");
    assert_eq!(set.worlds.len(), 3);
    for world in &set.worlds {
        assert_eq!((world.facts.len(), world.tier()), (4, Tier::Easy));
        assert_eq!(world.language(), Language::Zh);
        assert!(world.generated_question.is_some() && world.final_answer.is_some());
        assert!(world.category.is_none() && world.extra.is_none());
    }
    let text = String::from_utf8(file).expect("the public samples are UTF-8");
    let written = lines(&set.worlds);
    let values = |text: &str| -> Vec<_> {
        text.lines()
            .map(|line| parse(line, Dialect::Strict))
            .collect()
    };
    assert_eq!(values(&text), values(&written));
    for (world, task) in set.worlds.iter().zip(set.to_task_set("samples").tasks) {
        assert_eq!(of_task(&task).as_ref(), Some(world));
    }
    assert_eq!(Manifest::of("samples", &set).check(&set), Ok(()));
}
