//! The paper's prompts by their digests (specification 4).

use turnwise_core::benchmark::verbatim::{Printed, Verbatim};

use super::prompts::{as_stored, default_pack};

pub const VERBATIM: Verbatim = Verbatim {
    name: "interactcomp-verbatim",
    printed: &PRINTED,
    ours: default_pack,
    stored: as_stored,
};

/// Every template of the paper (specification 4), and the three that only the authors' program has.
pub const PRINTED: [Printed; 11] = [
    Printed::new(
        "system",
        &[("actions", "X"), ("question", "Y")],
        [2, 1468],
        "433a9055f41e50f1279e1443f009c6d0f3f7c3f249c38aaffc71b7d59c54ce98",
    ),
    Printed::new(
        "act",
        &[
            ("memory", "M"),
            ("last_action", "A"),
            ("last_observation", "O"),
            ("question", "Y"),
            ("round_info", "1/2"),
        ],
        [5, 523],
        "f4e2ac2f21ac1253954575e05ac0c8516480a800d1ca5dd72e82936bae8c5674",
    ),
    Printed::new(
        "final",
        &[("memory", "M"), ("question", "Y"), ("round_info", "2/2")],
        [3, 418],
        "58de4a77ba8db6c3257e612fb83cf338c574a02631c38b86bb5711f7fbefc9fc",
    ),
    Printed::new(
        "responder",
        &[("context", "C"), ("question", "Y")],
        [2, 675],
        "e45cac112ab9ceeac01b1d81706358612926f56051967a582f2bb08a755c10cb",
    ),
    Printed::new(
        "grader",
        &[("question", "Y"), ("predicted_answer", "P"), ("correct_answer", "A")],
        [3, 661],
        "8a54b65b26bcb29cff264dc4e06bf91181ebb9839214c09424283c16f6fcf1a2",
    ),
    Printed::new(
        "action_answer",
        &[],
        [0, 224],
        "e192b6588a5cad015c8097de0cf5257d11d38ff3cbaf949f8e0dbccc14b0d7a9",
    ),
    Printed::new(
        "action_search",
        &[],
        [0, 150],
        "1568673ccd81aa87231189809575d8f25431f8feb0e25f74aec36fc884c8183b",
    ),
    Printed::new(
        "action_ask",
        &[],
        [0, 388],
        "e16f643d160f367befc921fd261e454c93dc02014770e0143512f37314b84dc8",
    ),
    Printed::new(
        "constraints",
        &[("min_asks", "2")],
        [1, 131],
        "f573cfa1e91029451e9e3b8190b2a1eb920b252dc31d8b1d50093b57cb700329",
    ),
    Printed::new(
        "feedback_invalid",
        &[("actions", "X")],
        [1, 38],
        "59e9c99b05714b97dbec671d71873f90da15a0045ba30cbbc47e7f737ed9c9fc",
    ),
    Printed::new(
        "feedback_early",
        &[("min_asks", "2"), ("asked", "1")],
        [3, 80],
        "e5429c50665cb75668858d6f0c36ecdce34671969311b06105b808074d41bb83",
    ),
];

#[cfg(test)]
mod tests {
    use turnwise_core::benchmark::verbatim::Compared;

    use super::*;

    /// What any mode can send, under either profile, is either checked against a digest or has to be ours.
    #[test]
    fn every_template_of_the_pack_is_checked() {
        let ours = default_pack().templates;
        for printed in PRINTED {
            assert!(ours.contains_key(printed.template), "{}", printed.template);
        }
        let unprinted: Vec<&String> = ours
            .keys()
            .filter(|name| PRINTED.iter().all(|printed| printed.template != name.as_str()))
            .collect();
        assert_eq!(unprinted, ["asking", "repair"]);
    }

    /// The program's own remarks, made of the words that specification 3.7 and 4 quote.
    #[test]
    fn what_only_the_program_has_is_recognised_too() {
        let early = "Answer is not allowed before {min_asks} asks. Asks so far: {asked}/{min_asks}. Please use ask or search.";
        let printed = |name: &str| PRINTED.into_iter().find(|one| one.template == name);
        let early_printed = printed("feedback_early").expect("it is printed");
        let same = |text: &str| matches!(early_printed.compare(text), Compared::Same { .. });
        assert!(same(early) && same(&format!("{early}\n")));
        assert!(!same(&early.replace("{asked}/", "1/")));
        assert!(!same(&early.replace("ask or search", "search or ask")));
    }
}
