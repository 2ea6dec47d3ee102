//! A person at a table that the page drives.

use crate::*;

#[test]
fn a_person_bets_at_a_table_that_the_page_drives() {
    on_trial(async |trial| {
        let (tab, run) = trial.run("/new?benchmark=poker&participants=2&tables=1&hands=1&seat.1=person&seat.2=bot:calling-station").await;
        tab.wait_for_text("Your turn in seat 1").await;
        assert_eq!(tab.count("#person-asked .felt").await, 1);
        pictures(&tab, "person-table").await;
        // Whatever amount is chosen is what is said; all-in is asked for twice.
        tab.press("a").await;
        tab.click(".bet-sure .btn-primary").await;
        let info = trial.closed(&run).await;
        assert_eq!(info.state, RunState::Closed);
        assert_eq!(info.finished, info.episodes);
        let heads = trial.episodes(&run).await;
        let key: &EpisodeKey = &heads[0].episode;
        let play = trial.played(&run, &key.its_play()).await;
        let seat = play.header.spec.seats.keys().next().expect("a seat");
        assert_eq!(play.header.spec.seats[seat].player, Player::Person);
        let said: Vec<String> = play
            .events
            .iter()
            .flatten()
            .filter_map(|event| match event {
                Event::Told { reply: Reply::Said(said), .. } => said.text.clone(),
                _ => None,
            })
            .collect();
        assert!(said.iter().any(|text| text.contains("ALL_IN")), "{said:?}");
        tab.assert_clean();
    });
}
