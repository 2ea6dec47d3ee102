//! Golden vectors of specification 8.8, by their ids: eight made-up episodes, run through the authors' scripts.

mod curves;
mod gap;
mod golden;
mod rivals;
mod strict;

use super::*;

/// `Some(k)` = the key `k<k>`; `Odd` = a spelling of its own.
enum Matched {
    Fact(u32),
    Padded(u32),
    Unknown,
}

fn log(hit: bool, compound: bool, key: Option<Matched>) -> Log {
    let key = key.map(|key| match key {
        Matched::Fact(number) => Key { spelling: number, fact: Some(number - 1) },
        Matched::Padded(number) => Key { spelling: 200 + number, fact: Some(number - 1) },
        Matched::Unknown => Key { spelling: 100, fact: None },
    });
    Log { hit, compound, keys: Vec::from_iter(key), engine_fault: false }
}

fn hit(key: Matched) -> Log {
    log(true, false, Some(key))
}

fn episode(facts: u32, logs: Vec<Log>, status: Status, verdict: Verdict) -> Episode {
    let call = |(at, log): (usize, &Log)| Call { hit: log.hit, log: Some(at as u32) };
    let calls: Vec<Call> = logs.iter().enumerate().map(call).collect();
    Episode {
        facts,
        rules: BTreeSet::new(),
        calling_messages: calls.len() as u32,
        turns: calls.len() as u32 + 1,
        calls,
        logs,
        format_errors: 0,
        max_turns: 32,
        status,
        answered: status == Status::Finished,
        verdict: Some(verdict),
    }
}

/// S0 to S7.
fn s() -> Vec<Episode> {
    use Matched::{Fact, Padded, Unknown};
    use Status::{ApiError, Finished, MaxTurnsReached};
    use Verdict::{Correct, Incorrect};
    let miss = || log(false, false, None);
    let s0 = vec![hit(Fact(1)), hit(Fact(1)), miss(), hit(Fact(2))];
    let mut s2 = episode(6, vec![hit(Fact(1)), hit(Fact(2))], Finished, Correct);
    s2.calls.push(Call { hit: false, log: None });
    (s2.calling_messages, s2.format_errors) = (3, 1);
    let s3 = vec![hit(Unknown), hit(Padded(1)), hit(Fact(2))];
    let mut s4 = episode(11, (1..=5).map(|key| hit(Fact(key))).collect(), Finished, Correct);
    s4.calling_messages = 2;
    let s6 = vec![hit(Fact(1)), hit(Fact(2)), hit(Unknown)];
    let s7 = vec![log(false, false, Some(Fact(1))), log(true, true, Some(Fact(2)))];
    vec![
        episode(4, s0, Finished, Correct),
        episode(5, Vec::new(), Finished, Incorrect),
        s2,
        episode(10, s3, Finished, Incorrect),
        s4,
        episode(12, vec![hit(Fact(1))], ApiError, Incorrect),
        episode(2, s6, Finished, Correct),
        episode(8, s7, MaxTurnsReached, Incorrect),
    ]
}

/// Whether numbers are those of the specification, which has six digits.
#[track_caller]
fn near(found: impl IntoIterator<Item = f64>, wanted: &[f64]) {
    let found: Vec<f64> = found.into_iter().collect();
    let fits = found.len() == wanted.len()
        && found.iter().zip(wanted).all(|(one, other)| (one - other).abs() < 6e-7);
    assert!(fits, "{found:?} against {wanted:?}");
}
