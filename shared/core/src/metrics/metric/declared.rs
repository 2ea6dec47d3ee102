//! Numbers that a table of text declares: one a line, with key, label, unit, what is better, `optional` where a report may leave it
//! out, and what it means, parted by tabs. [`numbers!`](crate::numbers) reads the table when the program is compiled.
//!
//! The first line has the names of the columns. A line `# Title` begins a section of the report, and numbers below a lone `#` are in
//! none. A line that is a key alone shows a number once more, or one that the core declares.

use crate::metrics::metric::{ACCURACY, Better, Metric, Section};
use crate::metrics::report::Unit;

/// The numbers of a benchmark: the sections of its report as `METRICS`, and a constant for each number that code names.
///
/// ```ignore
/// turnwise_core::numbers! { "numbers.tsv": ACCURACY = "accuracy", ROUNDS = "average_rounds" }
/// ```
#[macro_export]
macro_rules! numbers {
    ($file:literal $(: $($NAME:ident = $key:literal),+ $(,)?)?) => {
        const DECLARED: &str = include_str!($file);
        const SHOWN: [$crate::metrics::metric::Metric; $crate::metrics::metric::declared::count(DECLARED)] =
            $crate::metrics::metric::declared::shown(DECLARED);

        /// The sections of a report, the headline first.
        pub const METRICS: &[$crate::metrics::metric::Section; $crate::metrics::metric::declared::titles(DECLARED)] =
            &$crate::metrics::metric::declared::sections(DECLARED, &$crate::metrics::metric::declared::each(&SHOWN));

        $($(pub const $NAME: $crate::metrics::metric::Metric = $crate::metrics::metric::declared::number(DECLARED, $key);)+)?
    };
}

/// The numbers that several benchmarks report.
pub(super) const CORE: &str = include_str!("numbers.tsv");

/// What stands before a sign and behind it; all and nothing without one.
const fn parted(text: &'static str, sign: u8) -> (&'static str, &'static str) {
    let mut at = 0;
    while at < text.len() {
        if text.as_bytes()[at] == sign {
            let (before, rest) = text.split_at(at);
            return (before, rest.split_at(1).1);
        }
        at += 1;
    }
    (text, "")
}

const fn is(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// The value of a name.
const fn named<T: Copy>(name: &str, all: &[(&str, T)]) -> T {
    let mut at = 0;
    while at < all.len() {
        if is(all[at].0, name) {
            return all[at].1;
        }
        at += 1;
    }
    panic!("a number has an unknown unit or direction")
}

const fn read(line: &'static str) -> Metric {
    let (key, rest) = parted(line, b'\t');
    let (label, rest) = parted(rest, b'\t');
    let (unit, rest) = parted(rest, b'\t');
    let (better, rest) = parted(rest, b'\t');
    let (optional, about) = parted(rest, b'\t');
    Metric {
        key,
        label,
        unit: named(
            unit,
            &[
                ("fraction", Unit::Fraction),
                ("count", Unit::Count),
                ("dollars", Unit::Dollars),
                ("tokens", Unit::Tokens),
                ("chips", Unit::Chips),
                ("number", Unit::Number),
                ("points", Unit::Points),
            ],
        ),
        better: named(
            better,
            &[("more", Better::More), ("less", Better::Less), ("neither", Better::Neither)],
        ),
        about,
        optional: is(optional, "optional"),
    }
}

/// The number of a key.
///
/// # Panics
/// If the table declares none: the program is not compiled then.
pub const fn number(table: &'static str, key: &str) -> Metric {
    let mut rest = parted(table, b'\n').1;
    while !rest.is_empty() {
        let (line, after) = parted(rest, b'\n');
        let (known, values) = parted(line, b'\t');
        if is(known, key) && !values.is_empty() {
            return read(line);
        }
        rest = after;
    }
    assert!(!is(table, CORE), "code names a number that no table declares");
    number(CORE, key)
}

/// The next line of a section and what follows it: a title, or a number.
const fn next(rest: &'static str) -> (&'static str, &'static str) {
    let (line, after) = parted(rest, b'\n');
    match line.as_bytes() {
        [] if !after.is_empty() => next(after),
        // Below it nothing is shown.
        [b'#'] => ("", ""),
        _ => (line, after),
    }
}

const fn title(line: &'static str) -> Option<&'static str> {
    match line.as_bytes() {
        [b'#', ..] => Some(line.split_at(2).1),
        _ => None,
    }
}

/// How many numbers are in sections, and how many sections there are.
const fn counts(table: &'static str) -> (usize, usize) {
    let (mut numbers, mut titles) = (0, 0);
    let (mut line, mut rest) = next(parted(table, b'\n').1);
    while !line.is_empty() {
        match title(line) {
            Some(_) => titles += 1,
            None => numbers += 1,
        }
        (line, rest) = next(rest);
    }
    (numbers, titles)
}

pub const fn count(table: &'static str) -> usize {
    counts(table).0
}

pub const fn titles(table: &'static str) -> usize {
    counts(table).1
}

/// The numbers of all sections, in their order.
pub const fn shown<const N: usize>(table: &'static str) -> [Metric; N] {
    let mut all = [ACCURACY; N];
    let mut at = 0;
    let (mut line, mut rest) = next(parted(table, b'\n').1);
    while !line.is_empty() {
        if title(line).is_none() {
            all[at] = number(table, parted(line, b'\t').0);
            at += 1;
        }
        (line, rest) = next(rest);
    }
    all
}

pub const fn each<const N: usize>(all: &'static [Metric; N]) -> [&'static Metric; N] {
    let mut each = [&ACCURACY; N];
    let mut at = 0;
    while at < N {
        each[at] = &all[at];
        at += 1;
    }
    each
}

/// The sections of a table, given the numbers of all of them.
pub const fn sections<const N: usize>(
    table: &'static str,
    mut all: &'static [&'static Metric],
) -> [Section; N] {
    let mut sections = [Section { title: "", metrics: &[] }; N];
    let mut begun = 0;
    let (mut line, mut rest) = next(parted(table, b'\n').1);
    while !line.is_empty() {
        if let Some(title) = title(line) {
            let (mut follows, mut after) = next(rest);
            let mut size = 0;
            while !follows.is_empty() && self::title(follows).is_none() {
                size += 1;
                (follows, after) = next(after);
            }
            let (metrics, others) = all.split_at(size);
            sections[begun] = Section { title, metrics };
            (all, begun) = (others, begun + 1);
        }
        (line, rest) = next(rest);
    }
    sections
}
