//! What a spec of InteractComp may say besides its settings.

use super::spec;
use crate::InteractComp;
use crate::mode::Mode;
use turnwise_core::benchmark::Setup;
use turnwise_core::prelude::*;

/// Which part of a spec is refused.
fn refused(change: impl FnOnce(&mut Spec)) -> Option<String> {
    let mut spec = spec(Profile::Strict, Mode::Full, 10, 5);
    change(&mut spec);
    <dyn Benchmark>::check_spec(&InteractComp, &spec).err().map(|bad| bad.field)
}

/// An episode asks for five results whatever the spec says, so the spec may say nothing else: prices and pages would count
/// searches that were never made.
#[test]
fn a_search_brings_five_results() {
    assert_eq!(refused(|_| ()), None);
    for results in [0, 4, 6] {
        let other = refused(|spec| {
            if let Some(search) = &mut spec.search {
                search.results = results;
            }
        });
        assert_eq!(other.as_deref(), Some("search.results"), "{results}");
    }
    assert_eq!(refused(|spec| spec.search = None).as_deref(), Some("search"));
}

#[test]
fn families_that_refuse_a_temperature_are_known_by_their_whole_names() {
    let sampling = |model: &str| {
        <dyn Benchmark>::default_sampling(
            &InteractComp,
            Setup::USUAL,
            &Seat::new(Seat::PLAYER),
            model,
        )
    };
    for model in ["o3", "o3-mini-2025-01-31", "gpt-5", "openai/gpt-5.1", "gpt-5-mini"] {
        assert_eq!(sampling(model), Default::default(), "{model}");
    }
    for model in ["my-foo3-model", "pro3", "o30", "gpt-50", "gpt-4o", "o3/local"] {
        assert_eq!(sampling(model).temperature, Some(0.6), "{model}");
    }
}
