//! The prompts of the authors' program by their digests, as of its commit e0d7256. It has no prompt of ours that asks again, none that names
//! the tools with parts of pages, and a page summary in Chinese alone; the paper's unified judge is not in it.

use turnwise_core::benchmark::verbatim::{Printed, Verbatim};

use crate::prompts::pack;

pub const VERBATIM: Verbatim =
    Verbatim { name: "infodeepseek-verbatim", printed: &PRINTED, ours: pack, stored: |_, text| text };

const VARIABLES: &[(&str, &str)] = &[
    ("agent_name", "N"),
    ("agent_bio", "B"),
    ("agent_instructions", "I"),
    ("max_iter_num", "5"),
    ("tool_specification", "T"),
    ("current_date_and_time", "D"),
    ("memory", "M"),
    ("goal", "Q"),
    ("max_webpage_num", "5"),
    ("webpages", "W"),
    ("query", "Q"),
    ("reference_answer", "R"),
    ("candidate_answer", "C"),
];

const PRINTED: [Printed; 12] = [
    Printed::new("plan_en", VARIABLES, [8, 1766], "c23b78bfcc848f32925d0158509fd7336fc02323b829678f354baae18e6c8610"),
    Printed::new("plan_zh", VARIABLES, [9, 650], "62ad5e47a762d41470db2b614a9e7487acaf1da2b25e8af8e28dc0ad5c8e3f76"),
    Printed::new("plan_aware_en", VARIABLES, [8, 2041], "57f3910de8ee2abb179224b5b9d885038e67188880476c5ac6e0814ebe46b5d7"),
    Printed::new("plan_aware_zh", VARIABLES, [9, 721], "9b836dd49575eaa3695d403220efd6d7dbfac00d25ac0a2343935d52b7fc1dbe"),
    Printed::new("rank_en", VARIABLES, [10, 1483], "f66bf389d35b952741b6069de208635060083cf6a946e2a9a32421e0008de5bd"),
    Printed::new("rank_zh", VARIABLES, [10, 475], "f5dcb281cf84f3665ba36eba92cf1f50ba253cec463bc44d1a1174b7168143e3"),
    Printed::new("answer_en", VARIABLES, [6, 399], "6dfdb9ce77f40ed8e6015b18fc6918222633d800f99c2b43d466dc41176a2ce6"),
    Printed::new("answer_zh", VARIABLES, [6, 138], "5af380550b3121133bc7ebb049f863241d82eee4449c740ae6a3710c427eeb60"),
    Printed::new("judge_en", VARIABLES, [3, 1167], "4f7853f80edf6c0bcb2de766b3c70e17b959bf8f30f839bb33e383231a5fe48b"),
    Printed::new("judge_zh", VARIABLES, [3, 329], "e075b6e090638169c4db99bd18e47bd278e485d04977fb297d69cd719b68233f"),
    Printed::new("judge_false_premise_en", VARIABLES, [3, 1057], "f7f729e194107d0c3a1475db1ccda5eaa5ec65d5e81e929954ea7b84a7a2da56"),
    Printed::new("judge_false_premise_zh", VARIABLES, [3, 295], "0a63b7032e08928034a24da02e16a6762b896522ce22d3a8c65ad8a3567e0125"),
];

#[cfg(test)]
mod tests {
    use turnwise_core::testing::Case;

    use super::*;

    /// Every variable of the authors' templates is given a value by our requests, so that a copy can take the place of ours.
    #[test]
    fn a_copy_can_take_the_place_of_each_template() {
        let ours = pack().templates;
        let unprinted: Vec<&String> = ours
            .keys()
            .filter(|name| PRINTED.iter().all(|printed| printed.template != name.as_str()))
            .collect();
        let expected = [
            "again_en", "again_zh", "date_en", "date_zh", "judge_unified_en", "judge_unified_zh", "read_en", "read_zh",
            "tools_en", "tools_zh",
        ];
        assert_eq!(unprinted, expected);
        let spec = crate::tests::spec(serde_json::json!({}));
        let set = crate::tests::questions();
        let case = Case::new(&crate::InfoDeepSeek, &spec, &set.tasks[0]);
        let played = case.play_by(|call, effect| case.answer(call, effect));
        let mut known = std::collections::BTreeSet::new();
        for shown in &played.shown {
            for message in &shown.ask.messages {
                if let turnwise_core::prompt::Content::Template { variables, .. } = &message.content {
                    known.extend(variables.keys().cloned());
                }
            }
        }
        assert!(VARIABLES.iter().all(|(name, _)| known.contains(*name)), "{known:?}");
        assert!(!VERBATIM.import("mine", &ours).is_verbatim);
    }
}
