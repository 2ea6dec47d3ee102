//! `--subset`: which tasks of a set are played, in a small language of its own.

use anyhow::{Result, anyhow};

use turnwise_shared::spec::{RandomSubset, Subset};
use turnwise_shared::task::{TaskSet, label_values};

/// How `--subset` is written, for help texts.
pub const HELP: &str = "\
Which tasks: conditions joined by `;`, all of which hold. `ids=1,2,7` or `ids=1-50`; `LABEL=VALUE,VALUE`, e.g. \
`domain=Sports` or `language=zh`; `random=50@7` takes 50 of what is left, drawn with seed 7 (without `@7`: with --seed). \
Default: all";

/// Reads a `--subset`.
///
/// # Errors
/// Which condition is wrong, and what would be right.
pub fn read(text: &str, tasks: &TaskSet, seed: u64) -> Result<Subset> {
    let mut subset = Subset::default();
    for condition in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let wrong = |why: String| anyhow!("--subset {condition:?}: {why}");
        let (name, values) = condition
            .split_once('=')
            .ok_or_else(|| wrong("write NAME=VALUE, e.g. ids=1,2,7 or language=zh".into()))?;
        let values: Vec<&str> =
            values.split(',').map(str::trim).filter(|value| !value.is_empty()).collect();
        if values.is_empty() {
            return Err(wrong("nothing stands after the =".into()));
        }
        match name.trim() {
            "ids" => {
                for value in values {
                    subset.ids.extend(tasks.meant(value).map_err(wrong)?);
                }
            }
            "random" => subset.random = Some(random(&values, seed).map_err(wrong)?),
            label => {
                check_label(label, &values, tasks).map_err(wrong)?;
                let wanted = subset.labels.entry(label.to_owned()).or_default();
                wanted.extend(values.into_iter().map(str::to_owned));
            }
        }
    }
    subset.ids.sort();
    subset.ids.dedup();
    Ok(subset)
}

fn random(values: &[&str], seed: u64) -> Result<RandomSubset, String> {
    let how = "write random=COUNT or random=COUNT@SEED, e.g. random=50@7";
    let [value] = values else {
        return Err(how.into());
    };
    let (count, seed) = match value.split_once('@') {
        Some((count, seed)) => (count, seed.parse().map_err(|_| how)?),
        None => (*value, seed),
    };
    match count.parse() {
        Ok(0) => Err("at least one task is to be drawn".into()),
        Ok(count) => Ok(RandomSubset { count, seed }),
        Err(_) => Err(how.into()),
    }
}

fn check_label(label: &str, values: &[&str], tasks: &TaskSet) -> Result<(), String> {
    let all = tasks.tasks.iter().filter_map(|task| task.labels.get(label).map(String::as_str));
    let mut known: Vec<&str> = all.clone().flat_map(label_values).collect();
    known.extend(all.filter(|value| values.contains(value)));
    known.sort_unstable();
    known.dedup();
    if known.is_empty() {
        let mut labels: Vec<&str> =
            tasks.tasks.iter().flat_map(|task| task.labels.keys().map(String::as_str)).collect();
        labels.sort_unstable();
        labels.dedup();
        return Err(format!(
            "there is no such condition; there are ids, random{}{}",
            if labels.is_empty() { "" } else { " and the labels " },
            labels.join(", ")
        ));
    }
    match values.iter().find(|value| !known.contains(value)) {
        Some(value) => {
            Err(format!("no task has the {label} {value:?}; there is {}", known.join(", ")))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use turnwise_shared::hash::Digest;
    use turnwise_shared::task::{Task, TaskSetOrigin};

    fn tasks() -> TaskSet {
        let task = |id: &str, language: &str| Task {
            id: id.into(),
            digest: Digest::of(id),
            labels: BTreeMap::from([("language".to_owned(), language.to_owned())]),
            fields: BTreeMap::new(),
        };
        TaskSet::new(
            "made-up",
            vec![task("1", "en"), task("2", "zh"), task("10", "en"), task("2024-01", "en")],
            TaskSetOrigin::Plain,
        )
    }

    fn chosen(conditions: &str, seed: u64) -> Subset {
        read(conditions, &tasks(), seed).expect("the conditions can be read")
    }

    fn names(subset: &Subset) -> Vec<&str> {
        subset.ids.iter().map(|id| id.0.as_str()).collect()
    }

    #[test]
    fn conditions_are_read() {
        let subset = chosen(" ids = 1,2 ; language=zh,en; random=3@7 ", 1);
        assert_eq!(names(&subset), ["1", "2"]);
        assert_eq!(subset.labels["language"], ["zh", "en"]);
        assert_eq!(subset.random, Some(RandomSubset { count: 3, seed: 7 }));
        let drawn = chosen("random=3", 5).random;
        assert_eq!(drawn, Some(RandomSubset { count: 3, seed: 5 }));
        assert_eq!(chosen("", 1), Subset::default());
    }

    #[test]
    fn a_range_is_one_of_numbers_unless_it_is_an_id() {
        assert_eq!(names(&chosen("ids=2-10", 1)), ["10", "2"]);
        assert_eq!(names(&chosen("ids=2024-01", 1)), ["2024-01"]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("ids=99", "no task with the id \"99\""),
            ("ids=20-30", "no task with an id from 20 to 30"),
            ("language=fr", "no task has the language \"fr\"; there is en, zh"),
            ("domain=x", "ids, random and the labels language"),
            ("random=0", "at least one"),
            ("random=many", "random=COUNT@SEED"),
            ("ids=", "nothing stands after"),
            ("7", "write NAME=VALUE"),
        ] {
            let message = read(text, &tasks(), 1).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
