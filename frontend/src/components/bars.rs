//! How many tasks have which value of a label, as bars; ticking values chooses them.

use turnwise_shared::task::label_values;

use crate::prelude::*;

/// A value of a label: how many tasks have it, and whether it is ticked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    pub value: String,
    /// How many tasks have it.
    pub count: usize,
}

/// Counts tasks by label and value, the most frequent value first.
pub fn count<'a>(
    labels: impl IntoIterator<Item = &'a BTreeMap<String, String>>,
) -> BTreeMap<String, Vec<Bar>> {
    let mut counts: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for (label, values) in labels.into_iter().flatten() {
        let counts = counts.entry(label.clone()).or_default();
        for value in label_values(values) {
            *counts.entry(value.to_owned()).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .map(|(label, values)| {
            let mut bars: Vec<Bar> =
                values.into_iter().map(|(value, count)| Bar { value, count }).collect();
            bars.sort_by_key(|bar| std::cmp::Reverse(bar.count));
            (label, bars)
        })
        .collect()
}

/// One label with its values.
#[component]
pub fn Bars(
    label: String,
    /// Its values, the most frequent first.
    bars: Vec<Bar>,
    /// The values that are ticked; none means all.
    #[prop(into)]
    ticked: Signal<Vec<String>>,
    /// Called with a value that was ticked, or ticked off.
    on_tick: impl Fn(String) + Clone + Send + Sync + 'static,
) -> impl IntoView {
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(1).max(1);
    let rows = bars
        .into_iter()
        .map(|Bar { value, count }| {
            let on_tick = on_tick.clone();
            let is_ticked = {
                let value = value.clone();
                Signal::derive(move || ticked.with(|ticked| ticked.contains(&value)))
            };
            let fill = move || {
                let counts = ticked.with(Vec::is_empty) || is_ticked.get();
                if counts { "plot-bar" } else { "plot-bar-soft" }
            };
            let ticked_value = value.clone();
            view! {
                <tr>
                    <td>
                        <label class="check">
                            <input
                                type="checkbox"
                                prop:checked=is_ticked
                                on:change=move |_| on_tick(ticked_value.clone())
                            />
                            {value}
                        </label>
                    </td>
                    <td class="plot-cell" style:min-width="64px" aria-hidden="true">
                        <svg class="meter" viewBox=format!("0 0 {most} 1") preserveAspectRatio="none">
                            <rect class=fill x="0" y="0" width=count height="1"></rect>
                        </svg>
                    </td>
                    <td class="num">{number::count(count)}</td>
                </tr>
            }
        })
        .collect_view();
    let heads = (
        view! { <th scope="col" colspan="2">{label.clone()}</th> },
        th_number(crate::strings::home::COUNT),
    );
    table_frame(label, "table", heads, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_and_the_frequent_come_first() {
        let task = |domain: &str, language: &str| {
            BTreeMap::from([
                ("domain".to_owned(), domain.to_owned()),
                ("language".to_owned(), language.to_owned()),
            ])
        };
        let tasks = [task("Sports", "en"), task("Law", "en"), task("Law", "zh")];
        let counted = count(&tasks);
        let shown: Vec<_> =
            counted["domain"].iter().map(|bar| (bar.value.as_str(), bar.count)).collect();
        assert_eq!(shown, [("Law", 2), ("Sports", 1)]);
        assert_eq!(counted["language"].len(), 2);
    }
}
