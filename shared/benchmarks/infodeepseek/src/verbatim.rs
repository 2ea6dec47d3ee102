//! The prompts of the authors' program by their digests, as of its commit e0d7256. It has no prompt of ours that asks again, none that names
//! the tools with parts of pages, and a page summary in Chinese alone; the paper's unified judge is not in it.

use turnwise_core::benchmark::verbatim::Verbatim;

use crate::prompts::pack;

pub const VERBATIM: Verbatim = Verbatim {
    name: "infodeepseek-verbatim",
    printed: include_str!("verbatim.tsv"),
    ours: pack,
    stored: |_, text| text,
};

#[cfg(test)]
mod tests {
    use turnwise_core::testing::Case;

    use super::*;

    /// Every variable of the authors' templates is given a value by our requests, so that a copy can take the place of ours.
    #[test]
    fn a_copy_can_take_the_place_of_each_template() {
        let ours = pack().templates;
        let printed = VERBATIM.printed();
        let unprinted: Vec<&String> = ours
            .keys()
            .filter(|name| printed.iter().all(|printed| printed.template != name.as_str()))
            .collect();
        let expected = [
            "again_en",
            "again_zh",
            "date_en",
            "date_zh",
            "judge_unified_en",
            "judge_unified_zh",
            "read_en",
            "read_zh",
            "tools_en",
            "tools_zh",
        ];
        assert_eq!(unprinted, expected);
        let spec = crate::tests::spec(serde_json::json!({}));
        let set = crate::tests::questions();
        let case = Case::new(&crate::InfoDeepSeek, &spec, &set.tasks[0]);
        let played = case.play_by(|call, effect| case.answer(call, effect));
        let mut known = std::collections::BTreeSet::new();
        for shown in &played.shown {
            for message in &shown.ask.messages {
                if let turnwise_core::prompt::Content::Template { variables, .. } = &message.content
                {
                    known.extend(variables.keys().cloned());
                }
            }
        }
        assert!(printed[0].variables.iter().all(|(name, _)| known.contains(*name)), "{known:?}");
        assert!(!VERBATIM.import("mine", &ours).is_verbatim);
    }
}
