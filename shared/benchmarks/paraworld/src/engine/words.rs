//! Words that the engine knows in every world: comparators, and words that say nothing. Data only.

mod measures;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::text::Words;
use measures::OTHER_MEASURES;

/// Words that ask to compare or to compute.
const COMPARATORS: &[&str] = &[
    "compare",
    "compared",
    "comparison",
    "versus",
    "vs",
    "difference",
    "gap",
    "exceed",
    "higher",
    "lower",
    "larger",
    "smaller",
    "greater",
    "fewer",
    "more",
    "less",
    "than",
    "at least",
    "at most",
    "no fewer",
    "or more",
    "most",
    "fewest",
    "highest",
    "lowest",
    "largest",
    "smallest",
    "biggest",
    "bigger",
    "better",
    "best",
    "ratio",
    "rank",
    "ranking",
    "growth",
    "increase",
    "decrease",
    "sum of",
    "combined",
    "average",
    "respectively",
    "divided by",
    "percentage",
    "对比",
    "比较",
    "相比",
    "更多",
    "更高",
    "更大",
    "更少",
    "更低",
    "相差",
    "差距",
    "差异",
    "之差",
    "多多少",
    "少多少",
    "高多少",
    "最多",
    "最少",
    "最高",
    "最低",
    "最大",
    "最小",
    "排名",
    "排行",
    "之和",
    "总和",
    "比值",
    "比例",
    "比率",
    "分别",
    "变化",
    "增长",
    "超过",
    "高于",
    "低于",
    "是否",
    "不少于",
    "不低于",
    "不多于",
    "不高于",
    "至少",
    "至多",
    "以上的",
    "平均",
    "几倍",
    "高吗",
    "多吗",
    "谁的",
    "人均",
    "场均",
    "店均",
    "日均",
    "年均",
    "历年",
    "逐年",
];

/// Second parts of names. After the short name of somebody known they make the name of somebody else.
const NAME_PARTS: &[&str] = &[
    "city",
    "united",
    "rovers",
    "town",
    "wanderers",
    "albion",
    "athletic",
    "county",
    "choir",
    "quartet",
    "trio",
    "orchestra",
    "ensemble",
    "academy",
    "university",
    "museum",
    "bridge",
    "airport",
    "hotel",
    "index",
    "rating",
    "城队",
    "联队",
    "竞技",
    "足球会",
    "合唱团",
    "四重奏",
    "交响乐团",
    "大学",
    "集团",
    "大桥",
    "机场",
    "酒店",
    "指数",
    "评分",
];

/// Words between two things that are both asked for.
pub(super) const CONJUNCTIONS: &[&str] = &["and", "or", "plus", "和", "与", "及", "跟", "或"];

/// Words that ask for several facts at once where several fit.
const SUMS: &[&str] = &[
    "total",
    "totals",
    "sum",
    "overall",
    "altogether",
    "together",
    "both years",
    "two years",
    "three years",
    "four years",
    "five years",
    "all years",
    "合计",
    "总计",
    "共计",
    "累计",
    "总分",
    "总和",
    "两年",
    "三年",
    "四年",
    "五年",
    "各年",
    "各个",
];

/// Words that ask what a rule gives for something.
const WORTH: &[&str] = &[
    "worth", "value", "count", "earn", "give", "bring", "score", "award", "get", "fetch", "point",
    "pts", "mark", "weigh", "积", "计", "算", "值", "得", "分",
];

/// What somebody is. Beside a name they make no other name, and beside what is asked nothing else.
const KINDS: &[&str] = &[
    "band",
    "group",
    "club",
    "football",
    "soccer",
    "team",
    "racing",
    "studio",
    "developer",
    "game",
    "video",
    "brand",
    "car",
    "phone",
    "mobile",
    "smartphone",
    "maker",
    "manufacturer",
    "company",
    "firm",
    "乐队",
    "乐团",
    "球队",
    "俱乐部",
    "车队",
    "游戏",
    "工作室",
    "公司",
    "品牌",
    "汽车",
    "手机",
    "车企",
    "厂商",
    "对手",
];

/// Words for how much, which may follow what is asked for (`goal tally`), and participles that are not seen to be some.
const QUANTITIES: &[&str] = &[
    "tally",
    "haul",
    "size",
    "network",
    "chain",
    "base",
    "fleet",
    "roster",
    "level",
    "strength",
    "volume",
    "statistic",
    "stat",
    "stats",
    "data",
    "info",
    "information",
    "record",
    "sum",
    "amount",
    "quantity",
    "scale",
    "annual",
    "sold",
    "held",
    "led",
    "driven",
    "given",
    "made",
    "built",
    "run",
    "took",
    "taken",
    "came",
    "then",
    "there",
    "under",
    "within",
    "into",
    "over",
    "according",
    "name",
    "identity",
];

/// Words that say nothing about what is asked for.
const EMPTY: &[&str] = &[
    "a", "an", "the", "of", "in", "on", "at", "by", "for", "to", "with", "from", "per", "each",
    "one", "and", "or", "how", "many", "much", "what", "which", "who", "whom", "when", "where",
    "was", "were", "is", "are", "did", "do", "does", "has", "have", "had", "its", "it", "their",
    "they", "during", "year", "season", "number", "count", "total", "value", "be", "that", "this",
    "please", "tell", "me", "figure", "figures", "exact", "all", "的", "在", "是", "有", "了",
    "年", "多", "少", "几", "数", "量", "个", "谁", "哪", "与", "和", "为", "其", "得", "总", "共",
    "一", "吗", "当", "年", "度", "请", "问", "什", "么", "家", "支", "名", "字",
];

/// The lists as they are compared, read once: engines are made for every query.
pub(super) struct Lists {
    pub comparators: Vec<Words>,
    pub other_measures: Vec<Words>,
    pub name_parts: Vec<Words>,
    pub sums: Vec<Words>,
    pub kinds: Vec<Words>,
    /// Single words.
    pub worth: BTreeSet<String>,
    /// Words that may follow what is asked for.
    pub quantities: BTreeSet<String>,
    pub empty: BTreeSet<String>,
    /// The words of all of them.
    pub all: BTreeSet<String>,
}

/// The lists.
pub(super) fn lists() -> &'static Lists {
    static LISTS: OnceLock<Lists> = OnceLock::new();
    LISTS.get_or_init(|| {
        let read = |words: &[&str]| words.iter().map(|word| Words::of(word)).collect();
        let comparators: Vec<Words> = read(COMPARATORS);
        let other_measures: Vec<Words> = read(OTHER_MEASURES);
        let name_parts: Vec<Words> = read(NAME_PARTS);
        let single = |words: &[&str]| -> BTreeSet<String> {
            words.iter().flat_map(|word| Words::of(word).0).collect()
        };
        let empty = single(EMPTY);
        let (sums, kinds, worth) = (read(SUMS), read(KINDS), single(WORTH));
        let quantities = single(QUANTITIES);
        let lists = [&comparators, &other_measures, &name_parts];
        let words = lists.into_iter().flatten().flat_map(|words| words.0.clone());
        let all = words
            .chain([&empty, &worth, &quantities].into_iter().flatten().cloned())
            .chain([&sums, &kinds].into_iter().flatten().flat_map(|words| words.0.clone()))
            .collect();
        Lists {
            comparators,
            other_measures,
            name_parts,
            sums,
            kinds,
            worth,
            quantities,
            empty,
            all,
        }
    })
}
