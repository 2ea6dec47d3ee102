//! What the checks of worlds find in a file from elsewhere: warnings do not stop anybody.

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::benchmarks::paraworld::task::of_task;
use turnwise_shared::benchmarks::paraworld::worlds::{Finding, Severity, check};
use turnwise_shared::hash::Digest;
use turnwise_shared::task::TaskId;

use super::Draft;
use super::fresh::{PARAWORLD, is_built};
use crate::address::SAMPLES;
use crate::clock;
use crate::components::icons::Icon;
use crate::strings::worlds as strings;

/// Findings that are listed; the others are counted.
const LISTED: usize = 100;
/// Milliseconds of checking after which the browser has its turn.
const TURN: f64 = 12.0;

/// What was found so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Found {
    done: usize,
    of: usize,
    errors: usize,
    warnings: usize,
    /// The first of them: errors before warnings within a world.
    listed: Vec<(TaskId, Severity, String)>,
}

impl Found {
    fn add(&mut self, id: &TaskId, mut findings: Vec<Finding>) {
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        for finding in findings {
            match finding.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
            }
            if self.listed.len() < LISTED {
                let text = finding.trouble.to_string();
                self.listed.push((id.clone(), finding.severity, text));
            }
        }
    }
}

/// See the module's head; nothing for worlds of ours, which are checked where they are made.
#[component]
pub fn Findings(draft: Draft) -> impl IntoView {
    let found: RwSignal<Option<Found>> = RwSignal::new(None);
    let is_now = move |digest: Digest| {
        draft
            .tasks
            .try_with_untracked(|tasks| tasks.ready().is_some_and(|set| set.digest == digest))
            == Some(true)
    };
    Effect::new(move |_| {
        let is_paraworld = draft.benchmark.get() == PARAWORLD;
        let set = draft.tasks.with(|tasks| {
            let foreign = is_paraworld && !is_built(tasks);
            tasks
                .ready()
                .filter(|set| foreign && set.name != SAMPLES)
                .cloned()
        });
        found.set(None);
        let Some(set) = set else { return };
        spawn_local(async move {
            let mut sum = Found {
                of: set.tasks.len(),
                ..Found::default()
            };
            let mut since = clock::now();
            for task in &set.tasks {
                if let Some(world) = of_task(task) {
                    sum.add(&task.id, check(&world));
                }
                sum.done += 1;
                if clock::now() - since > TURN {
                    found.try_set(Some(sum.clone()));
                    clock::breathe().await;
                    since = clock::now();
                    if !is_now(set.digest) {
                        return;
                    }
                }
            }
            found.try_set(Some(sum));
        });
    });
    move || found.get().map(|found| found_view(&found))
}

fn found_view(found: &Found) -> AnyView {
    if found.done < found.of {
        let text = strings::checking(found.done, found.of);
        return view! { <p class="small soft">{text}</p> }.into_any();
    }
    if found.listed.is_empty() {
        let text = strings::sound(found.of);
        return view! { <p class="small good" role="status">{text}</p> }.into_any();
    }
    let (class, means) = match found.errors {
        0 => ("note note-warn", strings::WARNINGS_MEAN),
        _ => ("note note-bad", strings::ERRORS_MEAN),
    };
    let rows: Vec<_> = found
        .listed
        .iter()
        .map(|(id, severity, text)| {
            let class = match severity {
                Severity::Error => "bad",
                Severity::Warning => "soft",
            };
            view! {
                <tr>
                    <th scope="row">{id.to_string()}</th>
                    <td class=class data-label=strings::FINDING>{text.clone()}</td>
                </tr>
            }
        })
        .collect();
    let left = (found.errors + found.warnings).saturating_sub(found.listed.len());
    view! {
        <div class=class role="status" id="findings">
            <Icon name="warning"/>
            <p class="note-title">{strings::found(found.errors, found.warnings)}</p>
            <p>{means}</p>
            <details class="more">
                <summary>{strings::FINDINGS}</summary>
                <div class="more-body">
                    <div class="table-wrap">
                        <table class="table table-cards" aria-label=strings::FINDINGS>
                            <thead>
                                <tr>
                                    <th scope="col">{strings::WORLD}</th>
                                    <th scope="col">{strings::FINDING}</th>
                                </tr>
                            </thead>
                            <tbody>{rows}</tbody>
                        </table>
                    </div>
                    {(left > 0).then(|| view! { <p class="small faint">{strings::more_findings(left)}</p> })}
                </div>
            </details>
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::benchmarks::paraworld::worlds::{Trouble, sample};

    #[test]
    fn findings_are_counted_and_the_first_are_listed() {
        let finding = |severity| Finding {
            severity,
            trouble: Trouble::FactCount(1),
        };
        let mut found = Found::default();
        for number in 0..60 {
            let id = TaskId(number.to_string());
            let both = vec![finding(Severity::Warning), finding(Severity::Error)];
            found.add(&id, both);
        }
        assert_eq!((found.errors, found.warnings), (60, 60));
        assert_eq!(found.listed.len(), LISTED);
        assert_eq!(found.listed[0].1, Severity::Error);
        let world = &sample().worlds[0];
        assert_eq!(check(world), [], "worlds of ours pass");
    }
}
