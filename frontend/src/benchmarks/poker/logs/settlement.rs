//! What was paid wrongly: the idea on a made-up hand, the figures, and the hands of the files, each drawn when it is chosen.

use leptos::prelude::*;
use turnwise_shared::benchmarks::poker::imported::Amount;
use turnwise_shared::benchmarks::poker::imported::stats_log::{Evidence, MisSettled, Overview};

use super::pots::{Pot, Put};
use super::tables::{chips, signed_chips};
use super::words as strings;
use crate::view::number::count;

/// The made-up hand of the explanation: what the winner had, and what the two others put in.
const MADE_UP: [i64; 3] = [4_000, 9_000, 10_000];

/// The name of the drawn hand in the page.
const DRAWN: &str = "drawn-hand";

/// What mis-settlement is, on a made-up hand.
pub fn made_up() -> AnyView {
    let [winner, first, second] = strings::MADE_UP_NAMES;
    let [stack, one, other] = MADE_UP.map(Amount::chips);
    let pot = Pot::new(winner, stack, &[(first, one), (second, other)]);
    view! {
        <div class="card">
            <div class="card-head">
                <h3>{strings::MADE_UP}</h3>
            </div>
            {picture(&pot)}
        </div>
    }
    .into_any()
}

/// The section.
#[component]
pub fn Settlement(
    /// What the logs say.
    overview: Signal<Overview>,
) -> impl IntoView {
    let chosen: RwSignal<Option<usize>> = RwSignal::new(None);
    let wrong = move || overview.with(|overview| overview.missettled.clone());
    view! {
        <section class="section stack" id="settlement">
            <div class="section-head">
                <h2>{strings::SETTLEMENT}</h2>
            </div>
            <p class="read">{strings::MEANING_TEXT}</p>
            {move || figures(&wrong())}
            <div class="grid-2 logs-pair">
                {made_up()}
                {move || {
                    let wrong = wrong();
                    let hand = shown(&wrong, chosen.get()).and_then(|at| wrong.evidence.get(at))?;
                    Some(drawn(hand))
                }}
            </div>
            <details class="more">
                <summary>{strings::RULE}</summary>
                <div class="more-body stack-2">
                    <p class="read">{strings::RULE_TEXT}</p>
                    <p class="mono small logs-rule">{move || wrong().rule}</p>
                </div>
            </details>
            <h3>{strings::EVIDENCE}</h3>
            {move || evidence(&wrong(), chosen)}
        </section>
    }
}

/// The hand that is drawn: the chosen one, else the one that was overpaid most.
fn shown(wrong: &MisSettled, chosen: Option<usize>) -> Option<usize> {
    let there = chosen.filter(|at| *at < wrong.evidence.len());
    there.or_else(|| {
        let hands = wrong.evidence.iter().enumerate();
        // Of equal ones the first.
        hands.rev().max_by_key(|(_, hand)| hand.overpaid).map(|(at, _)| at)
    })
}

fn figures(wrong: &MisSettled) -> AnyView {
    let figure = |title: &'static str, value: String, unit: &'static str, note: String| {
        view! {
            <div class="figure">
                <dt>{title}</dt>
                <dd class="figure-value">
                    {value} {(!unit.is_empty()).then(|| view! { <small>{unit}</small> })}
                </dd>
                <dd class="figure-range">{note}</dd>
            </div>
        }
    };
    let several = (wrong.several_winners > 0).then(
        || view! { <p class="small soft logs-note">{strings::several(wrong.several_winners)}</p> },
    );
    view! {
        <div>
            <dl translate="no" class="figures">
                {figure(strings::BUSTS, count(wrong.hands as u64), "", strings::BUSTS_NOTE.to_owned())}
                {figure(
                    strings::OVERPAID,
                    count(wrong.overpaid_hands as u64),
                    "",
                    strings::share_of(wrong.overpaid_hands, wrong.hands),
                )}
                {figure(
                    strings::OVERPAID_CHIPS,
                    chips(wrong.overpaid_chips),
                    strings::CHIPS,
                    strings::OVERPAID_NOTE.to_owned(),
                )}
                {figure(
                    strings::RETURNED,
                    chips(wrong.returned_chips),
                    strings::CHIPS,
                    strings::RETURNED_NOTE.to_owned(),
                )}
            </dl>
            {several}
        </div>
    }
    .into_any()
}

/// A hand of the files, drawn.
fn drawn(hand: &Evidence) -> AnyView {
    view! {
        <div class="card" id=DRAWN aria-live="polite">
            <div class="card-head">
                <h3>{strings::hand_of(hand.table, hand.hand)}</h3>
                <span class="push mono">{hand.file.clone()} ":" {hand.line}</span>
            </div>
            {picture(&Pot::of(hand))}
        </div>
    }
    .into_any()
}

/// Brings the drawn hand into sight, where it is not: on a phone it is far above the table.
fn show_drawn() {
    request_animation_frame(|| {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        if let Some(drawn) = document().get_element_by_id(DRAWN) {
            drawn.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
}

/// Who put in how much, cut at the winner's stack; who was paid what, and what the rules say.
fn picture(pot: &Pot) -> AnyView {
    let longest = pot.longest();
    let wide = |part: Amount| match longest {
        Amount::ZERO => "0%".to_owned(),
        longest => format!("{:.2}%", part.to_f64() / longest.to_f64() * 100.0),
    };
    let bar = |class: &'static str, part: Amount| {
        (part > Amount::ZERO).then(|| view! { <i class=class style:width=wide(part)></i> })
    };
    let row = |put: &Put| {
        view! {
            <span class="pot-who">{put.name.clone()}</span>
            <span class="pot-bar">
                {bar("pot-main", put.main)} {bar("pot-side", put.side)} {bar("pot-back", put.back)}
            </span>
            <span class="num">{chips(put.all())}</span>
        }
    };
    let rows: Vec<_> = pot.others.iter().map(row).collect();
    let others: Vec<String> =
        pot.others.iter().map(|put| format!("{} {}", put.name, chips(put.all()))).collect();
    let stack = chips(pot.stack);
    let label = strings::pot_label(&pot.winner, &stack, &others.join(", "));
    let side = (pot.side() > Amount::ZERO).then(|| chips(pot.side()));
    let back = pot.back().map(|(who, part)| (who, chips(part)));
    let back = back.as_ref().map(|(who, part)| (*who, part.as_str()));
    view! {
        <div class="pot" role="img" aria-label=label>
            <span class="pot-who">
                <b>{pot.winner.clone()}</b>
            </span>
            <span class="pot-bar">{bar("pot-own", pot.stack)}</span>
            <span class="num">{strings::had(&stack)}</span>
            {rows}
        </div>
        <ul class="pot-key">
            <li>
                <i class="pot-main"></i>
                {strings::legend_main(&pot.winner, &chips(pot.main()))}
            </li>
            {side
                .as_deref()
                .map(|side| view! { <li><i class="pot-side"></i>{strings::legend_side(side)}</li> })}
            {back
                .map(|(who, part)| view! { <li><i class="pot-back"></i>{strings::legend_back(who, part)}</li> })}
        </ul>
        <dl class="kv">
            <dt>{strings::APP_PAID}</dt>
            <dd>{strings::app_paid(&pot.winner, &chips(pot.paid()))}</dd>
            <dt>{strings::RULES_PAY}</dt>
            <dd>{strings::rules_pay(&pot.winner, &chips(pot.main()), side.as_deref(), back)}</dd>
            <dt>{strings::WE_RETURN}</dt>
            <dd>{strings::we_return(side.as_deref(), back)}</dd>
        </dl>
    }
    .into_any()
}

/// The overpaid hands as a table.
fn evidence(wrong: &MisSettled, chosen: RwSignal<Option<usize>>) -> AnyView {
    if wrong.evidence.is_empty() {
        return view! { <p class="soft">{strings::NO_EVIDENCE}</p> }.into_any();
    }
    let wrong_again = wrong.clone();
    let now = Memo::new(move |_| shown(&wrong_again, chosen.get()));
    let rows: Vec<_> = wrong
        .evidence
        .iter()
        .enumerate()
        .map(|(at, hand)| {
            let name = strings::hand_of(hand.table, hand.hand);
            view! {
                <tr class:is-now=move || now.get() == Some(at)>
                    <th scope="row">
                        <button
                            class="link"
                            type="button"
                            aria-label=strings::draw(hand.table, hand.hand)
                            aria-pressed=move || (now.get() == Some(at)).to_string()
                            on:click=move |_| {
                                chosen.set(Some(at));
                                show_drawn();
                            }
                        >
                            {name}
                        </button>
                    </th>
                    <td class="num" data-label=strings::LINE>{hand.line}</td>
                    <td data-label=strings::WINNER>{hand.winner.clone()}</td>
                    <td class="num" data-label=strings::STACK>{chips(hand.winner_stack)}</td>
                    <td class="num" data-label=strings::WON>{signed_chips(hand.won)}</td>
                    <td class="num strong" data-label=strings::BEYOND>{chips(hand.overpaid)}</td>
                    <td class="num" data-label=strings::BACK>{chips(hand.returned)}</td>
                    <td data-label=strings::BACK_TO>{hand.returned_to.clone()}</td>
                </tr>
            }
        })
        .collect();
    view! {
        <p class="small soft">{strings::EVIDENCE_NOTE}</p>
        <div class="table-wrap logs-evidence" role="region" tabindex="0" aria-label=strings::EVIDENCE>
            <table translate="no" class="table table-pin" aria-label=strings::EVIDENCE>
                <thead>
                    <tr>
                        <th scope="col">{strings::HAND}</th>
                        <th scope="col" class="num">{strings::LINE}</th>
                        <th scope="col">{strings::WINNER}</th>
                        <th scope="col" class="num">{strings::STACK}</th>
                        <th scope="col" class="num">{strings::WON}</th>
                        <th scope="col" class="num">{strings::BEYOND}</th>
                        <th scope="col" class="num">{strings::BACK}</th>
                        <th scope="col">{strings::BACK_TO}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}
