//! Made-up tasks in the shape of the authors' file, for tests and for trying things out where that file is absent.

use super::{Language, Task};
use turnwise_core::dice::draw;
use turnwise_core::task::TaskId;

/// How many English and Chinese tasks the authors' file has of each domain.
pub(super) const SHAPE: [(&str, u32, u32); 9] = [
    ("Humanities", 28, 24),
    ("Entertainment", 34, 8),
    ("Science & Engineering", 29, 5),
    ("Business & Economics", 6, 17),
    ("Sports", 17, 1),
    ("Law & Politics", 4, 11),
    ("Medicine & Life Sciences", 10, 1),
    ("Academic & Research", 8, 0),
    ("General Knowledge & Misc.", 4, 3),
];

/// Makes up tasks with the ids 1 to `count`: the same for the same seed. Every 210 of them have the domains and
/// languages of the authors' file. All names and facts are invented.
///
/// A question states what a target shares with others; the context states what only the target has. Answers differ up
/// to 8,000 tasks. Some questions have braces, most contexts have several lines, some mix scripts.
pub fn generate(count: u32, seed: u64) -> Vec<Task> {
    let kinds: Vec<(&str, bool)> = SHAPE
        .iter()
        .flat_map(|(domain, english, chinese)| {
            let english = (0..*english).map(|_| (*domain, false));
            english.chain((0..*chinese).map(|_| (*domain, true)))
        })
        .collect();
    let kinds_in_all = u32::try_from(kinds.len()).expect("the shape has 210 tasks");
    let order = draw(seed, "interactcomp tasks: order", kinds_in_all, kinds_in_all);
    let names = draw(seed, "interactcomp tasks: names", NAMES, count.min(NAMES));
    (0..count)
        .map(|index| {
            let (domain, chinese) = kinds[order[(index % kinds_in_all) as usize] as usize];
            let name = names[(index % NAMES) as usize];
            let pick = Pick { seed, index };
            if chinese {
                chinese_task(&pick, domain, name)
            } else {
                english_task(&pick, domain, name)
            }
        })
        .collect()
}

/// Chance for one task: the same label always picks the same.
struct Pick {
    seed: u64,
    index: u32,
}

impl Pick {
    fn number(&self, label: &str, below: u32) -> u32 {
        let stream = format!("interactcomp task {}: {label}", self.index + 1);
        draw(self.seed, &stream, below, 1)[0]
    }

    fn one<'a>(&self, label: &str, of: &[&'a str]) -> &'a str {
        of[self.number(label, of.len() as u32) as usize]
    }

    /// Several different ones, in an order of chance.
    fn some<'a>(&self, label: &str, of: &[&'a str], count: u32) -> Vec<&'a str> {
        let stream = format!("interactcomp task {}: {label}", self.index + 1);
        let picked = draw(self.seed, &stream, of.len() as u32, count);
        picked.into_iter().map(|index| of[index as usize]).collect()
    }

    fn task(&self, domain: &str, question: String, context: String, answer: String) -> Task {
        Task {
            id: TaskId((self.index + 1).to_string()),
            domain: domain.to_owned(),
            language: Language::of(&question),
            question,
            context,
            answer,
            aliases: Vec::new(),
        }
    }
}

/// How many names there are: twenty syllables in three places.
const NAMES: u32 = 20 * 20 * 20;

fn name(number: u32, parts: [&[&str; 20]; 3]) -> String {
    let [first, second, third] = parts;
    let digits = [number / 400 % 20, number / 20 % 20, number % 20].map(|digit| digit as usize);
    [first[digits[0]], second[digits[1]], third[digits[2]]].concat()
}

#[rustfmt::skip]
const HEADS: [&str; 20] = [
    "Bra", "Cal", "Dor", "El", "Fen", "Gar", "Hol", "Is", "Jun", "Kel", "Lor", "Mar", "Nor", "Or", "Pel", "Quin", "Ros", "Sel",
    "Tor", "Ves",
];
#[rustfmt::skip]
const MIDDLES: [&str; 20] = [
    "a", "be", "di", "du", "e", "ga", "i", "ka", "le", "lo", "mi", "na", "ni", "o", "ra", "ri", "so", "ta", "ve", "vi",
];
#[rustfmt::skip]
const TAILS: [&str; 20] = [
    "beck", "burn", "dal", "den", "dor", "fell", "ford", "gate", "holm", "lin", "mar", "mere", "mond", "nes", "ric", "stad", "thal",
    "vik", "wick", "wyn",
];
#[rustfmt::skip]
const THINGS: [&str; 8] = [
    "festival", "society", "ferry line", "museum", "journal", "workshop", "league", "botanical collection",
];
#[rustfmt::skip]
const SHARED: [&str; 10] = [
    "opens to the public only in the colder half of the year", "was renamed once after a change of ownership",
    "has its seat in a former warehouse beside a canal", "gives away a small prize to newcomers every spring",
    "is run for the most part by volunteers", "kept going through two long closures", "is known far beyond its own region",
    "has a bird in its emblem", "was first described in a letter that is now lost", "shares its building with a school",
];
#[rustfmt::skip]
const SECRETS: [&str; 14] = [
    "It was founded by a retired bell-maker.", "Its emblem shows a grey heron.", "It has never charged for entry.",
    "The building has a copper roof.", "Its records are kept in three languages.", "It moved across the river in its ninth year.",
    "It is smaller than its better-known rival.", "The first director was a woman.", "It is not on an island.",
    "A fire destroyed its first home.", "It publishes a list of members every winter.", "Its colours are green and white.",
    "Children run it on one day of the year.", "It owns a clock that runs backwards.",
];

fn english_task(pick: &Pick, domain: &str, number: u32) -> Task {
    let thing = pick.one("thing", &THINGS);
    let decade = 1810 + 10 * pick.number("decade", 18);
    let shared = pick.some("shared", &SHARED, 4);
    let note = if pick.index % 70 == 41 { " Its listing reads {name} {place}." } else { "" };
    let question = format!(
        "This {thing} goes back to the {decade}s. It {}, it {}, and it {}. People who look for it often find a better-known one \
         first, because that one also {}.{note} What is the {thing} called?",
        shared[0], shared[1], shared[2], shared[3],
    );
    let mut secrets: Vec<String> = pick
        .some("secrets", &SECRETS, 2 + pick.number("length", 7))
        .into_iter()
        .map(str::to_owned)
        .collect();
    secrets.push(format!("It was founded in {}.", decade + pick.number("year", 10)));
    if pick.index % 13 == 5 {
        secrets.push("其招牌上写着“河畔小馆”。".to_owned());
    }
    let answer = name(number, [&HEADS, &MIDDLES, &TAILS]);
    pick.task(domain, question, join(pick, secrets, " "), answer)
}

#[rustfmt::skip]
const SURNAMES: [&str; 20] = [
    "云", "青", "白", "南", "松", "石", "江", "岚", "竹", "星", "墨", "秋", "朔", "兰", "清", "东", "玉", "枫", "梧", "霜",
];
#[rustfmt::skip]
const CHARACTERS: [&str; 20] = [
    "桥", "溪", "岭", "渡", "桐", "湾", "林", "原", "泉", "谷", "洲", "塘", "崖", "港", "庭", "沙", "坡", "峰", "川", "浦",
];
#[rustfmt::skip]
const KINDS: [&str; 20] = [
    "社", "馆", "会", "院", "坊", "报", "号", "堂", "楼", "集", "园", "台", "局", "所", "店", "行", "记", "斋", "阁", "苑",
];
#[rustfmt::skip]
const SHARED_ZH: [&str; 8] = [
    "由几位同乡共同创办", "曾经两度停办又恢复", "总部设在一座旧仓库里", "标志上有一只鸟", "每年春天向新人颁发一个小奖",
    "主要由志愿者维持", "后来更换过一次名称", "在本地以外也有名气",
];
#[rustfmt::skip]
const SECRETS_ZH: [&str; 12] = [
    "创办人曾是一名钟表匠。", "标志上的鸟是灰鹭。", "从不收取门票。", "屋顶是铜制的。", "第九年迁到了河对岸。", "规模比更有名的那一家小。",
    "首任负责人是女性。", "它不在岛上。", "最初的房屋毁于火灾。", "代表色是绿色和白色。", "每年有一天由儿童管理。", "它收藏着一座倒着走的钟。",
];

fn chinese_task(pick: &Pick, domain: &str, number: u32) -> Task {
    let decade = 1880 + 10 * pick.number("decade", 12);
    let shared = pick.some("shared", &SHARED_ZH, 4);
    let question = format!(
        "这个机构可以追溯到{decade}年代。它{}，{}，并且{}。人们查找它的时候，往往先找到另一家更有名的机构，因为那一家同样{}。请问这个机构叫什么名字？",
        shared[0], shared[1], shared[2], shared[3],
    );
    let mut secrets: Vec<String> = pick
        .some("secrets", &SECRETS_ZH, 3 + pick.number("length", 7))
        .into_iter()
        .map(str::to_owned)
        .collect();
    secrets.push(format!("它创办于{}年。", decade + pick.number("year", 10)));
    let answer = if pick.index % 37 == 9 {
        name(number, [&HEADS, &MIDDLES, &TAILS])
    } else {
        name(number, [&SURNAMES, &CHARACTERS, &KINDS])
    };
    pick.task(domain, question, join(pick, secrets, ""), answer)
}

/// Three contexts in four have a line for each fact, as in the authors' file.
fn join(pick: &Pick, facts: Vec<String>, space: &str) -> String {
    facts.join(if pick.number("lines", 4) > 0 { "\n" } else { space })
}
