//! A call by which a connection is tried: it is sent as runs send theirs, so that what refuses a run's calls refuses it, too.

use turnwise_shared::benchmark::Setup;
use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Rendered;

/// The default sampling of a playing model: of each parameter the value of the first benchmark that sends it.
pub fn usual_sampling(model: &str) -> Sampling {
    let seat = Seat::new(Seat::PLAYER);
    let all =
        BENCHMARKS.iter().map(|benchmark| benchmark.default_sampling(Setup::USUAL, &seat, model));
    all.fold(Sampling::default(), |chosen, usual| Sampling {
        temperature: chosen.temperature.or(usual.temperature),
        top_p: chosen.top_p.or(usual.top_p),
        ..chosen
    })
}

/// Asks for one word, with the rules apart.
pub fn call(provider: String, model: String, sampling: Sampling) -> Outgoing {
    Outgoing::Model(ModelCall {
        provider,
        model,
        seat: Seat::new("probe"),
        messages: vec![
            Rendered::text(Role::System, "This is a test of the connection."),
            Rendered::text(Role::User, "Reply with the one word: ready"),
        ],
        sampling,
    })
}
