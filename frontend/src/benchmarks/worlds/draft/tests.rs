use turnwise_shared::benchmarks::worlds::schema::{ParaLaw, ParaQuestion, Schema};
use turnwise_shared::benchmarks::worlds::work::check_edit;

use super::*;

fn law() -> Value {
    json!({
        "facts": [
            { "key": "population of A in 2036", "value": "9", "kind": "data", "entity": "A" },
            { "key": "population of B in 2036", "value": "7", "depends_on": ["population of A in 2036"] },
        ],
        "derivation": ["9 > 7"],
        "answer_short": "A",
        "answer_long": "A has more.",
    })
}

fn at(member: &'static str, row: Option<usize>, field: Option<&'static str>) -> Place {
    Place { member, row, field }
}

#[test]
fn every_member_that_can_be_read_has_fields() {
    let names = |members: &[Member]| -> Vec<&str> {
        let name = |member: &Member| match member {
            Member::One(field) => field.name,
            Member::Group(name, _) | Member::Rows(name, _) | Member::Texts(name) => name,
        };
        members.iter().map(name).collect()
    };
    assert_eq!(names(members(&law())), ParaLaw::KEYS);
    assert_eq!(names(members(&json!({ "text": "Q?" }))), ParaQuestion::KEYS);
}

#[test]
fn a_change_to_a_field_is_written_and_nothing_else() {
    let draft = law();
    let place = at("facts", Some(1), Some("value"));
    let written = put(&draft, "{}", place, Kind::Line, "8").expect("it can be written");
    let read: Value = serde_json::from_str(&written).expect("it is JSON");
    assert_eq!(read.as_object().map(Map::len), Some(1), "{written}");
    let whole = whole(&draft, &written).expect("an object");
    assert_eq!(text(&whole, place), "8");
    assert_eq!(text(&whole, at("answer_short", None, None)), "A");
    assert_eq!(text(&whole, at("facts", Some(1), Some("depends_on"))), "population of A in 2036");
    assert_eq!(check_edit(&draft.to_string(), &written), Ok(()));
}

#[test]
fn blank_fields_that_may_be_absent_are_left_out() {
    let draft = law();
    let entity = at("facts", Some(0), Some("entity"));
    let written = put(&draft, "", entity, Kind::Maybe, " ").expect("it can be written");
    let needs = at("facts", Some(1), Some("depends_on"));
    let written = put(&draft, &written, needs, Kind::Lines, "\n").expect("it can be written");
    let read: Value = serde_json::from_str(&written).expect("it is JSON");
    assert_eq!(read.pointer("/facts/0/entity"), None);
    assert_eq!(read.pointer("/facts/1/depends_on"), None);
    assert_eq!(check_edit(&draft.to_string(), &written), Ok(()));
}

#[test]
fn rows_come_and_go() {
    let draft = law();
    let facts = &members(&draft)[0];
    let written = add(&draft, "", facts).expect("a row more");
    let longer = whole(&draft, &written).expect("an object");
    assert_eq!(rows(&longer, "facts"), 3);
    assert_eq!(text(&longer, at("facts", Some(2), Some("kind"))), "data");
    assert_eq!(check_edit(&draft.to_string(), &written), Ok(()));
    let written = remove(&draft, &written, "facts", 0).expect("a row less");
    let shorter = whole(&draft, &written).expect("an object");
    assert_eq!(rows(&shorter, "facts"), 2);
    assert_eq!(text(&shorter, at("facts", Some(0), Some("value"))), "7");
    let written = add(&draft, "", &Member::Texts("derivation")).expect("a row more");
    assert_eq!(rows(&whole(&draft, &written).expect("an object"), "derivation"), 2);
}

#[test]
fn a_number_that_is_none_is_for_the_check_to_refuse() {
    let draft = json!({ "text": "Q?", "time_window": { "from": 2036, "to": 2037 } });
    let from = at("time_window", None, Some("from"));
    let written = put(&draft, "", from, Kind::Number, "2035").expect("it can be written");
    assert_eq!(check_edit(&draft.to_string(), &written), Ok(()));
    assert_eq!(text(&whole(&draft, &written).expect("an object"), from), "2035");
    let written = put(&draft, &written, from, Kind::Number, "soon").expect("it can be written");
    assert!(check_edit(&draft.to_string(), &written).is_err(), "{written}");
}

#[test]
fn what_is_no_object_has_no_fields() {
    let draft = law();
    for written in ["{\"facts\"", "[]", "7"] {
        assert_eq!(whole(&draft, written), None, "{written}");
        assert_eq!(remove(&draft, written, "facts", 0), None);
    }
}
