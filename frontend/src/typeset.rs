//! Formulas of texts, set as MathML. Where a text has one, its source stands in an element of the class [`CLASS`]
//! ([`turnwise_shared::maths`]); once the part of the app that can read it is here, a picture of it stands before the source, which
//! from then on is there to be copied. What cannot be read stays as it is.

use std::cell::Cell;

use leptos::prelude::document;
use math_core::{LatexToMathML, MathDisplay};
use turnwise_shared::maths::CLASS;
use wasm_bindgen_futures::spawn_local;
use web_sys::{DomParser, Element, Node, SupportedType};

use crate::later::later;
use crate::prelude::*;
use crate::{clock, translated};

const NAMESPACE: &str = "http://www.w3.org/1998/Math/MathML";

later! {
    /// Sets the formulas that wait for it.
    maths: fn set_all() -> () {
        all();
    }
}

thread_local! {
    static IS_SETTING: Cell<bool> = const { Cell::new(false) };
}

/// Sets every formula that comes, as long as the page is open.
pub fn follow() {
    let waiting = document().get_elements_by_class_name(CLASS);
    let Some(body) = document().body() else {
        return;
    };
    let set = move || {
        if waiting.length() == 0 || IS_SETTING.replace(true) {
            return;
        }
        spawn_local(async {
            clock::breathe().await;
            // Without it the sources stay, and nothing is asked for again.
            IS_SETTING.set(set_all().await.is_err());
        });
    };
    set();
    if let Ok(observer) = translated::observer(move |_| set()) {
        // It fails only for options that contradict each other.
        let _ = observer.observe_with_options(&body, &translated::changes());
    }
}

fn all() {
    let Ok(reader) = LatexToMathML::new(Default::default()) else {
        return;
    };
    let waiting = document().get_elements_by_class_name(CLASS);
    // The list has no longer what was looked at.
    while let Some(element) = waiting.item(0) {
        element.set_class_name("tex-source");
        // What the server wrote goes, and the app reads from it before.
        if element.closest("[data-first]").is_ok_and(|first| first.is_none()) {
            let _ = set(&reader, &element);
        }
    }
}

/// Sets one formula; `None` if that cannot be done.
fn set(reader: &LatexToMathML, element: &Element) -> Option<()> {
    let source = element.text_content()?;
    let (tex, display) = inner(source.trim());
    let mathml = reader.convert_with_local_state(tex, display).ok()?.mathml;
    let parsed =
        DomParser::new().ok()?.parse_from_string(&mathml, SupportedType::ApplicationXml).ok()?;
    let formula = copy(&parsed.document_element()?)?;
    formula.set_attribute("title", tex).ok()?;
    let text = document().create_element("span").ok()?;
    text.set_class_name("sr");
    text.set_attribute("aria-hidden", "true").ok()?;
    while let Some(child) = element.first_child() {
        text.append_child(&child).ok()?;
    }
    if display == MathDisplay::Block {
        formula.set_attribute("display", "block").ok()?;
    }
    element.set_class_name(if display == MathDisplay::Block {
        "tex-set tex-block"
    } else {
        "tex-set"
    });
    element.append_child(&formula).ok()?;
    element.append_child(&text).ok()?;
    Some(())
}

/// A formula without what opens and closes it.
fn inner(source: &str) -> (&str, MathDisplay) {
    let between = |open: &str, close: &str| source.strip_prefix(open)?.strip_suffix(close);
    let block = between("$$", "$$").or_else(|| between("\\[", "\\]"));
    let inline = || between("$", "$").or_else(|| between("\\(", "\\)"));
    match block {
        Some(tex) => (tex, MathDisplay::Block),
        None => (inline().unwrap_or(source), MathDisplay::Inline),
    }
}

/// An element of MathML made anew, with what is in it: only elements and attributes of mathematics.
fn copy(element: &Element) -> Option<Element> {
    let name = element.local_name();
    let is_plain = name.starts_with('m') && name.bytes().all(|byte| byte.is_ascii_lowercase());
    let made =
        document().create_element_ns(Some(NAMESPACE), is_plain.then_some(name.as_str())?).ok()?;
    for attribute in element.get_attribute_names().iter().filter_map(|name| name.as_string()) {
        if ATTRIBUTES.contains(&attribute.as_str()) {
            made.set_attribute(&attribute, &element.get_attribute(&attribute)?).ok()?;
        }
    }
    let children = element.child_nodes();
    for child in (0..children.length()).filter_map(|at| children.item(at)) {
        let child: Node = match child.dyn_ref::<Element>() {
            Some(child) => copy(child)?.into(),
            None => document().create_text_node(&child.text_content()?).into(),
        };
        made.append_child(&child).ok()?;
    }
    Some(made)
}

/// Attributes that say how mathematics is set.
const ATTRIBUTES: [&str; 24] = [
    "accent",
    "accentunder",
    "columnalign",
    "columnspan",
    "depth",
    "displaystyle",
    "fence",
    "form",
    "height",
    "largeop",
    "linethickness",
    "lspace",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "rowspan",
    "rspace",
    "scriptlevel",
    "separator",
    "stretchy",
    "symmetric",
    "voffset",
    "width",
];
