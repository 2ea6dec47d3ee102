//! How much of two texts is the same.

/// The pairs of neighbouring letters of a text in any case, sorted. A single letter is a pair with nothing.
#[derive(Debug)]
pub struct Pairs(Vec<[char; 2]>);

impl Pairs {
    pub fn of(text: &str) -> Self {
        let letters: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
        let mut pairs: Vec<[char; 2]> = match letters.as_slice() {
            [only] => vec![[*only, '\0']],
            letters => letters.windows(2).map(|pair| [pair[0], pair[1]]).collect(),
        };
        pairs.sort_unstable();
        Pairs(pairs)
    }

    /// Dice's coefficient, from 0 to 1; two empty texts are equal.
    pub fn dice(&self, other: &Pairs) -> f64 {
        let all = self.0.len() + other.0.len();
        if all == 0 {
            return 1.0;
        }
        let (mut one, mut two) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut common = 0_usize;
        while let (Some(left), Some(right)) = (one.peek(), two.peek()) {
            match left.cmp(right) {
                std::cmp::Ordering::Less => drop(one.next()),
                std::cmp::Ordering::Greater => drop(two.next()),
                std::cmp::Ordering::Equal => {
                    common += 1;
                    one.next();
                    two.next();
                }
            }
        }
        (2 * common) as f64 / all as f64
    }
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    #[test]
    fn texts_are_compared_by_pairs_of_letters() {
        let dice = |one: &str, other: &str| Pairs::of(one).dice(&Pairs::of(other));
        // ni ig gh ht, na ac ch ht: one of eight.
        assert_eq!(dice("night", "nacht"), 0.25);
        assert_eq!(dice("Sign in", "SIGN IN"), 1.0);
        assert_eq!(dice("", ""), 1.0);
        assert_eq!(dice("", "a"), 0.0);
        assert_eq!(dice("a", "a"), 1.0);
        assert_eq!(dice("a", "b"), 0.0);
        assert_eq!(dice("登录", "登录"), 1.0);
        // Two equal pairs count twice.
        assert_eq!(dice("aaa", "aa"), 2.0 / 3.0);
    }
}
