//! Words for the same, in every world: whoever asks need not use the words of a world's makers.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::text::Words;

/// Each line holds expressions for the same, separated by `|`. One of them inside a name of an attribute may stand for another.
/// Data only.
const GROUPS: &[&str] = &[
    "concerts|shows|gigs|live performances|performances|perform live|performed live|concerts given",
    "employees|staff|workers|workforce|personnel|headcount|people employed|people worked|people work|team size|size of the team|staffers",
    "spectators|attendance|crowd|fans|people watched|visitors|gate numbers|gate figures|turnout",
    "stores|shops|outlets|retail locations|retail sites",
    "showrooms|show rooms|dealerships|salesrooms",
    "charging stations|charging points|charging sites|chargers|charge points|charging locations",
    "co-development|codevelopment|co-dev|joint development|development|jointly developed",
    "partner|partnership|ally|alliance|collaborator|team up|teamed up|cooperation",
    "kilometres|kilometers|km|mileage|distance|how far|kms",
    "updates|patches|game patches",
    "shipments|units shipped|shipment volume|phones shipped",
    "points|pts",
    "winner|won|recipient|awarded to|laureate|victor|winning|went to",
    "home town|hometown|town|city|located|location|where",
    "ascent|climb|climbed|elevation gain|height gain|vertical gain|altitude gain",
    "beds|sleeping places|bed capacity|sleeping capacity|berths|capacity",
    "insured value|insurance value|value insured|insured for|insured sum|valued|value",
    "insurance rate|insurance percentage|percentage insurance|insurance premium|rate of insurance|percent insurance|insurance share",
    "crossing|crossing time|passage time|ferry duration|trip duration|journey time|travel time|sailing time",
    "boarding|embarkation|embarking|board",
    "rule|regulation|requirement|policy",
    "first|1st|1",
    "second|2nd|2",
    "third|3rd|3",
    "fourth|4th|4",
    "演出|演唱会|音乐会|演几场|开几场|办几场",
    "比赛|打几场|踢几场|出场",
    "销量|销售|卖出|售出|卖多少|卖|出售",
    "员工|职工|雇员|雇|人手|人员|工作人员|团队人|人数规模|雇佣",
    "门店|店铺|商店|实体店|店面|分店|开店|线下店|开几家店",
    "测试|试车|试跑",
    "充电站|充电桩|充电点",
    "折扣|打折|几折|打几折|折",
    "原售价|售价|原价|定价|价格|多少钱|价钱|卖价",
    "最畅销|销量最高|卖得最好|卖得最多|销量第一|销售最好|销量冠军",
    "合格标准|合格条件|合格规定|合格要求|算合格|达标标准|合格的规定",
    "册数|本数|数量|多少本|多少册",
    "停机|停工|停了多少天机|停止运行",
    "印刷合作方|印刷伙伴|合作印刷厂|印书厂|印书",
];

/// Other ways to say names that mean the attributes of a world, where they mean one of them only.
pub(super) fn others(names: &[(Words, String)]) -> Vec<(Words, String)> {
    // What is meant, or nothing where two things are.
    let mut meant: BTreeMap<Words, Option<&String>> = BTreeMap::new();
    let mut add = |words: Words, of| {
        let known = meant.entry(words).or_insert(Some(of));
        if *known != Some(of) {
            *known = None;
        }
    };
    for (name, of) in names {
        for group in groups() {
            for (place, own) in group.iter().filter_map(|own| Some((name.places(own).next()?, own)))
            {
                for other in group.iter().filter(|other| *other != own) {
                    let mut words = name.0.clone();
                    words.splice(place..place + own.len(), other.0.iter().cloned());
                    add(Words(words), of);
                }
            }
        }
        for words in rule_forms(name) {
            add(words, of);
        }
    }
    let known = |words: &Words| names.iter().any(|(name, _)| name == words);
    meant
        .into_iter()
        .filter(|(words, _)| !known(words))
        .filter_map(|(words, of)| Some((words, of?.clone())))
        .collect()
}

/// The groups, read once.
fn groups() -> &'static [Vec<Words>] {
    static READ: OnceLock<Vec<Vec<Words>>> = OnceLock::new();
    READ.get_or_init(|| {
        let groups = GROUPS.iter();
        groups.map(|group| group.split('|').map(Words::of).collect()).collect()
    })
}

/// `每场演出积分` is also asked for as `演出积分` and `演出一场`.
fn rule_forms(name: &Words) -> Vec<Words> {
    let characters: Vec<&str> = name.0.iter().map(String::as_str).collect();
    let ["每", measure, noun @ .., "积", "分"] = characters.as_slice() else {
        return Vec::new();
    };
    let noun = noun.concat();
    let forms = [format!("{noun}积分"), format!("{noun}一{measure}"), format!("{noun}每{measure}")];
    forms.iter().map(|form| Words::of(form)).collect()
}
