//! The public log: what was put on boards and taken off, which sealed tasks were opened, and why. The page checks its chain while it reads it.

use turnwise_shared::wire::publishing::{BadLog, LOG_PAGE, Subject, log_beginning};

use crate::api::publishing as api;
use crate::clock;
use crate::components::head;
use crate::components::seal::seal;
use crate::prelude::*;
use crate::strings::publishing as words;

/// What was read so far: entries from the first on, and whether the last answer was the end.
#[derive(Debug, Clone, Default)]
struct Known {
    entries: Vec<LogEntry>,
    is_whole: bool,
    broken: Option<BadLog>,
}

impl Known {
    fn add(&mut self, more: Vec<LogEntry>) {
        self.is_whole = more.len() < LOG_PAGE as usize;
        for entry in more {
            let (number, hash): (u64, Digest) = match self.entries.last() {
                Some(last) => (last.number, last.hash),
                None => (0, log_beginning()),
            };
            if self.broken.is_none() {
                self.broken = entry.follows(number, &hash).err();
            }
            self.entries.push(entry);
        }
    }
}

#[component]
pub fn LogPage() -> impl IntoView {
    head::title(|| words::LOG_TITLE.to_owned());
    let known = RwSignal::new(None::<Known>);
    let problem = RwSignal::new(None::<ApiError>);
    let busy = RwSignal::new(false);
    let more = move || {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        spawn_local(async move {
            let after = known.with_untracked(|known| {
                let last = known.as_ref().and_then(|known| known.entries.last());
                last.map_or(0, |last| last.number)
            });
            match api::log(after).await {
                Ok(entries) => {
                    problem.try_set(None);
                    known.try_update(|known| known.get_or_insert_default().add(entries));
                }
                Err(error) => problem.put(error),
            }
            busy.try_set(false);
        });
    };
    more();
    view! {
        <div class="page-head">
            <div>
                <h1>{words::LOG_TITLE}</h1>
                <p class="soft read">{words::LOG_ABOUT}</p>
            </div>
        </div>
        <Trouble problem/>
        <Show when=move || known.is_none() && problem.is_none()>
            <Loading/>
        </Show>
        <div class="stack-2">
        {move || known.map(shown)}
        <Show when=move || known.is_some_and(|known| !known.is_whole && !known.entries.is_empty())>
            <button class="btn" type="button" disabled=busy on:click=move |_| more()>
                "More entries"
            </button>
        </Show>
        </div>
    }
}

fn shown(known: &Known) -> AnyView {
    if known.entries.is_empty() {
        return any_view! {
            <div class="empty">
                <h3>"Nothing was published yet"</h3>
                <p>"A run that has ended can be published on its page by whoever opened it."</p>
            </div>
        };
    }
    let chain = match &known.broken {
        None => any_view! {
            <p class="soft" role="status">{format!("{} read; each continues the one before it.", number::counted(known.entries.len(), "entry", "entries"))}</p>
        },
        Some(bad) => any_view! {
            <div class="note note-bad" role="alert">
                <p class="note-title">{format!("{bad}.")}</p>
            </div>
        },
    };
    let [number, others @ ..] = words::LOG_COLUMNS;
    let heads = (th_number(number), others.map(th).collect_view(), th(words::LOG_HASH));
    // The newest first.
    let rows: Vec<_> = known.entries.iter().rev().map(row).collect();
    any_view! {
        {chain}
        {table_of_cards(words::LOG_TITLE, heads, rows)}
    }
}

fn row(entry: &LogEntry) -> AnyView {
    let [number, when, what, run, tier, why] = words::LOG_COLUMNS;
    let (headline, subject, tier_of) = match &entry.subject {
        Subject::Row { run, tier, headline, .. } => {
            let headline = headline.as_ref().map(|measure| {
                let shown = number::shown(measure.value, measure.interval, measure.unit);
                format!(" · {}", words::measure(&measure.label, &shown))
            });
            let name: String = run.as_str().chars().take(8).collect();
            let href = address::run(run, &Wall::default());
            let link = view! { <a class="mono" href=href>{name}</a> };
            (headline, link.into_any(), Some(seal(*tier)))
        }
        Subject::Tasks { tasks, name } => {
            let set = view! { <span title=tasks.to_string()>{name.clone()}</span> };
            (None, set.into_any(), None)
        }
    };
    any_view! {
        <tr>
            <th scope="row" data-label=number class="num">{entry.number}</th>
            <td data-label=when>{clock::moment(entry.time)}</td>
            <td data-label=what>{words::change(entry.change)} {headline}</td>
            <td data-label=run>{subject}</td>
            <td data-label=tier>{tier_of}</td>
            <td data-label=why class="cell-wide">{entry.reason.clone()}</td>
            <td data-label=words::LOG_HASH>
                <span class="mono small" title=entry.hash.to_string()>{entry.hash.short()}</span>
            </td>
        </tr>
    }
}
