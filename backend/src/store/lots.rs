//! Rows that are written many at a time. A statement that is sent costs several times what a row in it costs, so many rows share
//! one; and because a database remembers a statement by its text, there are only a few texts: one for every number of rows up to
//! [`LARGEST`].

use super::kind::Kind;

/// Rows of the largest statement. A database remembers a hundred texts for each connection.
const LARGEST: usize = 16;

/// One statement, over each of the numbers of rows.
#[derive(Debug)]
pub struct Lots {
    sqlite: [String; LARGEST],
    postgres: [String; LARGEST],
}

impl Lots {
    /// A statement that has its rows between two texts, separated by commas. `row` is one of them, with `$` for each of its values:
    /// `($, $, 1)`.
    pub fn new(before: &str, row: &str, after: &str) -> Self {
        let over = |rows: usize, place: &dyn Fn(usize) -> String| {
            let mut text = before.to_owned();
            let mut values = 0;
            for number in 0..rows {
                if number > 0 {
                    text.push_str(", ");
                }
                for character in row.chars() {
                    if character == '$' {
                        values += 1;
                        text.push_str(&place(values));
                    } else {
                        text.push(character);
                    }
                }
            }
            text + after
        };
        Lots {
            // SQLite looks for a place by its name among all names, for each value anew; a place without one it knows by its number.
            sqlite: std::array::from_fn(|more| over(more + 1, &|_| "?".to_owned())),
            postgres: std::array::from_fn(|more| over(more + 1, &|number| format!("${number}"))),
        }
    }

    /// Cuts rows into lots in their order, each with the statement for its number of rows.
    pub fn cut<'a, T>(
        &'static self,
        kind: Kind,
        rows: &'a [T],
    ) -> impl Iterator<Item = (&'static str, &'a [T])> {
        let texts = match kind {
            Kind::Sqlite => &self.sqlite,
            Kind::Postgres => &self.postgres,
        };
        rows.chunks(LARGEST).map(|lot| (texts[lot.len() - 1].as_str(), lot))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    static THINGS: LazyLock<Lots> = LazyLock::new(|| {
        Lots::new("INSERT INTO t VALUES ", "($, 1, $)", " ON CONFLICT DO NOTHING")
    });

    #[test]
    fn values_are_numbered_through_all_rows_where_they_have_numbers() {
        for (kind, values) in
            [(Kind::Postgres, "($1, 1, $2), ($3, 1, $4)"), (Kind::Sqlite, "(?, 1, ?), (?, 1, ?)")]
        {
            let [(text, _)] = THINGS.cut(kind, &[1, 2]).collect::<Vec<_>>()[..] else {
                panic!("two rows are one lot");
            };
            let whole = format!("INSERT INTO t VALUES {values} ON CONFLICT DO NOTHING");
            assert_eq!(text, whole);
        }
    }

    #[test]
    fn every_row_is_in_one_lot_in_its_place() {
        for count in 0..100 {
            let rows: Vec<usize> = (0..count).collect();
            let lots: Vec<_> = THINGS.cut(Kind::Postgres, &rows).collect();
            let all: Vec<usize> = lots.iter().flat_map(|(_, lot)| lot.to_vec()).collect();
            assert_eq!(all, rows);
            assert_eq!(lots.len(), count.div_ceil(LARGEST));
            for (text, lot) in lots {
                assert_eq!(text.matches('(').count(), lot.len(), "{text}");
            }
        }
    }
}
