//! What a run may spend, and what it has spent.

use turnwise_shared::caps::{self, Caps};
use turnwise_shared::wire::budgets::{Kind, Scope, Short};

use super::capitalised;
use crate::number::{count, counted, dollars, duration};

texts!("budgets");

/// Other caps were set: which are new, and which are gone.
pub fn is_set(before: &Caps, now: &Caps) -> String {
    let changed: Vec<_> = Kind::ALL
        .into_iter()
        .map(|kind| (kind, kind.cap(before), kind.cap(now)))
        .filter(|(_, old, new)| old != new)
        .collect();
    let told = changed.iter().map(|(kind, _, new)| match new {
        Some(cap) => whole(*kind, *cap),
        None => format!("no limit on {}", name(*kind)),
    });
    let what = told.collect::<Vec<_>>().join(" and ");
    let is_raise = |old: Option<u64>, new: Option<u64>| match (old, new) {
        (Some(old), Some(new)) => new > old,
        (_, None) => true,
        (None, Some(_)) => false,
    };
    let is_raised = changed.iter().all(|(_, old, new)| is_raise(*old, *new));
    match (changed.is_empty(), is_raised) {
        (true, _) => "Nothing has changed.".to_owned(),
        (false, is_raised) => changed_to(what, is_raised),
    }
}

/// The field of the new limit.
pub fn raise_to(kind: Kind) -> String {
    format!("Raise the limit of {} to", name(kind))
}

/// An amount of a kind.
fn shown(kind: Kind, amount: u64) -> String {
    match kind {
        Kind::Money => dollars(caps::dollars(amount)),
        Kind::Tokens | Kind::Calls => count(amount),
        Kind::Seconds => duration(amount.saturating_mul(1000)),
    }
}

/// The limits of a form, to go on after its other values in one line; nothing where there are none.
pub fn in_line(caps: &Caps) -> Option<String> {
    let limits = Kind::ALL.into_iter().filter_map(|kind| Some(whole(kind, kind.cap(caps)?)));
    let limits: Vec<_> = limits.collect();
    (!limits.is_empty()).then(|| format!(", budget {}", limits.join(" and ")))
}

pub fn of(scope: &Scope) -> String {
    match scope {
        Scope::Run => "This run".to_owned(),
        Scope::Access(name) => format!("Token {name}, today"),
        Scope::Server => "This server, today".to_owned(),
    }
}
/// So much of so much.
pub fn spent(kind: Kind, spent: u64, cap: u64) -> String {
    format!("{} of {}", shown(kind, spent), whole(kind, cap))
}
/// About how much of a cap is spent, for a budget shared with others: only quarters are shown, and whether it has room.
pub fn rough(kind: Kind, spent: u64, cap: u64) -> String {
    let quarters = match spent >= cap {
        true => 4,
        false => spent / cap.div_ceil(4).max(1),
    };
    in_quarters(quarters, whole(kind, cap))
}

fn whole(kind: Kind, cap: u64) -> String {
    match kind {
        Kind::Money | Kind::Seconds => shown(kind, cap),
        Kind::Tokens => counted(cap, "token", "tokens"),
        Kind::Calls => counted(cap, "call", "calls"),
    }
}
/// So much is set aside for calls on their way.
pub fn aside(kind: Kind, amount: u64) -> String {
    format!("{} set aside for calls on their way", shown(kind, amount))
}

/// The run has paused because of its budget.
pub fn paused(short: &[Short]) -> String {
    format!("The run has paused: {}", no_room(short))
}
/// The same where it is said already that the run rests.
pub fn rests(short: &[Short]) -> String {
    capitalised(&no_room(short))
}
fn no_room(short: &[Short]) -> String {
    let whose = match short.iter().any(|one| one.of == Scope::Run) || short.is_empty() {
        true => "its budget",
        false => "a budget for the day",
    };
    // Of the server's budget only this is revealed: that the next call does not fit, and not what is left.
    let is_used_up = |one: &Short| one.of != Scope::Server && one.is_used_up();
    match !short.is_empty() && short.iter().all(is_used_up) {
        true => format!("{whose} is used up"),
        false => format!("the next call does not fit into {whose}"),
    }
}
/// Every cap that does not let the next call out, in one sentence.
pub fn short(short: &[Short]) -> String {
    let parts = short.iter().map(|one| {
        let whose = match &one.of {
            Scope::Run => "this run has".to_owned(),
            Scope::Access(name) => format!("today all runs of the token {name} have"),
            Scope::Server => {
                let all = whole(one.kind, one.cap);
                return format!(
                    "this server's budget of {all} for today has no room for the next call"
                );
            }
        };
        let did = match (one.kind, &one.of) {
            (Kind::Money, _) => "spent",
            (Kind::Tokens, _) => "used",
            (Kind::Calls, _) => "made",
            (Kind::Seconds, Scope::Run) => "been driven",
            (Kind::Seconds, Scope::Access(_) | Scope::Server) => "had calls under way for",
        };
        let so_far = spent(one.kind, one.spent, one.cap);
        match one.kind {
            Kind::Money | Kind::Tokens if one.wants > 0 && !one.is_used_up() => {
                let more = shown(one.kind, one.wants);
                format!("{whose} {did} {so_far}, and the next call may need up to {more}")
            }
            _ => format!("{whose} {did} {so_far}"),
        }
    });
    let text = parts.collect::<Vec<_>>().join("; ");
    format!("{}.", capitalised(&text))
}
/// How these caps are mended; `until_midnight`: milliseconds until a budget for the day is fresh.
pub fn mend(short: &[Short], until_midnight: u64) -> String {
    let own: Vec<_> =
        short.iter().filter(|one| one.of == Scope::Run).map(|one| name(one.kind)).collect();
    let mut ways = Vec::new();
    if !own.is_empty() {
        ways.push(format!("Raise the limit of {}.", own.join(" and ")));
    }
    if short.iter().any(|one| one.of != Scope::Run) {
        ways.push(tomorrow(about_hours(until_midnight)));
    }
    ways.join(" ")
}
/// A number of milliseconds in hours, or in minutes where they are few; rounded up.
fn about_hours(milliseconds: u64) -> String {
    match milliseconds.div_ceil(60_000) {
        minutes @ ..=90 => counted(minutes, "minute", "minutes"),
        minutes => format!("about {}", counted((minutes + 30) / 60, "hour", "hours")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(of: Scope, kind: Kind, spent: u64, cap: u64, wants: u64) -> Short {
        Short { of, kind, cap, spent, wants }
    }

    #[test]
    fn a_pause_names_every_cap_and_says_how_each_is_mended() {
        let fits_not = one(Scope::Run, Kind::Money, 33_400, 50_000, 18_300);
        let all = [
            fits_not.clone(),
            one(Scope::Run, Kind::Calls, 12, 12, 1),
            one(Scope::Server, Kind::Calls, 40, 40, 1),
        ];
        assert_eq!(paused(&all), "The run has paused: the next call does not fit into its budget");
        assert_eq!(
            short(&all),
            "This run has spent $0.0334 of $0.05, and the next call may need up to $0.0183; this run has made 12 of 12 calls; \
             this server's budget of 40 calls for today has no room for the next call."
        );
        let ways = mend(&all, 5 * 3_600_000);
        assert!(ways.contains("Raise the limit of dollars and calls."));
        assert!(ways.contains("opens again at midnight UTC, in about 5 hours"));
        assert!(!mend(&[fits_not], 0).contains("UTC"), "nothing of it is a day's");
        assert!(mend(&all[2..], 59_000).contains("in 1 minute,"));
        let time = [one(Scope::Run, Kind::Seconds, 60, 60, 0)];
        assert_eq!(paused(&time), "The run has paused: its budget is used up");
        assert_eq!(short(&time), "This run has been driven 1 min of 1 min.");
        let day = [one(Scope::Access("ann".into()), Kind::Seconds, 60, 60, 0)];
        assert_eq!(
            short(&day),
            "Today all runs of the token ann have had calls under way for 1 min of 1 min."
        );
        assert_eq!(
            paused(&all[2..]),
            "The run has paused: the next call does not fit into a budget for the day"
        );
    }

    #[test]
    fn a_budget_that_others_share_is_told_in_quarters() {
        let told = |spent| rough(Kind::Calls, spent, 40);
        assert_eq!(told(0), "less than a quarter of 40 calls");
        assert_eq!(told(10), "a quarter or more of 40 calls");
        assert_eq!(told(20), "half or more of 40 calls");
        assert_eq!(told(30), "three quarters or more of 40 calls");
        assert_eq!(told(40), "no room for the next call in 40 calls");
    }

    #[test]
    fn what_was_set_says_what_has_no_limit_now() {
        let before = Caps { calls: Some(30), money: Some(2_000_000), ..Caps::default() };
        let now = Caps { calls: None, money: Some(5_000_000), ..Caps::default() };
        assert_eq!(
            is_set(&before, &now),
            "Budget raised to $5.00 and no limit on calls. Press Resume to continue."
        );
        assert_eq!(is_set(&now, &now), "Nothing has changed.");
        assert!(is_set(&now, &before).starts_with("Budget set to $2.00 and 30 calls."));
    }

    #[test]
    fn the_budget_of_a_form_is_told_in_its_line() {
        let caps = Caps { money: Some(5_000_000), calls: Some(1), ..Caps::default() };
        assert_eq!(in_line(&caps).as_deref(), Some(", budget $5.00 and 1 call"));
        assert_eq!(in_line(&Caps::default()), None);
    }

    #[test]
    fn a_forecast_has_two_digits() {
        assert_eq!(ahead(0.1379, true), "about $0.14 more");
        assert_eq!(ahead(12.34, false), "at least about $12 more");
    }
}
