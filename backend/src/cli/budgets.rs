//! `turnwise admin budgets`: what was spent today of the server's budget and of those of its access tokens, to the last token. The
//! holder of a run's token learns only quarters of the server's.

use anyhow::Result;

use turnwise_backend::config::Config;
use turnwise_backend::outbound::CallLimits;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::budgets::Scope;

use super::Status;
use super::out::{self, say};
use super::stored::stored;

/// Prints the budgets, as a table or as JSON.
///
/// # Errors
/// If the database cannot be used.
pub async fn budgets(config: &Config, json: bool) -> Result<Status> {
    let store = stored(config).await?;
    let today = CallLimits::new(config, store.clone()).today().await;
    store.close().await;
    let today = today?;
    if json {
        out::json(&today)?;
        return Ok(Status::Done);
    }
    if today.is_empty() {
        say!(
            "no budget for a day is configured, so nothing is counted; `[caps]` in turnwise.toml sets the server's, `caps` of a [[token]] that token's"
        );
    }
    for budget in &today {
        say!("{}", of(&budget.of));
        for line in lines(budget) {
            say!("  {line}");
        }
    }
    Ok(Status::Done)
}

fn of(scope: &Scope) -> String {
    match scope {
        Scope::Server => "server, today (UTC)".to_owned(),
        Scope::Access(name) => format!("access token {name}, today (UTC)"),
        Scope::Run => "run".to_owned(),
    }
}

/// What is spent of each cap, and what of it calls on their way hold. What has no cap is not counted as a whole, so nothing is said
/// of it.
fn lines(budget: &SpendingBudget) -> Vec<String> {
    let SpendingBudget { caps, spent, aside, .. } = budget;
    let plain = |number: u64| number.to_string();
    let lines = [
        line("money", caps.money, spent.money, aside.money, dollars),
        line("tokens", caps.tokens, spent.tokens, aside.tokens, plain),
        line("calls", caps.calls, spent.calls, 0, plain),
        line("seconds", caps.seconds, budget.seconds, 0, plain),
    ];
    lines.into_iter().flatten().collect()
}

/// One cap, if there is one.
fn line(
    what: &str,
    cap: Option<u64>,
    spent: u64,
    held: u64,
    shown: impl Fn(u64) -> String,
) -> Option<String> {
    let (spent, cap) = (shown(spent), shown(cap?));
    let held = match held {
        0 => String::new(),
        held => format!(", {} of it held by calls on their way", shown(held)),
    };
    Some(format!("{what:<8} {spent} of {cap}{held}"))
}

/// Millionths of a dollar, all of them.
fn dollars(millionths: u64) -> String {
    format!("${}.{:06}", millionths / 1_000_000, millionths % 1_000_000)
}

#[cfg(test)]
mod tests {
    use turnwise_shared::caps::{Caps, Spent};

    use super::*;

    #[test]
    fn every_millionth_and_every_token_is_told() {
        let budget = SpendingBudget {
            of: Scope::Server,
            caps: Caps {
                money: Some(5_000_000),
                tokens: Some(2_000_000),
                seconds: Some(3600),
                ..Caps::default()
            },
            spent: Spent { money: 1_000_037, tokens: 1_234_567, calls: 9 },
            aside: Spent { money: 5, ..Spent::default() },
            seconds: 61,
        };
        assert_eq!(
            lines(&budget),
            [
                "money    $1.000037 of $5.000000, $0.000005 of it held by calls on their way",
                "tokens   1234567 of 2000000",
                "seconds  61 of 3600",
            ]
        );
    }
}
