//! Rows that are written many at a time. A statement that is sent costs several times what a row in it costs, so many rows share
//! one; and because a database remembers a statement by its text, there are only a few texts: for 1, 2, 4, … rows.

/// Rows of the largest statement, as a power of two: binding a value costs the more, the more values a statement has.
const LARGEST: usize = 4;

/// One statement, over each of the numbers of rows.
#[derive(Debug)]
pub struct Lots {
    /// The first is over one row, each other one over twice as many as the one before.
    texts: [String; LARGEST + 1],
}

impl Lots {
    /// A statement that has its rows between two texts, separated by commas. `row` is one of them, with `$` for each of its values:
    /// `($, $, 1)`.
    pub fn new(before: &str, row: &str, after: &str) -> Self {
        let over = |rows: usize| {
            let mut text = before.to_owned();
            let mut values = 0;
            for number in 0..rows {
                if number > 0 {
                    text.push_str(", ");
                }
                for sign in row.chars() {
                    text.push(sign);
                    if sign == '$' {
                        values += 1;
                        text.push_str(&values.to_string());
                    }
                }
            }
            text + after
        };
        Lots {
            texts: std::array::from_fn(|power| over(1 << power)),
        }
    }

    /// Cuts rows into lots in their order, each with the statement over so many.
    pub fn cut<'a, T>(
        &'static self,
        rows: &'a [T],
    ) -> impl Iterator<Item = (&'static str, &'a [T])> {
        let mut left = rows;
        std::iter::from_fn(move || {
            let power = left.len().checked_ilog2()?;
            let power = LARGEST.min(power as usize);
            let (lot, others) = left.split_at(1 << power);
            left = others;
            Some((self.texts[power].as_str(), lot))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    static THINGS: LazyLock<Lots> = LazyLock::new(|| {
        Lots::new(
            "INSERT INTO t VALUES ",
            "($, 1, $)",
            " ON CONFLICT DO NOTHING",
        )
    });

    #[test]
    fn values_are_numbered_through_all_rows() {
        let [(text, _)] = THINGS.cut(&[1, 2]).collect::<Vec<_>>()[..] else {
            panic!("two rows are one lot");
        };
        assert_eq!(
            text,
            "INSERT INTO t VALUES ($1, 1, $2), ($3, 1, $4) ON CONFLICT DO NOTHING"
        );
    }

    #[test]
    fn every_row_is_in_one_lot_in_its_place() {
        for count in 0..200 {
            let rows: Vec<usize> = (0..count).collect();
            let lots: Vec<_> = THINGS.cut(&rows).collect();
            let all: Vec<usize> = lots.iter().flat_map(|(_, lot)| lot.to_vec()).collect();
            assert_eq!(all, rows);
            for (text, lot) in lots {
                assert_eq!(text.matches('(').count(), lot.len(), "{text}");
            }
        }
    }
}
