//! The numbers of the paper over questions (7): as the paper defines them (`strict`), and as the authors' program computes them
//! (`reference`). Verdicts that are pending or unresolved are `None`.

use turnwise_core::metrics::bootstrap::{self, Cluster, intervals};
use turnwise_core::metrics::proportion::Interval;
use turnwise_core::prelude::*;

use crate::settings::MOST_PAGES;

/// The most pages of evidence.
const K: usize = MOST_PAGES as usize;
/// The pages that the authors' program scores.
const REFERENCE_PAGES: usize = 5;
/// What a question without a right answer adds to its pages in IC.
const B: usize = 1;

const RESAMPLES: u32 = 2_000;
const SEED: u64 = 1;

/// What is known of a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Question {
    /// From the first k pages of the evidence, k from 1.
    pub pages: Vec<Option<bool>>,
    /// From everything that was found.
    pub conclusion: Option<bool>,
    /// Without the web; absent where the player was not asked.
    pub offline: Option<Option<bool>>,
    /// How many annotated addresses there are.
    pub sources: usize,
    /// Whether its episode came to no end: it is wrong (`strict`), or not there (`reference`).
    pub is_missing: bool,
}

/// The numbers of some questions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Numbers<T> {
    pub accuracy: T,
    pub offline: T,
    /// IA@1 to IA@n; beyond n as at n.
    pub answers: [T; K],
    pub eeu: T,
    pub ic: T,
    /// IC over the questions that some pages answered.
    pub ic_answered: T,
    pub interference: T,
}

const CONCLUSION: usize = K;
const OFFLINE: usize = K + 1;
const IC: usize = K + 2;
const IC_ANSWERED: usize = K + 3;
const INTERFERENCE: usize = K + 4;
const SUMS: usize = K + 5;
const NUMBERS: usize = K + 6;

/// What a question adds to each number.
type Sums = [Cluster; SUMS];

impl Question {
    fn sums(&self, most: usize, profile: Profile) -> Sums {
        let mut sums = Sums::default();
        let is_strict = profile == Profile::Strict;
        if self.is_missing && !is_strict {
            return sums;
        }
        // A verdict that is pending is wrong, or in no denominator.
        let verdict = |verdict: Option<bool>| verdict.or(is_strict.then_some(false));
        let mut add = |at: usize, right: Option<bool>| {
            sums[at].add_all(right.map(|right| f64::from(u8::from(right))));
        };
        let pages = match is_strict {
            true => &self.pages[..self.pages.len().min(most)],
            false => &self.pages[..],
        };
        let conclusion = self.conclusion.filter(|_| !self.is_missing);
        add(CONCLUSION, verdict(conclusion));
        if let Some(offline) = self.offline {
            add(OFFLINE, verdict(offline));
            if offline == Some(true) {
                // The authors' program takes what is pending for right.
                let is_right = conclusion.unwrap_or(!is_strict);
                add(INTERFERENCE, Some(!is_right));
            }
        }
        for at in 0..K {
            add(
                at,
                match (pages.get(at), is_strict) {
                    (Some(found), _) => verdict(*found),
                    (None, true) => Some(pages.last().copied().flatten() == Some(true)),
                    // It repeats the last verdict that is one.
                    (None, false) => Some(pages.iter().rev().find_map(|page| *page) == Some(true)),
                },
            );
        }
        let is_answered = pages.iter().any(|page| page.unwrap_or(!is_strict));
        let is_scored = is_strict || pages.len() <= REFERENCE_PAGES;
        if self.sources > 0 && is_scored {
            let count = if is_answered { pages.len() } else { most + B };
            // Both are small.
            let ic = count as f64 / self.sources as f64;
            sums[IC].add(ic);
            sums[IC_ANSWERED].add_all(is_answered.then_some(ic));
        }
        sums
    }
}

trait AddAll {
    fn add_all(&mut self, number: Option<f64>);
}

impl AddAll for Cluster {
    fn add_all(&mut self, number: Option<f64>) {
        if let Some(number) = number {
            self.add(number);
        }
    }
}

fn numbers(sums: &Sums, most: usize, profile: Profile) -> [Option<f64>; NUMBERS] {
    let mut found = [None; NUMBERS];
    for (number, sum) in found.iter_mut().zip(sums) {
        *number = sum.mean();
    }
    let best = found[..most].iter().flatten().copied().reduce(f64::max);
    let accuracy = found[CONCLUSION].filter(|accuracy| *accuracy > 0.0);
    found[SUMS] = best.zip(accuracy).map(|(best, accuracy)| best / accuracy);
    if profile == Profile::Reference && sums[CONCLUSION].n > 0 {
        // What is counted over nothing.
        found[INTERFERENCE] = found[INTERFERENCE].or(Some(1.0));
        found[OFFLINE] = found[OFFLINE].or(Some(0.0));
    }
    found
}

impl<T: Copy> Numbers<T> {
    fn of(found: [T; NUMBERS]) -> Self {
        Numbers {
            accuracy: found[CONCLUSION],
            offline: found[OFFLINE],
            answers: std::array::from_fn(|at| found[at]),
            eeu: found[SUMS],
            ic: found[IC],
            ic_answered: found[IC_ANSWERED],
            interference: found[INTERFERENCE],
        }
    }
}

/// The numbers of questions with at most `most` pages each, 1 to 10; `None` where one is not defined.
pub fn scores<'a>(
    questions: impl IntoIterator<Item = &'a Question>,
    most: usize,
    profile: Profile,
) -> Numbers<Option<f64>> {
    let mut all = Sums::default();
    for question in questions {
        sum(&mut all, &question.sums(most, profile));
    }
    Numbers::of(numbers(&all, most, profile))
}

/// Their 95 % intervals, by drawing tasks anew; questions of one name count together.
pub fn score_intervals<'a>(
    questions: impl IntoIterator<Item = (&'a str, &'a Question)>,
    most: usize,
    profile: Profile,
) -> Numbers<Option<Interval>> {
    let mut tasks = std::collections::BTreeMap::<&str, Sums>::new();
    for (task, question) in questions {
        sum(tasks.entry(task).or_default(), &question.sums(most, profile));
    }
    let tasks: Vec<Sums> = tasks.into_values().collect();
    let mut found = intervals(&tasks, RESAMPLES, SEED, |sums| numbers(sums, most, profile));
    let shares = (0..K).chain([CONCLUSION, OFFLINE, INTERFERENCE]);
    for at in shares {
        found[at] = bootstrap::of_share(found[at], tasks.iter().map(|sums| sums[at]));
    }
    Numbers::of(found)
}

fn sum(all: &mut Sums, more: &Sums) {
    for (all, more) in all.iter_mut().zip(more) {
        all.sum += more.sum;
        all.n += more.n;
    }
}

#[cfg(test)]
mod tests {
    use turnwise_core::metrics::proportion::wilson;

    use super::*;

    /// A line of 7.7: verdicts at k, conclusion, offline (`-` where there is none), sources.
    fn question(line: &str) -> Question {
        let verdict = |sign: char| match sign {
            'T' => Some(true),
            'F' => Some(false),
            _ => None,
        };
        let parts: Vec<&str> = line.split(' ').collect();
        let &[pages, conclusion, offline, sources] = &parts[..] else { panic!("{line}") };
        let one = |text: &str| text.chars().next().and_then(verdict);
        Question {
            pages: pages.trim_matches('_').chars().map(verdict).collect(),
            conclusion: one(conclusion),
            offline: (offline != "-").then(|| one(offline)),
            sources: sources.parse().expect("a count"),
            is_missing: false,
        }
    }

    /// ACC, IA@1 to IA@5, EEU, IC, IR and OFF of questions.
    fn found(lines: &[&str], profile: Profile) -> [Option<f64>; 10] {
        let questions: Vec<Question> = lines.iter().map(|line| question(line)).collect();
        let found = scores(&questions, 5, profile);
        let [one, two, three, four, five, ..] = found.answers;
        let rounded = |number: f64| (number * 1e6).round() / 1e6;
        let Numbers { accuracy, offline, eeu, ic, interference, .. } = found;
        [accuracy, one, two, three, four, five, eeu, ic, interference, offline]
            .map(|number| number.map(rounded))
    }

    /// G1 to G12, G14 to G16 of 7.7, in both columns; `_` stands for no page, `?` for a pending verdict, `-` for no number. G9, a question
    /// without sources, is refused when it is read, and so is G13, a broken line.
    #[test]
    fn golden_vectors() {
        for line in include_str!("scores.tsv").lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let &[name, questions, reference, strict] = &cells[..] else { panic!("{line}") };
            let questions: Vec<&str> =
                questions.split("; ").filter(|one| !one.is_empty()).collect();
            for (profile, wanted) in [(Profile::Reference, reference), (Profile::Strict, strict)] {
                let wanted: Vec<Option<f64>> =
                    wanted.split(' ').map(|number| number.parse().ok()).collect();
                assert_eq!(found(&questions, profile)[..], wanted, "{name} {profile:?}");
            }
        }
    }

    /// A question whose episode failed is wrong everywhere; the authors' program has no line of it.
    #[test]
    fn missing_questions_are_wrong() {
        let missing = Question { sources: 2, is_missing: true, ..Question::default() };
        let all = [question("T T - 1"), missing];
        let strict = scores(&all, 5, Profile::Strict);
        assert_eq!(
            (strict.accuracy, strict.answers[4], strict.ic),
            (Some(0.5), Some(0.5), Some(2.0))
        );
        assert_eq!(strict.ic_answered, Some(1.0));
        let reference = scores(&all, 5, Profile::Reference);
        assert_eq!((reference.accuracy, reference.ic), (Some(1.0), Some(1.0)));
    }

    /// 7.4: a file whose mean of 1 / sources is known.
    #[test]
    fn ic_has_bounds() {
        let of = |pages: &str| -> Vec<Question> {
            (1..=4).map(|sources| question(&format!("{pages} T T {sources}"))).collect()
        };
        let mean = (1.0 + 1.0 / 2.0 + 1.0 / 3.0 + 1.0 / 4.0) / 4.0;
        for (pages, factor) in
            [("FFFFF", 6.0), ("_", 6.0), ("FFFFT", 5.0), ("FTF", 3.0), ("T", 1.0)]
        {
            let ic = scores(&of(pages), 5, Profile::Strict).ic.expect("there are questions");
            assert!((ic - factor * mean).abs() < 1e-12, "{pages}");
        }
    }

    #[test]
    fn intervals_are_those_of_tasks() {
        let questions: Vec<Question> =
            ["T T T 1", "F F T 1", "T T F 2", "F F F 2"].map(question).into();
        let named: Vec<(String, &Question)> =
            questions.iter().enumerate().map(|(at, one)| (at.to_string(), one)).collect();
        let named = || named.iter().map(|(name, one)| (name.as_str(), *one));
        let found = score_intervals(named(), 5, Profile::Strict);
        assert_eq!(found.accuracy, Some((0.0, 1.0)));
        assert!(found.ic.is_some_and(|(low, high)| low < 2.0 && high > 4.0), "{:?}", found.ic);
        // Of several repeats of one task nothing else can be drawn.
        let alike = score_intervals(named().map(|(_, one)| ("one", one)), 5, Profile::Strict);
        assert_eq!(alike.accuracy, Some((0.5, 0.5)));
        // Whatever is drawn of right answers is right.
        let right = question("T T - 1");
        let right = score_intervals([("0", &right), ("1", &right)], 5, Profile::Strict);
        assert_eq!(right.accuracy, wilson(2, 2));
        assert_eq!(score_intervals([], 5, Profile::Strict), Numbers::default());
    }
}
