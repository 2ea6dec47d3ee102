//! The paper's prompts by their digests (specification 4).

use turnwise_core::benchmark::verbatim::Verbatim;

use super::prompts::{as_stored, default_pack};

pub const VERBATIM: Verbatim = Verbatim {
    name: "interactcomp-verbatim",
    // Every template of the paper (specification 4), and the three that only the authors' program has.
    printed: include_str!("verbatim.tsv"),
    ours: default_pack,
    stored: as_stored,
};

#[cfg(test)]
mod tests {
    use turnwise_core::benchmark::verbatim::Compared;

    use super::*;

    /// What any mode can send, under either profile, is either checked against a digest or has to be ours.
    #[test]
    fn every_template_of_the_pack_is_checked() {
        let ours = default_pack().templates;
        let all = VERBATIM.printed();
        for printed in &all {
            assert!(ours.contains_key(printed.template), "{}", printed.template);
        }
        let unprinted: Vec<&String> = ours
            .keys()
            .filter(|name| all.iter().all(|printed| printed.template != name.as_str()))
            .collect();
        assert_eq!(unprinted, ["asking", "repair"]);
    }

    /// The program's own remarks, made of the words that specification 3.7 and 4 quote.
    #[test]
    fn what_only_the_program_has_is_recognised_too() {
        let early = "Answer is not allowed before {min_asks} asks. Asks so far: {asked}/{min_asks}. Please use ask or search.";
        let printed = |name: &str| VERBATIM.printed().into_iter().find(|one| one.template == name);
        let early_printed = printed("feedback_early").expect("it is printed");
        let same = |text: &str| matches!(early_printed.compare(text), Compared::Same { .. });
        assert!(same(early) && same(&format!("{early}\n")));
        assert!(!same(&early.replace("{asked}/", "1/")));
        assert!(!same(&early.replace("ask or search", "search or ask")));
    }
}
