//! Numbers of reports, each declared once.

use turnwise_core::prelude::*;
use turnwise_core::metrics::metric::COST;
use turnwise_core::metrics::metric::Better::{Less, More, Neither};
use turnwise_core::metrics::report::Unit::{Count, Fraction, Number};

pub const METRICS: &[Section] = &[
    Section { title: HEADLINE, metrics: &[&ACCURACY, &BEST, &EEU, &IC, &INTERFERENCE, &COST] },
    Section { title: "Evidence", metrics: &[&IA[0], &IA[1], &IA[2], &IA[3], &IA[4], &IC_ANSWERED, &RANKED, &UNSEEN] },
    Section { title: "ACC by attribute", metrics: &[&BY_ATTRIBUTE[0], &BY_ATTRIBUTE[1], &BY_ATTRIBUTE[2], &BY_ATTRIBUTE[3], &BY_ATTRIBUTE[4], &BY_ATTRIBUTE[5]] },
    Section { title: "Search", metrics: &[&SEARCHES, &PAGES, &REPEATED, &BAD_PLANS, &BAD_STEPS, &FAILED_TOOLS, &FROZEN_MISSES, &INDEX_SEARCHES, &STOPPED] },
    Section { title: "Judging", metrics: &[&OFFLINE, &AGREEMENT, &UNRESOLVED] },
];

pub const ACCURACY: Metric = metric("accuracy", "ACC", Fraction, More, "Share of all questions that the player answered rightly from everything that it found; a question without a verdict is wrong.");
pub const BEST: Metric = metric("best_ia", "Best IA@k", Fraction, More, "The largest share of questions that the first k pages answer, over k.");
pub const EEU: Metric = metric("eeu", "EEU", Number, More, "Effective evidence utilisation: the best IA@k by ACC; absent where ACC is 0.");
pub const IC: Metric = metric("ic", "IC", Number, Less, "Information compactness: pages by annotated sources, and (n + 1) by sources where no page answers; mean over all questions.");
pub const INTERFERENCE: Metric = metric("interference", "Interference", Fraction, Less, "Of the questions that the player answers rightly without the web, the share that it answers wrongly with it.").optional();
pub const IC_ANSWERED: Metric = metric("ic_answered", "IC of answered", Number, Less, "IC over the questions that some of the pages answer.").optional();
pub const IA: [Metric; 5] = [
    answer("ia.1", "IA@1", "Share of all questions that are answered from the first page alone."),
    answer("ia.2", "IA@2", "The same from the first two pages; with fewer from all of them."),
    answer("ia.3", "IA@3", "The same from the first three pages."),
    answer("ia.4", "IA@4", "The same from the first four pages."),
    answer("ia.5", "IA@5", "The same from the first five pages."),
];
/// In the order of [`ATTRIBUTES`](crate::tasks::ATTRIBUTES).
pub const BY_ATTRIBUTE: [Metric; 6] = [
    of_attribute("attributes.multi_hop", "Multi-hop"),
    of_attribute("attributes.long_tail", "Long-tail"),
    of_attribute("attributes.time_sensitive", "Time-sensitive"),
    of_attribute("attributes.freshness", "Freshness"),
    of_attribute("attributes.distracting_info", "Distracting information"),
    of_attribute("attributes.false_premise", "False premise"),
];
const RANKED: Metric = metric("ranked_pages", "Pages of evidence", Count, Neither, "Mean number of ranked pages a question.").optional();
const UNSEEN: Metric = metric("unseen_rate", "Invented addresses", Fraction, Less, "Share of the ranked pages whose address was in nothing that the player found.").optional();
const SEARCHES: Metric = metric("searches", "Searches", Count, Neither, "Mean searches a question.").optional();
const PAGES: Metric = metric("opened_pages", "Opened pages", Count, Neither, "Mean pages a question that were fetched.").optional();
const REPEATED: Metric = metric("repeated_rate", "Repeated steps", Fraction, Less, "Share of the planned steps that had been done before.").optional();
const BAD_PLANS: Metric = metric("bad_plan_rate", "Unusable plans", Fraction, Less, "Share of the plans and rankings that could not be read.").optional();
const BAD_STEPS: Metric = metric("bad_step_rate", "Unusable steps", Fraction, Less, "Share of the planned steps with no such tool or without an argument.").optional();
const FAILED_TOOLS: Metric = metric("failed_tool_rate", "Failed tools", Fraction, Less, "Share of searches and visits of which nothing came, those that an archive lacks left aside.").optional();
const FROZEN_MISSES: Metric = metric("frozen_misses", "Frozen misses", Count, Less, "Searches and pages that the archive does not have, in all episodes.");
const INDEX_SEARCHES: Metric = metric("index_searches", "Searches by the index", Count, Neither, "Searches that the index over an archive's pages answered, because no earlier run had made them, in all episodes.");
const STOPPED: Metric = metric("done_rate", "Stopped by itself", Fraction, Neither, "Share of the questions on which the player said that it knows enough.").optional();
pub const OFFLINE: Metric = metric("offline_accuracy", "Without the web", Fraction, More, "Share of the questions that the player answers rightly without the web.").optional();
const AGREEMENT: Metric = metric("judge_agreement", "Judges agree", Fraction, More, "Share of the judged answers on which both judges said the same, of those that both could be read on.").optional();
const UNRESOLVED: Metric = metric("unresolved", "Unresolved", Count, Less, "Answers on which no two of three judges agreed; they count as wrong.");

const fn of_attribute(key: &'static str, label: &'static str) -> Metric {
    metric(key, label, Fraction, More, "ACC over the questions with this attribute.").optional()
}

const fn answer(key: &'static str, label: &'static str, about: &'static str) -> Metric {
    metric(key, label, Fraction, More, about).optional()
}
