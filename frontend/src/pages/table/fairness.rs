//! The check, made in this browser, that no participant chose the cards.

use turnwise_shared::fairness::{Proof, Unfair, check_draws};

use crate::live_seat::Kept;
use crate::prelude::*;
use crate::strings::play as words;

#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    pub proof: Proof,
    /// The commitment this page received before any person sat down, if the page was open by then.
    pub published: Option<Digest>,
    /// This page's part of the seed, if it sat down.
    pub own: Option<(Seat, String)>,
    /// How many times chance was asked, if everything holds.
    pub draws: Result<u32, Unfair>,
}

/// Checks everything that can be checked.
pub fn check(
    proof: &Proof,
    kept: &Kept,
    spec: &Spec,
    plays: &[(EpisodeKey, Transcript)],
) -> Checked {
    // Only a page that sat down itself knows what it named.
    let own =
        kept.seat.clone().filter(|_| kept.name.is_some()).map(|seat| (seat, kept.nonce.clone()));
    let named: BTreeMap<Seat, String> = own.clone().into_iter().collect();
    let published = kept.commitment.unwrap_or(proof.commitment);
    let benchmark = registry::find(&spec.benchmark).map_err(Unfair::BadSpec);
    let sound = benchmark.and_then(|one| proof.check(&published, &named, one, spec));
    let draws = sound.and_then(|()| {
        plays.iter().map(|(_, play)| check_draws(spec, play)).sum::<Result<u32, Unfair>>()
    });
    Checked { proof: proof.clone(), published: kept.commitment, own, draws }
}

/// The check, with everything that one needs to repeat it.
pub fn fairness_view(checked: &Checked) -> AnyView {
    let verdict = match &checked.draws {
        Ok(draws) => any_view! {
            <div class="note note-good">
                <Icon name="seal"/>
                <p class="note-title">
                    "Checked in this browser: everything that was dealt or drawn follows from the secret and your number"
                </p>
                <p>{words::fair_how(*draws)}</p>
            </div>
        },
        Err(unfair) => any_view! {
            <div class="note note-bad" role="alert">
                <Icon name="warning"/>
                <p class="note-title">"The check fails"</p>
                <p>{words::sentence(&unfair.to_string())}</p>
            </div>
        },
    };
    let Proof { commitment, secret, nonces } = &checked.proof;
    let named: Vec<_> = nonces
        .iter()
        .map(|(seat, nonce)| {
            let own = checked.own.as_ref().is_some_and(|(own, _)| own == seat);
            view! {
                <dt>{words::named_by(seat.as_str(), own)}</dt>
                <dd class="mono">{nonce.clone()}</dd>
            }
        })
        .collect();
    let told = match checked.published {
        Some(_) => "Published before the first card",
        None => "Published (this page was not there to hear it)",
    };
    any_view! {
        <section class="section" aria-labelledby="fairness">
            {section_head("fairness", "Nobody chose the chance")}
            {verdict}
            <details class="more">
                <summary>"The numbers, to check elsewhere"</summary>
                <div class="more-body stack-2">
                    <p class="small soft read">{words::FAIRNESS_WHY}</p>
                    <dl class="kv pfair">
                        <dt>{told}</dt>
                        <dd class="mono">{commitment.to_string()}</dd>
                        <dt>"Secret, revealed after the end"</dt>
                        <dd class="mono">{secret.to_string()}</dd>
                        {named}
                        <dt>"Seed"</dt>
                        <dd class="mono">{checked.proof.seed().to_string()}</dd>
                    </dl>
                </div>
            </details>
        </section>
    }
}
