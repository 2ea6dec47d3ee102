//! What the pages for the phrasings tell.

use turnwise_paraworld::engine::{Class, Engine, Page, leaks};

use super::sets::Set;

/// Text without what the specification's `norm` drops, as far as our values need it.
fn plain(text: &str) -> String {
    let characters: Vec<char> = text.to_lowercase().chars().collect();
    let digit = |place: Option<usize>| {
        place.and_then(|place| characters.get(place)).is_some_and(char::is_ascii_digit)
    };
    let kept = characters.iter().enumerate().filter(|(place, character)| {
        let between = digit(place.checked_sub(1)) && digit(Some(place + 1));
        !(matches!(character, '"' | '“' | '”') || **character == ',' && between)
    });
    kept.map(|(_, character)| *character).collect()
}

/// The sentences of a text.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let split = text.split(['。', '！', '？', '\n', '!', '?', '；', ';']);
    split.flat_map(|part| part.split(". "))
}

/// The whole numbers in a text, commas dropped.
fn numbers(text: &str) -> Vec<String> {
    let text = plain(text);
    let parts = text.split(|character: char| !character.is_ascii_digit());
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// A second opinion on leaks, without the engine's own: the value's text, or its number in a sentence that names the entity.
fn tells(page: &Page, value: &str, entity: &str, known: &[&str]) -> bool {
    let (value, entity) = (plain(value), plain(entity));
    if known.iter().any(|known| plain(known).contains(&value)) {
        return false;
    }
    let known_numbers: Vec<String> = known.iter().flat_map(|known| numbers(known)).collect();
    let of_value = numbers(&value);
    page.search_result.iter().any(|result| {
        let text = format!("{}\n{}", result.title, result.content);
        plain(&text).contains(&value)
            || sentences(&text).any(|sentence| {
                let here = numbers(sentence);
                plain(sentence).contains(&entity)
                    && of_value.first().is_some_and(|number| {
                        here.contains(number) && !known_numbers.contains(number)
                    })
            })
    })
}

#[test]
fn pages_tell_the_fact_that_was_hit_and_nothing_else() {
    for set in Set::all() {
        let wrong = troubles(&set);
        for line in &wrong {
            println!("{line}");
        }
        let pages = set.phrasings.len();
        println!("{}: {pages} pages, {} troubles", set.name, wrong.len());
        assert!(wrong.is_empty());
    }
}

fn troubles(set: &Set) -> Vec<String> {
    let worlds = &set.worlds;
    let engines: Vec<Engine<'_>> = worlds.iter().map(Engine::new).collect();
    let mut wrong = Vec::new();
    for phrasing in &set.phrasings {
        let place = set.place(phrasing);
        let (world, engine) = (&worlds[place], &engines[place]);
        let (judgement, page) = (engine.judge(&phrasing.query), engine.page(&phrasing.query));
        let mut trouble = |what: String| wrong.push(format!("{:?}: {what}", phrasing.query));
        let key = judgement.fact.map(|fact| world.facts[fact].key.clone());
        if page.class != judgement.class
            || page.hit != (judgement.class == Class::Hit)
            || page.matched_fact_keys != Vec::from_iter(key)
            || (page.is_compound_query && page.hit)
        {
            trouble("page and judgement differ".to_owned());
        }
        if page.search_result.len() != 4 {
            trouble(format!("{} results", page.search_result.len()));
        }
        let texts =
            || page.search_result.iter().flat_map(|result| [&result.title, &result.content]);
        let mut known = vec![world.question(), world.engine_question(), &phrasing.query];
        known.extend(world.facts.iter().map(|fact| fact.key.as_str()));
        let told = judgement.fact.map(|fact| world.facts[fact].value.as_str());
        if let Some(told) = told {
            let told = plain(told);
            if !page.search_result.iter().any(|result| plain(&result.content).contains(&told)) {
                trouble("I6: the value is not told".to_owned());
            }
        }
        // What a hit may tell is no leak, wherever else it stands.
        let known: Vec<&str> = known.into_iter().chain(told).collect();
        let notes = world.extra.as_ref();
        for (place, fact) in world.facts.iter().enumerate() {
            if judgement.fact == Some(place) {
                continue;
            }
            let entity = notes
                .and_then(|extra| extra.fact(&fact.key)?.entity.as_deref())
                .expect("samples say what their facts are about");
            if texts().any(|text| leaks(text, &fact.value, known.iter().copied())) {
                trouble(format!("I7/I8: leaks fact {place}"));
            } else if tells(&page, &fact.value, entity, &known) {
                trouble(format!("I7/I8, second opinion: tells fact {place}"));
            }
        }
        let answers = [Some(world.answer.as_str()), world.final_answer.as_deref()];
        for answer in answers.into_iter().flatten() {
            let told = texts().any(|text| plain(text).contains(&plain(answer)));
            if told || texts().any(|text| leaks(text, answer, known.iter().copied())) {
                trouble("I7/I8: leaks the answer".to_owned());
            }
        }
    }
    wrong
}
