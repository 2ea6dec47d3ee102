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
    Printed {
        template: "system",
        variables: &[("actions", "X"), ("question", "Y")],
        places: 2,
        characters: 1468,
        digest: "433a9055f41e50f1279e1443f009c6d0f3f7c3f249c38aaffc71b7d59c54ce98",
    },
    Printed {
        template: "act",
        variables: &[
            ("memory", "M"),
            ("last_action", "A"),
            ("last_observation", "O"),
            ("question", "Y"),
            ("round_info", "1/2"),
        ],
        places: 5,
        characters: 523,
        digest: "f4e2ac2f21ac1253954575e05ac0c8516480a800d1ca5dd72e82936bae8c5674",
    },
    Printed {
        template: "final",
        variables: &[("memory", "M"), ("question", "Y"), ("round_info", "2/2")],
        places: 3,
        characters: 418,
        digest: "58de4a77ba8db6c3257e612fb83cf338c574a02631c38b86bb5711f7fbefc9fc",
    },
    Printed {
        template: "responder",
        variables: &[("context", "C"), ("question", "Y")],
        places: 2,
        characters: 675,
        digest: "e45cac112ab9ceeac01b1d81706358612926f56051967a582f2bb08a755c10cb",
    },
    Printed {
        template: "grader",
        variables: &[("question", "Y"), ("predicted_answer", "P"), ("correct_answer", "A")],
        places: 3,
        characters: 661,
        digest: "8a54b65b26bcb29cff264dc4e06bf91181ebb9839214c09424283c16f6fcf1a2",
    },
    Printed {
        template: "action_answer",
        variables: &[],
        places: 0,
        characters: 224,
        digest: "e192b6588a5cad015c8097de0cf5257d11d38ff3cbaf949f8e0dbccc14b0d7a9",
    },
    Printed {
        template: "action_search",
        variables: &[],
        places: 0,
        characters: 150,
        digest: "1568673ccd81aa87231189809575d8f25431f8feb0e25f74aec36fc884c8183b",
    },
    Printed {
        template: "action_ask",
        variables: &[],
        places: 0,
        characters: 388,
        digest: "e16f643d160f367befc921fd261e454c93dc02014770e0143512f37314b84dc8",
    },
    Printed {
        template: "constraints",
        variables: &[("min_asks", "2")],
        places: 1,
        characters: 131,
        digest: "f573cfa1e91029451e9e3b8190b2a1eb920b252dc31d8b1d50093b57cb700329",
    },
    Printed {
        template: "feedback_invalid",
        variables: &[("actions", "X")],
        places: 1,
        characters: 38,
        digest: "59e9c99b05714b97dbec671d71873f90da15a0045ba30cbbc47e7f737ed9c9fc",
    },
    Printed {
        template: "feedback_early",
        variables: &[("min_asks", "2"), ("asked", "1")],
        places: 3,
        characters: 80,
        digest: "e5429c50665cb75668858d6f0c36ecdce34671969311b06105b808074d41bb83",
    },
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
