use turnwise_shared::benchmarks::interactcomp::dataset::load;

use super::*;

#[test]
fn generated_sets_have_the_shape_of_the_authors_file() {
    let tasks = generate(210, 7);
    assert_eq!(tasks, generate(210, 7));
    assert_ne!(tasks, generate(210, 8));
    let file = encrypted_lines(&tasks, "a canary of our own");
    let set = load(file.as_bytes(), None).unwrap();
    assert_eq!(set.tasks, tasks);
    let count = |is: &dyn Fn(&&Task) -> bool| set.tasks.iter().filter(is).count();
    for (domain, english, chinese) in SHAPE {
        let of = |code: &str| count(&|task| task.domain == domain && task.language.code() == code);
        assert_eq!((of("en"), of("zh")), (english as usize, chinese as usize), "{domain}");
    }
    assert_eq!(["en", "zh"].map(|code| count(&|task| task.language.code() == code)), [140, 70]);
    let distinct = |field: fn(&Task) -> &str| {
        tasks.iter().map(field).collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!(distinct(|task| &task.answer), 210);
    assert_eq!(distinct(|task| &task.question), 210);
    assert!(tasks.iter().any(|task| task.question.contains('{')));
    assert!(tasks.iter().filter(|task| task.context.contains('\n')).count() > 120);
    assert!(
        tasks
            .iter()
            .all(|task| !task.question.contains(&task.answer)
                && !task.context.contains(&task.answer))
    );
    assert_eq!(generate(9000, 1).len(), 9000);
    assert!(generate(0, 1).is_empty());
}
