//! Several numbers for parts of a run.

use crate::metrics::bins::{self, Group as Part};
use crate::metrics::table::Row;
use crate::report::Run;
use turnwise_core::prelude::*;

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
        let line = |name: &str, row: &Row| {
            let (fcr, sd, calls) = (Some(row.fcr), Some(row.fcr_sd), Some(row.tool_calls));
            let cells = [row.pass_at_1, fcr, sd, row.hit_rate_macro_callers, calls];
            TableRow::new(name, row.n, cells)
        };
        let mut rows: Vec<TableRow> =
            self.table.by_tier.iter().map(|(tier, row)| line(tier.name(), row)).collect();
        rows.push(line("all", &self.table.all));
        rows.extend(self.table.overall_published.map(|row| {
            let (pass, fcr) = (Some(row.pass_at_1), Some(row.fcr));
            let cells = [pass, fcr, None, Some(row.hit_rate), Some(row.tool_calls)];
            TableRow::new("as published", self.table.all.n, cells)
        }));
        let deviation = Column::new("FCR SD", Unit::Fraction, "Sample deviation of coverage.");
        let columns = vec![pass(), fcr(), deviation, hits(), calls()];
        let statuses = self.by_status();
        let statuses = statuses.iter().map(|(name, part)| line(name, &self.row(part)));
        let mut tables = vec![
            Table::new(
                "By size of the world",
                "Worlds of up to 5 facts are easy, of 6 to 10 mid, of more hard. “As published” weights tiers by their size, \
                 the hit rate too; “all” is the mean over episodes.",
                "tier",
                columns.clone(),
                rows,
            ),
            Table::new("By ending", "How episodes came to an end.", "ending", columns, statuses),
        ];
        if self.searches() {
            let redundancy =
                || Column::new("redundancy", Unit::Count, "Calls for each fact that was found.");
            let profile = self.spec.profile;
            let row = |part: Part| {
                let cells = [Some(part.pass), Some(part.fcr), part.hit_rate, part.redundancy];
                TableRow::new(part.name, part.n, cells)
            };
            let groups = [
                ("By number of calls", "calls", bins::by_calls(&self.episodes, profile)),
                ("By number of turns", "turns", bins::by_turns(&self.episodes, profile)),
                ("By coverage", "FCR", bins::by_coverage(&self.episodes, profile)),
            ];
            tables.extend(groups.map(|(title, by, groups)| {
                let about = "An episode without a verdict counts as wrong here.";
                let columns = [pass(), fcr(), hits(), redundancy()];
                Table::new(title, about, by, columns, groups.into_iter().map(row))
            }));
        }
        tables
    }
}
