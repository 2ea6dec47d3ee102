//! Several people at one table: everyone sees who the others are, who is away and who has left, and how it goes on then.

use turnwise_shared::wire::live::{LiveEnding, SeatSays, Sitter};

use crate::common::table::{NONCE, spec};
use crate::common::*;

const NAMES: [(&str, &str); 2] = [("1", "Ann"), ("2", "Bob")];

async fn listening() -> Listening {
    Listening::at(NOWHERE, "").await
}

/// A match of two people without a clock.
async fn open(service: &Service) -> LiveOpened {
    let seats = [("1", "person"), ("2", "person")];
    let settings = json!({ "delta": 0.8, "cap": 35, "repeats": 1, "swap": false });
    table_of(service, &spec(example(MATCH), &seats, settings), (0, 0)).await
}

/// A table with these seconds for a decision, and in the bank.
async fn table_of(service: &Service, spec: &Spec, (decision, bank): (u32, u32)) -> LiveOpened {
    let wanted: Value = wanted(spec, "rated", decision, bank);
    service.post("/api/live", None, &wanted).await.json()
}

async fn come(listening: &Listening, opened: &LiveOpened, seat: &str) -> Seated {
    let (run, ticket) = (opened.run.to_string(), &opened.tickets[&seat.into()]);
    Seated::connect(listening.addr, &run, ticket).await
}

async fn sit(seated: &mut Seated, name: &str) {
    seated.say(SeatSays::Sit { name: name.into(), nonce: NONCE.into(), agrees_to: None }).await;
}

/// What the viewer sees of the second seat.
fn bob(view: &SeatView) -> &Sitter {
    &view.table.people[&"2".into()]
}

#[tokio::test]
async fn whoever_is_away_or_has_left_is_told_to_the_others() {
    let listening = listening().await;
    let opened = open(&listening.service).await;
    let mut ann = come(&listening, &opened, "1").await;
    let mut other = come(&listening, &opened, "2").await;
    for (seated, (_, name)) in [&mut ann, &mut other].into_iter().zip(NAMES) {
        sit(seated, name).await;
    }
    let both = ann.until(|view| view.ask.is_some()).await;
    for (seat, name) in NAMES {
        let sitter = &both.table.people[&seat.into()];
        assert_eq!(sitter.name.as_deref(), Some(name));
        assert!(sitter.connected && !sitter.left, "{sitter:?}");
    }

    other.go().await;
    let alone = ann.until(|view| !bob(view).connected).await;
    assert!(!bob(&alone).left, "whoever closes the page may come back");
    let mut other = come(&listening, &opened, "2").await;
    ann.until(|view| bob(view).connected).await;

    other.say(SeatSays::Leave).await;
    let mut view = ann.until(|view| bob(view).left).await;
    assert_eq!(bob(&view).name.as_deref(), Some("Bob"));
    let leaver = other.until(|view| bob(view).left).await;
    assert_eq!(leaver.ask, None, "whoever has left is asked nothing");

    // The match goes on by its rule for those who do not reply.
    while view.table.stage != LiveStage::Over {
        if let Some(ask) = &view.ask {
            let Expect::Choice(words) = &ask.expect else {
                panic!("a choice is expected: {ask:?}");
            };
            ann.reply(ask.turn, &words[0]).await;
        }
        view = ann.view().await;
    }
    let (_, table, plays) = checked(&listening.service, &opened, example(MATCH)).await;
    assert_eq!(table.end.map(|end| end.ending), Some(LiveEnding::Played));
    assert!(table.people[&"2".into()].left);
    let outcome = plays[0].1.outcome().expect("it came to an end");
    assert_eq!(outcome.ending, "flagged", "{outcome:?}");
}

#[tokio::test]
async fn whoever_waits_sees_how_long_the_other_may_take() {
    let listening = listening().await;
    let seats = [("1", "person"), ("2", "person")];
    let settings = json!({ "delta": 1, "cap": 4, "repeats": 1, "swap": false });
    let spec = spec(example(MATCH), &seats, settings);
    let opened = table_of(&listening.service, &spec, (60, 30)).await;
    let mut ann = come(&listening, &opened, "1").await;
    let mut other = come(&listening, &opened, "2").await;
    for (seated, (_, name)) in [&mut ann, &mut other].into_iter().zip(NAMES) {
        sit(seated, name).await;
    }
    // Both are asked: neither waits, and neither sees whether the other has moved.
    let both = ann.until(|view| view.ask.is_some()).await;
    assert_eq!(both.awaited, None);
    let bobs = other.until(|view| view.ask.is_some()).await;
    ann.reply(both.ask.expect("she is asked").turn, "COOPERATE").await;
    let waits = ann.until(|view| view.ask.is_none()).await;
    let clock = waits.awaited.expect("the other's clock runs");
    assert_eq!((clock.decision_ms, clock.bank_ms), (60_000, 30_000));
    assert!((30_000..=90_000).contains(&clock.deadline_in_ms), "{clock:?}");
    other.reply(bobs.ask.expect("he is asked").turn, "DEFECT").await;
    let next = ann.until(|view| view.ask.is_some()).await;
    assert_eq!(next.awaited, None);
    let next = other.until(|view| view.version > bobs.version && view.ask.is_some()).await;
    assert_eq!(next.version, bobs.version + 1, "her move alone woke nobody");
    assert!(!other.received.contains("awaited"), "{}", other.received);
}

#[tokio::test]
async fn nobody_is_shown_a_clock_that_would_tell_who_the_other_is() {
    let listening = listening().await;
    let seats = [("1", "person"), ("2", "person"), ("3", "person")];
    let settings =
        json!({ "delta": 0.5, "cap": 35, "lengths": "reference", "repeats": 1, "swap": false });
    let spec = spec(example(MATCH), &seats, settings);
    let opened = table_of(&listening.service, &spec, (60, 30)).await;
    let mut all = ["1", "2", "3"].map(|seat| Script::new(&listening.service, &opened, seat));
    for script in &mut all {
        script.sit().await;
    }
    let mut is_over = false;
    while !is_over {
        for script in &mut all {
            let view = script.look().await;
            is_over |= view.table.stage == LiveStage::Over;
            if let Some(ask) = view.ask {
                script.reply(ask.turn, "COOPERATE").await;
            }
        }
    }
    for script in &all {
        assert!(!script.received.contains("awaited"), "{}", script.received);
    }
}

#[tokio::test]
async fn at_a_card_table_everybody_sees_the_clock_of_whose_turn_it_is() {
    let listening = listening().await;
    let seats = [("1", "person"), ("2", "person"), ("3", "bot:calling-station")];
    let settings = json!({ "tables": 1, "hands": 1 });
    let spec = spec(example(GAME), &seats, settings);
    let opened = table_of(&listening.service, &spec, (60, 30)).await;
    let mut both = ["1", "2"].map(|seat| Script::new(&listening.service, &opened, seat));
    for script in &mut both {
        script.sit().await;
    }
    let mut clocks = 0;
    loop {
        let [one, two] = &mut both;
        let views = [one.look().await, two.look().await];
        if views[0].table.stage == LiveStage::Over {
            break;
        }
        for (view, other) in [(&views[0], &views[1]), (&views[1], &views[0])] {
            assert_eq!(view.awaited.is_some(), other.ask.is_some(), "{view:?}");
            clocks += u32::from(view.awaited.is_some());
        }
        for (script, view) in both.iter_mut().zip(&views) {
            if let Some(ask) = &view.ask {
                let Expect::Move(moves) = &ask.expect else {
                    panic!("a move is expected: {ask:?}");
                };
                let amount = moves[0].amount.map_or(0, |(least, _)| least);
                let text = json!({ "action": moves[0].name, "amount": amount }).to_string();
                script.reply(ask.turn, &text).await;
            }
        }
    }
    assert!(clocks > 0, "somebody waited");
}

#[tokio::test]
async fn whoever_gets_up_before_it_begins_leaves_the_seat_free() {
    let listening = listening().await;
    let opened = open(&listening.service).await;
    let mut ann = come(&listening, &opened, "1").await;
    let name = |view: &SeatView| view.table.people[&"1".into()].name.clone();
    sit(&mut ann, "Ann").await;
    ann.until(|view| name(view).is_some()).await;
    ann.say(SeatSays::Leave).await;
    let up = ann.until(|view| name(view).is_none()).await;
    assert_eq!(up.table.stage, LiveStage::Lobby);
    assert!(!up.table.people[&"1".into()].left);
    // Another person may take it, with a nonce of their own.
    ann.say(SeatSays::Sit {
        name: "Cid".into(),
        nonce: format!("{NONCE}, another"),
        agrees_to: None,
    })
    .await;
    let down = ann.until(|view| name(view).is_some()).await;
    assert_eq!(name(&down).as_deref(), Some("Cid"));
}

#[tokio::test]
async fn what_a_bot_does_not_understand_costs_no_turn() {
    let listening = listening().await;
    let bots = BENCHMARKS.iter().filter_map(|benchmark| {
        let bots = benchmark.people()?.understands;
        Some(bots.iter().map(move |bot| (*benchmark, bot)))
    });
    let bots: Vec<_> = bots.flatten().collect();
    assert!(!bots.is_empty(), "there are such bots");
    for (benchmark, bot) in bots {
        let samples = benchmark.samples();
        let mut spec = Spec {
            tasks: Named { name: samples.name, digest: samples.digest },
            seed: 0,
            ..default_spec(benchmark)
        };
        for (seat, player) in
            [(bot.from, Player::Person), (bot.seat, Player::Bot(bot.bot.to_owned()))]
        {
            spec.seats.get_mut(&seat.into()).expect("a seat").player = player;
        }
        let opened = table_of(&listening.service, &spec, (0, 0)).await;
        let mut script = Script::new(&listening.service, &opened, bot.from);
        script.sit().await;
        let mut view = script.look().await;
        while view.ask.is_none() {
            view = script.next().await;
        }
        let ask = view.ask.expect("something is asked");
        assert_eq!(ask.understood.as_deref(), Some(bot.about));
        let written = |text: &str| match benchmark.expects_of_person(
            &bot.from.into(),
            &ask.expect,
            &view.scene,
        ) {
            Expect::Actions(forms) => forms[0].text(&[text.to_owned()]),
            _ => format!("QUESTION: {text}"),
        };
        let nonsense =
            json!({ "kind": "reply", "turn": ask.turn, "text": written("Is it pretty?") });
        let refused = script.try_say(&nonsense).await;
        assert_eq!(refused.status.as_u16(), 422, "{}", refused.text);
        assert!(refused.text.contains("no turn is used"), "{}", refused.text);
        let after = script.look().await;
        assert_eq!(after.scene, view.scene, "nothing has happened");
        assert_eq!(after.ask.map(|ask| ask.turn), Some(ask.turn));

        let questions = [
            "Is it greater than 1/2?",
            "Compared with the target, should I move everything 80 px right?",
        ];
        let question = questions.map(written).into_iter().find(|text| (bot.reads)(text));
        let question = question.expect("it understands one of them");
        let mut after = script.reply(ask.turn, &question).await;
        while after.ask.is_none() {
            after = script.next().await;
        }
        assert_eq!(after.scene.gauges[0].left + 1, view.scene.gauges[0].left);
    }
}
