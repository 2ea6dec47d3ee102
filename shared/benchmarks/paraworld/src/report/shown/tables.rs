//! Several numbers for parts of a run.

use super::caption;
use crate::metrics::bins::{self, Group as Part};
use crate::metrics::table::EpisodeNumbers;
use crate::report::Run;
use turnwise_core::metrics::report::Caption;
use turnwise_core::prelude::*;

impl Run<'_> {
    pub(in super::super) fn tables(&self) -> Vec<Table> {
        let tiers = caption("tiers");
        let line = |name: &str, row: &EpisodeNumbers| {
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
        let statuses = self.by_status();
        let statuses = statuses.iter().map(|(name, part)| line(name, &self.row(part)));
        let endings = Caption { columns: tiers.columns.clone(), ..caption("endings") };
        let mut tables = vec![tiers.table(rows), endings.table(statuses)];
        if self.searches() {
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
                let (title, by) = (title.to_owned(), by.to_owned());
                Caption { title, by, ..caption("groups") }.table(groups.into_iter().map(row))
            }));
        }
        tables
    }
}
