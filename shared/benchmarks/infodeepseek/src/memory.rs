//! What the player did and found, as it is shown again (3.4 as `strict` has it).

use turnwise_core::json::object;
use turnwise_core::prelude::*;

use crate::pages::tokens;
use crate::reading::tool;

/// What stands for a result that was left out.
const LEFT_OUT: &str = "(left out: the findings have become too long)";

/// A step that was done, with its result as the player is shown it.
#[derive(Debug, Clone)]
struct Done {
    task: String,
    tool: String,
    args: Object,
    result: String,
}

#[derive(Debug, Clone, Default)]
pub struct Memory {
    done: Vec<Done>,
}

impl Memory {
    pub fn add(&mut self, task: &str, tool: &str, args: &Object, result: &str) {
        let (task, tool, args) = (task.to_owned(), tool.to_owned(), args.clone());
        self.done.push(Done { task, tool, args, result: result.to_owned() });
    }

    /// Whether a text stands in a result, shown or not.
    pub fn mentions(&self, text: &str) -> bool {
        self.done.iter().any(|done| done.result.contains(text))
    }

    /// What the newest visit of a page found, else the results that name it.
    pub fn of(&self, url: &str) -> Option<String> {
        let newest = || self.done.iter().rev().filter(|done| done.result.contains(url));
        let visit = newest().find(|done| done.tool == tool::OPEN).or_else(|| newest().next())?;
        // Of a list of results those lines that belong to the page.
        let lines = visit.result.lines().collect::<Vec<_>>();
        let of_page = lines.chunks(3).find(|three| three.last() == Some(&&*format!("url: {url}")));
        Some(of_page.map_or_else(|| visit.result.clone(), |three| three.join("\n")))
    }

    /// As JSON of about `window` tokens at most, and how many results were left out: the oldest go first, and of the newest alone the end.
    pub fn shown(&self, window: usize) -> (String, usize) {
        let mut done = self.done.clone();
        let mut total: usize =
            done.iter().enumerate().map(|(at, one)| tokens(&text(at, one))).sum();
        let mut left_out = 0;
        let last = done.len().saturating_sub(1);
        for (at, one) in done.iter_mut().enumerate() {
            if total <= window {
                break;
            }
            let before = tokens(&text(at, one));
            if at == last {
                let excess = total - window + tokens(LEFT_OUT);
                let kept = tokens(&one.result).saturating_sub(excess);
                let pieces = crate::pages::pieces(&one.result, kept.max(1), tokens);
                one.result = pieces.into_iter().next().filter(|_| kept > 0).unwrap_or_default();
                one.result.push_str(LEFT_OUT);
            } else {
                LEFT_OUT.clone_into(&mut one.result);
            }
            left_out += 1;
            total = (total + tokens(&text(at, one))).saturating_sub(before);
        }
        let list: Vec<Json> = done.iter().enumerate().map(|(at, one)| value(at, one)).collect();
        let shown = if list.is_empty() { String::new() } else { pretty(&Json::List(list)) };
        (shown, left_out)
    }
}

fn value(at: usize, done: &Done) -> Json {
    let command = object([("name", done.tool.as_str().into()), ("args", done.args.clone().into())]);
    object([
        ("task_name", done.task.as_str().into()),
        ("command", command),
        ("task_id", Json::from(at as u64 + 1)),
        ("result", done.result.as_str().into()),
    ])
}

fn text(at: usize, done: &Done) -> String {
    pretty(&value(at, done))
}

/// With two spaces a level, keys in their order and characters as they are.
pub fn pretty(value: &Json) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_results_are_left_out_first_and_tasks_stay() {
        let mut memory = Memory::default();
        assert_eq!(memory.shown(9), (String::new(), 0));
        for result in ["old ".repeat(100), "newer ".repeat(100), "new ".repeat(100)] {
            memory.add("find", "web_search", &Object::default(), &result);
        }
        let (whole, left_out) = memory.shown(10_000);
        assert_eq!((left_out, whole.matches("old ").count()), (0, 100));
        let (shown, left_out) = memory.shown(400);
        assert_eq!(
            (left_out, shown.matches("old ").count(), shown.matches("newer ").count()),
            (1, 0, 100)
        );
        assert_eq!(shown.matches("\"task_name\": \"find\"").count(), 3);
        let (shown, left_out) = memory.shown(200);
        let kept = shown.matches("new ").count();
        assert!(left_out == 3 && (1..100).contains(&kept), "{kept} {left_out}");
        assert!(tokens(&shown) <= 230 && memory.mentions("old old"));
    }
}
