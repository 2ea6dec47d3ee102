//! Several numbers for parts of a run.

use crate::metrics::bins::{self, Group as Part};
use crate::metrics::table::Row;
use crate::report::Run;
use turnwise_core::metrics::report::{Column, Table, TableRow, Unit};

impl Run<'_> {
    pub(in super::super) fn tables(&self) -> Vec<Table> {
        let pass = || Column::new("pass@1", Unit::Fraction, "Share of right answers.");
        let fcr = || Column::new("FCR", Unit::Fraction, "Coverage, mean over episodes.");
        let hits = || {
            Column::new(
                "HitRate",
                Unit::Fraction,
                "Mean over episodes with calls of hits by calls.",
            )
        };
        let calls = || Column::new("calls", Unit::Count, "Mean over episodes.");
        let cells = |row: &Row| {
            let (fcr, calls) = (row.fcr, row.tool_calls);
            vec![
                row.pass_at_1,
                Some(fcr),
                Some(row.fcr_sd),
                row.hit_rate_macro_callers,
                Some(calls),
            ]
        };
        let line =
            |name: &str, row: &Row| TableRow { name: name.to_owned(), n: row.n, cells: cells(row) };
        let mut rows: Vec<TableRow> =
            self.table.by_tier.iter().map(|(tier, row)| line(tier.name(), row)).collect();
        rows.push(line("all", &self.table.all));
        rows.extend(self.table.overall_published.map(|row| TableRow {
            name: "as published".to_owned(),
            n: self.table.all.n,
            cells: vec![
                Some(row.pass_at_1),
                Some(row.fcr),
                None,
                Some(row.hit_rate),
                Some(row.tool_calls),
            ],
        }));
        let deviation = Column::new("FCR SD", Unit::Fraction, "Sample deviation of coverage.");
        let columns = vec![pass(), fcr(), deviation, hits(), calls()];
        let statuses = self.parts(|one| Some(one.numbers.episode.status.name()));
        let statuses = statuses.into_iter().map(|(name, played)| {
            let episodes = played.iter().map(|one| &one.numbers.episode);
            line(name, &Row::of(episodes, self.spec.profile))
        });
        let mut tables = vec![
            Table {
                title: "By size of the world".to_owned(),
                about: "Worlds of up to 5 facts are easy, of 6 to 10 mid, of more hard. “As published” weights tiers by \
                        their size, the hit rate too; “all” is the mean over episodes."
                    .to_owned(),
                by: "tier".to_owned(),
                columns: columns.clone(),
                rows,
            },
            Table {
                title: "By ending".to_owned(),
                about: "How episodes came to an end.".to_owned(),
                by: "ending".to_owned(),
                columns,
                rows: statuses.collect(),
            },
        ];
        if self.searches() {
            let redundancy =
                || Column::new("redundancy", Unit::Count, "Calls for each fact that was found.");
            let profile = self.spec.profile;
            let parts = |parts: Vec<Part>| -> Vec<TableRow> {
                let row = |part: Part| TableRow {
                    name: part.name.to_owned(),
                    n: part.n,
                    cells: vec![Some(part.pass), Some(part.fcr), part.hit_rate, part.redundancy],
                };
                parts.into_iter().map(row).collect()
            };
            let groups = [
                ("By number of calls", "calls", bins::by_calls(&self.episodes, profile)),
                ("By number of turns", "turns", bins::by_turns(&self.episodes, profile)),
                ("By coverage", "FCR", bins::by_coverage(&self.episodes, profile)),
            ];
            tables.extend(groups.map(|(title, by, groups)| Table {
                title: title.to_owned(),
                about: "An episode without a verdict counts as wrong here.".to_owned(),
                by: by.to_owned(),
                columns: vec![pass(), fcr(), hits(), redundancy()],
                rows: parts(groups),
            }));
        }
        tables
    }
}
