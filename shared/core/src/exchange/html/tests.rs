use super::number::{interval, shown};
use crate::markup::Markup;
use crate::metrics::report::Unit;

#[test]
fn nothing_that_was_written_becomes_markup() {
    let mut page = Markup::default();
    page.element("p", "a\" onclick=\"b", "<script>&'\u{202e}\u{7}\r\n");
    assert_eq!(
        page.done(),
        "<p class=\"a&quot; onclick=&quot;b\">&lt;script&gt;&amp;&#39;\u{fffd}\u{fffd}\n</p>\n"
    );
}

#[test]
fn a_preformatted_text_keeps_its_first_line_break() {
    let mut page = Markup::default();
    page.element("pre", "", "\nx");
    assert_eq!(page.done(), "<pre>\n\nx</pre>\n");
}

#[test]
fn numbers_are_shown_in_their_unit() {
    for (value, unit, text) in [
        (Some(0.25), Unit::Fraction, "25.0 %"),
        (Some(1234.0), Unit::Count, "1,234"),
        (Some(-12.5), Unit::Chips, "−12.50"),
        (Some(0.0), Unit::Dollars, "$0"),
        (Some(0.5), Unit::Dollars, "$0.5000"),
        (Some(f64::NAN), Unit::Number, "–"),
        (None, Unit::Tokens, "–"),
    ] {
        assert_eq!(shown(value, unit), text);
    }
    assert_eq!(interval(Some((0.1, 0.2)), Unit::Fraction), "10.0 % to 20.0 %");
}
