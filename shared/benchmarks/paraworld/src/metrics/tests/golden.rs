use super::super::bins::{by_calls, by_quantile, by_width, correlation, samples};
use super::super::errors::{Errors, analyse, recovery};
use super::super::table::Table;
use super::rivals::{AboveZero, Calculated, category_precision};
use super::*;
use turnwise_core::spec::Profile::Reference;

#[test]
fn g1_per_instance() {
    let s = s();
    let counts: Vec<(u32, u32)> =
        s.iter().map(|one| (one.tool_calls(Reference), one.hits(Reference))).collect();
    assert_eq!(counts, [(4, 3), (0, 0), (3, 2), (3, 3), (5, 5), (1, 1), (3, 3), (2, 1)]);
    near(
        s.iter().map(|one| one.fcr(Reference)),
        &[0.5, 0.0, 0.333333, 0.3, 0.454545, 0.083333, 1.5, 0.25],
    );
    assert_eq!(s[1].hit_rate(Reference), None);
    near(
        s.iter().filter_map(|one| one.hit_rate(Reference)),
        &[0.75, 0.666667, 1.0, 1.0, 1.0, 1.0, 0.5],
    );
}

#[test]
fn g2_tiers() {
    let table = Table::of(&s(), Reference);
    let wanted = [
        (Tier::Easy, 3, [2.0 / 3.0, 0.666667, 0.763763, 0.875, 2.333333]),
        (Tier::Mid, 3, [1.0 / 3.0, 0.294444, 0.041944, 0.722222, 2.666667]),
        (Tier::Hard, 2, [0.5, 0.268939, 0.262487, 1.0, 3.0]),
    ];
    for (tier, n, numbers) in wanted {
        let row = &table.by_tier[&tier];
        assert_eq!(row.n, n);
        let rate = row.hit_rate_macro_callers.unwrap();
        near([row.pass_at_1.unwrap(), row.fcr, row.fcr_sd, rate, row.tool_calls], &numbers);
    }
}

#[test]
fn g3_overall() {
    let table = Table::of(&s(), Reference);
    let overall = table.overall_published.unwrap();
    near(
        [overall.pass_at_1, overall.fcr, overall.hit_rate, overall.tool_calls],
        &[0.5, 0.427652, 0.848958, 2.625],
    );
    let all = table.all;
    near(
        [all.hit_rate_macro_callers.unwrap(), all.hit_rate_macro_zero, all.hit_rate_micro.unwrap()],
        &[0.845238, 0.739583, 0.857143],
    );
    near(
        [all.zero_calls, all.format_error_rate, all.compound_rate],
        // One wrong format in 18 messages with calls.
        &[0.125, 0.055556, 0.05],
    );
}

#[test]
fn g4_calculate_metrics() {
    let each: Vec<Calculated> = s().iter().map(Calculated::of).collect();
    near(each.iter().map(|one| one.fcr), &[0.5, 0.0, 0.333333, 0.2, 0.454545, 0.083333, 1.0, 0.25]);
    near(each.iter().map(|one| one.precision), &[0.75, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5]);
    near(
        [
            mean(each.iter().map(|one| one.fcr)).unwrap(),
            mean(each.iter().map(|one| one.precision)).unwrap(),
        ],
        &[0.352652, 0.78125],
    );
    let sum = |count: fn(&Calculated) -> u32| -> u32 { each.iter().map(count).sum() };
    assert_eq!(
        [
            sum(|one| one.calls),
            sum(|one| one.valid),
            sum(|one| one.format_errors),
            sum(|one| one.hits)
        ],
        [21, 20, 1, 18]
    );
    // As exported, where the script finds no facts.
    let exported: Vec<Calculated> = s().iter().map(Calculated::of_exported).collect();
    assert!(exported.iter().all(|one| (one.facts, one.fcr) == (1, 0.0)));
    let category = |members: &[usize]| {
        let members: Vec<Calculated> = members.iter().map(|at| each[*at]).collect();
        category_precision(&members).unwrap()
    };
    near(
        [category(&[0, 1, 6]), category(&[2, 3, 7]), category(&[4, 5])],
        &[0.857143, 0.857143, 1.0],
    );
}

#[test]
fn g5_metrics_calculator() {
    let all = AboveZero::of(&s());
    let numbers = [all.fcr, all.hit_rate, all.hit_rate_micro, all.success];
    near(numbers.into_iter().flatten(), &[0.403030, 0.892857, 0.9, 0.75]);
    near([all.turns], &[0.0]);
}

#[track_caller]
fn bins(found: &[super::super::bins::Bin], wanted: &[(f64, f64, u32)]) {
    near(
        found.iter().flat_map(|bin| [bin.fcr, bin.pass]),
        &wanted.iter().flat_map(|(fcr, pass, _)| [*fcr, *pass]).collect::<Vec<_>>(),
    );
    assert!(found.iter().map(|bin| bin.n).eq(wanted.iter().map(|(_, _, n)| *n)), "{found:?}");
}

#[test]
fn g10_bins() {
    let samples = samples(&s(), Reference);
    assert_eq!(samples.len(), 7);
    bins(&by_quantile(&samples, 3), &[(0.111111, 0.0, 3), (0.316667, 0.5, 2), (0.477273, 1.0, 2)]);
    bins(
        &by_width(&samples, 0.1),
        &[
            (0.041667, 0.0, 2),
            (0.275, 0.0, 2),
            (0.333333, 1.0, 1),
            (0.454545, 1.0, 1),
            (0.5, 1.0, 1),
        ],
    );
}

#[test]
fn g11_skewed_quantiles() {
    let fcr = [0.0, 0.0, 0.0, 0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0];
    let samples =
        fcr.map(|fcr| super::super::bins::Sample { fcr, pass: f64::from(u8::from(fcr >= 0.5)) });
    bins(
        &by_quantile(&samples, 5),
        &[(0.0, 0.0, 4), (0.15, 0.0, 2), (0.4, 0.5, 2), (0.85, 1.0, 2)],
    );
    // Three samples with five bins: a fixed width of 0.2.
    bins(&by_quantile(&samples[3..6], 5), &[(0.05, 0.0, 2), (0.2, 0.0, 1)]);
    assert!(by_quantile(&[], 5).is_empty() && by_width(&samples, 0.0).is_empty());
}

#[test]
fn g12_groupings() {
    let s = s();
    let groups = by_calls(&s, Reference);
    let names: Vec<(&str, u32)> = groups.iter().map(|group| (group.name, group.n)).collect();
    assert_eq!(names, [("0", 1), ("1-2", 2), ("3-5", 5)]);
    near(groups.iter().map(|group| group.pass), &[0.0, 0.0, 0.8]);
    near(
        [groups[1].fcr, groups[2].fcr, groups[2].hit_rate.unwrap(), groups[2].redundancy.unwrap()],
        &[0.166667, 0.617576, 0.883333, 1.3],
    );
    assert_eq!((groups[0].hit_rate, groups[0].redundancy), (None, None));
    // Over all eight, S6 with its coverage of 1.5 included.
    let all = s.iter().map(|one| super::super::bins::Sample {
        fcr: one.fcr(Reference),
        pass: f64::from(u8::from(one.is_correct())),
    });
    near(correlation(&all.collect::<Vec<_>>()), &[0.619065]);
    assert_eq!(correlation(&[]), None);
}

#[test]
fn g13_error_analysis() {
    let response = "<tool_response>Error: Invalid tool call format</tool_response>";
    let first = analyse([
        ("assistant", "<tool_call>{}</tool_call><tool_call>{}</tool_call>"),
        ("user", response),
        ("assistant", "<tool_call>{}</tool_call>"),
        ("user", "<tool_response>{}</tool_response>"),
        ("assistant", "<answer>open"),
    ]);
    let wanted = Errors {
        tool_calls: 2,
        valid_calls: 1,
        format_errors: 1,
        success: true,
        ..Errors::default()
    };
    assert_eq!(first, wanted);
    let second = analyse([
        ("assistant", "<tool_call>{}</tool_call>"),
        ("user", "Internal Service Error: API Error"),
        ("assistant", "it was an API Error"),
    ]);
    assert_eq!((second.engine_call_errors, second.valid_calls, second.success), (2, 0, false));
    assert_eq!(recovery(&[first, second]), Some(1.0));
    assert_eq!(recovery(&[second]), None);
}
