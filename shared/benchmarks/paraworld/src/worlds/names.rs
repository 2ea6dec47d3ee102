//! Invented names in two languages. Data only.

use super::super::task::Language;

/// The same in two languages.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Both {
    pub en: &'static str,
    pub zh: &'static str,
}

impl Both {
    pub fn say(self, language: Language) -> &'static str {
        match language {
            Language::En => self.en,
            Language::Zh => self.zh,
        }
    }
}

/// A pair.
pub(super) const fn both(en: &'static str, zh: &'static str) -> Both {
    Both { en, zh }
}

/// First halves of invented names.
pub(super) const HEADS: [Both; 24] = [
    both("Vel", "维"),
    both("Nor", "诺"),
    both("Kas", "卡"),
    both("Tir", "缇"),
    both("Bron", "布"),
    both("Sel", "瑟"),
    both("Mar", "玛"),
    both("Ost", "奥"),
    both("Quil", "奎"),
    both("Hal", "哈"),
    both("Dre", "德"),
    both("Fen", "芬"),
    both("Gal", "加"),
    both("Ier", "伊"),
    both("Jun", "君"),
    both("Lor", "洛"),
    both("Pel", "佩"),
    both("Rav", "拉"),
    both("Stel", "斯"),
    both("Thal", "塔"),
    both("Ul", "乌"),
    both("Wes", "韦"),
    both("Yar", "雅"),
    both("Zan", "赞"),
];

/// Second halves of invented names.
pub(super) const TAILS: [Both; 24] = [
    both("mora", "莫"),
    both("dane", "丹"),
    both("vik", "威"),
    both("lith", "利"),
    both("sund", "森"),
    both("quist", "奇"),
    both("bara", "巴"),
    both("thorn", "索"),
    both("neve", "妮"),
    both("gard", "嘉"),
    both("holm", "霍"),
    both("rios", "里"),
    both("mund", "蒙"),
    both("zeta", "泽"),
    both("fell", "费"),
    both("kova", "科"),
    both("wyn", "温"),
    both("pard", "帕"),
    both("tessa", "苔"),
    both("ludo", "露"),
    both("cairn", "凯"),
    both("shae", "夏"),
    both("drell", "迪"),
    both("jora", "乔"),
];

/// What an index is called, after an invented name.
pub(super) const INDEX: [Both; 2] = [both("Index", "指数"), both("Rating", "评分")];

/// The attribute name of a rule that says what one of something counts.
pub(super) const POINTS: Both = both("points per ", "每");
