//! Texts of results. None holds a digit or a fact; each is at least 25 English words or 60 Chinese characters long, so that
//! it also serves for compound queries (invariant I10). `{topic}` is whom the query is about. Data, but for the filling in.

use super::super::super::task::Language;

type Text = (&'static str, &'static str);

pub(super) fn of(language: Language) -> &'static [Text] {
    match language {
        Language::En => ENGLISH,
        Language::Zh => CHINESE,
    }
}

/// Whom a page is about if the query names nobody.
pub(super) fn nobody(language: Language) -> &'static str {
    match language {
        Language::En => "the subject",
        Language::Zh => "这一话题",
    }
}

pub(super) fn fill((title, content): Text, topic: &str) -> (String, String) {
    (title.replace("{topic}", topic), content.replace("{topic}", topic))
}

/// The result that tells a fact.
pub(super) fn told(language: Language, key: &str, value: &str) -> (String, String) {
    match language {
        Language::En => (
            key.to_owned(),
            format!(
                "The register has one entry on this. {key}: {value}. The entry has been confirmed and is not expected to change."
            ),
        ),
        Language::Zh => (
            key.to_owned(),
            format!("公开名录中有一条相关记录。{key}：{value}。该记录已经核实，预计不会再有变动。"),
        ),
    }
}

const ENGLISH: &[Text] = &[
    (
        "{topic}: a portrait",
        "A long portrait of {topic} looks at habits, moods and the people behind the scenes. It describes how decisions are made and what visitors notice first, but leaves figures and records to others.",
    ),
    (
        "What readers say about {topic}",
        "Readers discuss {topic} at length in this thread. Some remember earlier days with affection, others think that too much is made of it, and nobody quotes a source that could be checked by anyone else.",
    ),
    (
        "Background: how to read reports on {topic}",
        "This guide explains how reports on {topic} come about, who publishes them and why different pages may use different terms. It advises looking for one thing at a time and for one period only.",
    ),
    (
        "Opinion: the debate around {topic}",
        "The columnist argues that the debate around {topic} has become louder without becoming clearer. Several points of view are set side by side, none of them is supported by anything that could be looked up.",
    ),
    (
        "An evening with {topic}",
        "Our reporter spent an evening close to {topic} and writes about the weather, the food and a conversation in the corridor. Of results and plans there was hardly any talk, and nobody wished to be named.",
    ),
    (
        "Frequently asked: {topic}",
        "This page collects questions that people send in about {topic}. Most entries are still waiting for an answer by the editors; where there is one, it refers to the publications of the respective year.",
    ),
    (
        "{topic} in pictures",
        "A gallery of photographs shows {topic} at work and at rest. The captions name places and photographers, mention the light and the season, and otherwise let the pictures speak for themselves throughout.",
    ),
    (
        "Podcast: thinking aloud about {topic}",
        "In this relaxed episode two hosts chat about {topic}, lose their thread several times and return to stories from their own lives. Listeners who expect hard information will have to look for it elsewhere.",
    ),
];

const CHINESE: &[Text] = &[
    (
        "人物与故事：{topic}",
        "本文以随笔的形式介绍{topic}，从日常习惯谈到幕后人员的性格，描写细致，语气亲切。作者说明自己无意罗列资料，具体情况请读者另行查阅正式发布的内容，文中只保留了印象与感受。",
    ),
    (
        "网友热议{topic}",
        "论坛上关于{topic}的讨论持续升温，有人怀念从前，有人觉得评价过高，也有人只是路过闲聊。大家各执一词，却没有人给出可以核对的出处，版主提醒各位理性发言，不要轻信传闻。",
    ),
    (
        "如何阅读有关{topic}的报道",
        "这篇指南说明有关{topic}的报道通常由谁撰写、从何而来，以及不同网页为何会使用不同的说法。作者建议每次只查找一个对象的一个方面，并注明所关心的时间，这样才容易找到可靠的记录。",
    ),
    (
        "评论：围绕{topic}的争论",
        "专栏作者认为，围绕{topic}的争论声音越来越大，脉络却并没有因此变得清楚。文章并列了几种常见的看法，对每一种都表示理解，但没有提供任何可供查证的材料，结论也留给读者自己判断。",
    ),
    (
        "走近{topic}的一个傍晚",
        "记者在一个傍晚走近{topic}，写下了天气、晚餐和走廊里的一段闲谈。至于成绩与计划，在场的人几乎没有提起，也没有人愿意具名。整篇报道更像一幅速写，留下的是气氛而不是资料。",
    ),
    (
        "常见问题：{topic}",
        "本页整理了读者寄来的有关{topic}的问题。大部分条目仍在等待编辑部回复，已经回复的条目也只是请读者参阅相应时期的正式出版物。编辑部表示会陆续补充，感谢大家的耐心与支持。",
    ),
    (
        "图集：镜头里的{topic}",
        "这组照片记录了{topic}忙碌与休息时的样子。图片说明只写了地点和摄影者，偶尔提到光线与季节，其余的都交给画面自己来讲述。策展人希望观众放慢脚步，在安静之中慢慢体会其中的细节。",
    ),
    (
        "播客：随便聊聊{topic}",
        "在这一期轻松的节目里，两位主持人随意聊起{topic}，几次跑题，又几次绕回自己的生活琐事。期待得到确切信息的听众恐怕要去别处寻找，节目组也坦言这一期只适合在散步或做家务时收听。",
    ),
];
