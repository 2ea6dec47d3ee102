//! What was done, line by line; new lines are announced to screen readers.

use crate::components::felt::card_view;
use crate::prelude::*;
use crate::strings::{game as words, play};
use crate::view::felt::{card_name, face};

/// The action log of a hand.
#[component]
pub fn ActionLog(
    /// Which hand; another one begins a new list.
    #[prop(into)]
    hand: Signal<u32>,
    /// The lines, oldest first.
    #[prop(into)]
    lines: Signal<Vec<String>>,
) -> impl IntoView {
    // A line that was there before is the same element: only what is new is read aloud.
    let numbered = move || {
        let hand = hand.get();
        lines
            .get()
            .into_iter()
            .enumerate()
            .map(|(at, line)| (hand, at, line))
            .rev()
            .collect::<Vec<_>>()
    };
    view! {
        <section class="plog" aria-label=words::LOG>
            <h2 class="plog-head">{words::LOG}</h2>
            <div class="plog-scroll" role="log" aria-live="polite" tabindex="0" aria-label=words::LOG>
                <ol class="plog-lines" reversed>
                    <For each=numbered key=|(hand, at, line)| (*hand, *at, line.clone()) let((_, _, line))>
                        {line_view(&line)}
                    </For>
                </ol>
            </div>
        </section>
    }
}

/// A line; one that opens a street shows its cards.
pub fn line_view(line: &str) -> AnyView {
    match street(line) {
        Some((name, cards)) => {
            let spoken: Vec<String> = cards.iter().map(|card| card_name(card)).collect();
            let drawn: Vec<_> = cards.iter().map(|card| card_view(Some(card))).collect();
            any_view! {
                <li class="is-street">
                    <b>{name}</b>
                    <span class="sr">{spoken.join(", ")}</span>
                    {drawn}
                </li>
            }
        }
        None => any_view! { <li>{line.to_owned()}</li> },
    }
}

/// A line with the names of those who sit at the places that it names, as far as they are known; `who` in the order of the places.
pub fn named(line: &str, table: &CardTable, who: &[String]) -> String {
    let name = |word: &str| {
        let place: u32 = word.strip_prefix('P')?.parse().ok()?;
        let at = table.places.iter().position(|one| one.place == place)?;
        who.get(at).filter(|who| !who.is_empty()).cloned()
    };
    let words = line.split(' ').enumerate();
    let mut words: Vec<String> = words
        .map(|(at, word)| match name(word) {
            Some(name) if name == play::YOU && at > 0 => play::YOU_THERE.to_owned(),
            name => name.unwrap_or_else(|| word.to_owned()),
        })
        .collect();
    // Lines are written of others: "P1 wins 300".
    if let [who, verb, ..] = words.as_mut_slice()
        && who == play::YOU
        && verb.ends_with('s')
    {
        verb.pop();
    }
    words.join(" ")
}

/// A street and all open cards, e.g. `TURN: 7D KS AS 10H`; `None` for what a player did.
fn street(line: &str) -> Option<(String, Vec<String>)> {
    let (name, cards) = line.split_once(": ")?;
    let cards = cards
        .split(' ')
        .map(|card| {
            let card = card.replacen("10", "T", 1);
            let (rank, suit) = card.split_at_checked(1)?;
            let short = format!("{rank}{}", suit.to_ascii_lowercase());
            face(&short).map(|_| short)
        })
        .collect::<Option<Vec<_>>>()?;
    let mut signs = name.chars();
    let first = signs.next()?;
    let rest = signs.as_str().to_lowercase();
    Some((format!("{first}{rest}"), cards))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streets_are_told_from_actions() {
        let cards = |all: [&str; 4]| all.map(str::to_owned).to_vec();
        assert_eq!(
            street("TURN: 7D KS AS 10H"),
            Some(("Turn".to_owned(), cards(["7d", "Ks", "As", "Th"])))
        );
        assert_eq!(street("P3 raises to 300"), None);
        assert_eq!(street("P3: well"), None);
    }

    #[test]
    fn lines_name_people() {
        let table = crate::view::testing::table(2);
        let who = ["Ann".to_owned(), String::new()];
        assert_eq!(named("P1 raises to 300", &table, &who), "Ann raises to 300");
        assert_eq!(named("300 returned to P1", &table, &who), "300 returned to Ann");
        assert_eq!(named("P2 folds", &table, &who), "P2 folds");
        assert_eq!(named("P9 folds", &table, &who), "P9 folds");
    }

    #[test]
    fn lines_speak_to_the_person() {
        let table = crate::view::testing::table(2);
        let who = [play::YOU.to_owned(), "bot:tight".to_owned()];
        for (line, said) in [
            ("P1 wins 300", "You win 300"),
            ("P1 raises to 300, all-in", "You raise to 300, all-in"),
            ("P1 posts 50", "You post 50"),
            ("P1 checks", "You check"),
            ("P1 folds (by rule)", "You fold (by rule)"),
            ("300 returned to P1", "300 returned to you"),
            ("P2 wins 300", "bot:tight wins 300"),
        ] {
            assert_eq!(named(line, &table, &who), said);
        }
    }
}
