//! What the checks of worlds find in a file from elsewhere: warnings stop nothing.

use turnwise_shared::benchmarks::paraworld::task::of_task;
use turnwise_shared::benchmarks::paraworld::worlds::{
    Complaint, Complaints, Finding, Recipe, Severity, check,
};

use super::strings;
use crate::address::SAMPLES;
use crate::benchmarks::TaskChoice;
use crate::prelude::*;
use crate::stint::Stint;

/// Milliseconds of checking after which the browser has its turn.
const TURN: f64 = 4.0;

/// What was found so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Found {
    done: usize,
    of: usize,
    errors: usize,
    warnings: usize,
    complaints: Complaints,
}

impl Found {
    /// What was found in a row, counted from 1.
    fn add(&mut self, row: u32, findings: &[Finding]) {
        for finding in findings {
            match finding.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
            }
            self.complaints.find(row, finding);
        }
    }
}

#[component]
pub(super) fn Findings(draft: TaskChoice) -> impl IntoView {
    let found = RwSignal::new(None::<Found>);
    let is_now = move |digest: Digest| {
        draft
            .tasks
            .try_with_untracked(|tasks| tasks.ready().is_some_and(|set| set.digest == digest))
            == Some(true)
    };
    Effect::new(move |_| {
        let is_ours = |name: &str| name == SAMPLES || Recipe::read(name).is_some();
        let set =
            draft.tasks.with(|tasks| tasks.ready().filter(|set| !is_ours(&set.name)).cloned());
        found.set(None);
        let Some(set) = set else { return };
        spawn_local(async move {
            let mut sum = Found { of: set.tasks.len(), ..Found::default() };
            let mut stint = Stint::of(TURN);
            for task in &set.tasks {
                if let Some(world) = of_task(task) {
                    sum.add(world.line + 1, &check(&world));
                }
                sum.done += 1;
                if stint.is_over() {
                    found.put(sum.clone());
                    stint.breathe().await;
                    if !is_now(set.digest) {
                        return;
                    }
                }
            }
            found.put(sum);
        });
    });
    move || found.get().map(|found| found_view(&found))
}

fn found_view(found: &Found) -> AnyView {
    if found.done < found.of {
        let text = strings::checking(found.done, found.of);
        return any_view! { <p class="small soft">{text}</p> };
    }
    if found.complaints.is_empty() {
        let text = strings::sound(found.of);
        return any_view! { <p class="small good" role="status">{text}</p> };
    }
    let (class, means) = match found.errors {
        0 => ("note note-warn", strings::WARNINGS_MEAN),
        _ => ("note note-bad", strings::ERRORS_MEAN),
    };
    let rows: Vec<_> = found.complaints.list().into_iter().map(row).collect();
    any_view! {
        <div class=class role="status" id="findings">
            <Icon name="warning"/>
            <p class="note-title">{strings::found(found.errors, found.warnings)}</p>
            <p>{means}</p>
            <details class="more">
                <summary>{strings::FINDINGS}</summary>
                <div class="more-body">
                    {table_of_cards(strings::FINDINGS, (th(strings::ROWS), th(strings::FINDING)), rows)}
                </div>
            </details>
        </div>
    }
}

fn row(complaint: &Complaint) -> impl IntoView + use<> {
    let class = match complaint.severity {
        Severity::Error => "bad",
        Severity::Warning => "soft",
    };
    view! {
        <tr>
            <th scope="row">{complaint.rows()}</th>
            <td class=format!("cell-wide {class}")>{complaint.words()}</td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::benchmarks::paraworld::worlds::{Trouble, sample};

    #[test]
    fn findings_are_counted_and_equal_ones_listed_once() {
        let finding = |severity| Finding { severity, trouble: Trouble::FactCount(1) };
        let mut found = Found::default();
        for row in 1..=60 {
            let both = [finding(Severity::Warning), finding(Severity::Error)];
            found.add(row, &both);
        }
        assert_eq!((found.errors, found.warnings), (60, 60));
        let listed = found.complaints.list();
        let listed: Vec<_> = listed.iter().map(|one| (one.severity, one.rows())).collect();
        let all = "rows 1 to 60".to_owned();
        assert_eq!(listed, [(Severity::Error, all.clone()), (Severity::Warning, all)]);
        let world = &sample().worlds[0];
        assert_eq!(check(world), [], "worlds of ours pass");
    }
}
