//! Can a page be used by those who listen to it, or who have no mouse? What can be seen from the page alone is always
//! checked; the rules of axe-core where it is at hand.

use std::path::PathBuf;
use std::sync::LazyLock;

use chromiumoxide::cdp::browser_protocol::accessibility::{AxValue, GetFullAxTreeParams};
use serde_json::{Value, json};

use super::{Tab, timely};
use crate::server::skipped;

/// Where axe-core is looked for.
const VARIABLE: &str = "TURNWISE_AXE";

/// What has a role of these needs a name.
const CONTROLS: [&str; 13] = [
    "button",
    "link",
    "textbox",
    "searchbox",
    "combobox",
    "slider",
    "spinbutton",
    "checkbox",
    "radio",
    "switch",
    "listbox",
    "tab",
    "image",
];

/// The text of axe-core, if it is at hand. That it is not is said once.
static AXE: LazyLock<Option<String>> = LazyLock::new(|| {
    let file = axe_file();
    if file.is_none() {
        skipped(&format!(
            "the rules of axe-core: {VARIABLE} names no axe.min.js, and none is in the cache"
        ));
    }
    file.map(|file| std::fs::read_to_string(file).expect("axe.min.js can be read"))
});

/// `axe.min.js` of axe-core: what `TURNWISE_AXE` names, else `turnwise/axe.min.js` in the user's cache folder. It is never
/// downloaded. `None` if it is not there.
pub fn axe_file() -> Option<PathBuf> {
    let named = std::env::var_os(VARIABLE).map(PathBuf::from);
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
    named
        .or_else(|| cache.map(|cache| cache.join("turnwise/axe.min.js")))
        .filter(|file| file.is_file())
}

/// What is wrong with the elements of a page, one sentence for each.
const FAULTS: &str = "(() => { \
     const said = element => element.outerHTML.slice(0, 120); const faults = []; \
     const all = [...document.querySelectorAll('[id]')].map(element => element.id); \
     for (const id of new Set(all.filter((id, at) => all.indexOf(id) !== at))) faults.push(`the id ${id} stands twice`); \
     const first = document.querySelectorAll('h1').length; \
     if (first !== 1) faults.push(`${first} headings of the first level`); \
     for (const image of document.querySelectorAll('img:not([alt])')) faults.push(`no alt: ${said(image)}`); \
     for (const name of ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls']) \
       for (const element of document.querySelectorAll(`[${name}]`)) \
         for (const id of element.getAttribute(name).split(' ')) \
           if (name !== 'aria-controls' && id && !document.getElementById(id)) faults.push(`${name} names nothing: ${said(element)}`); \
     if (!document.documentElement.lang) faults.push('the page does not say its language'); \
     if (!document.title) faults.push('the page has no title'); \
     return faults; })()";

/// The controls on which the keyboard's focus cannot be seen. After a key was pressed, `focus()` shows as Tab does.
const UNSEEN: &str = "(() => { const before = document.activeElement; const unseen = []; \
     const shows = element => { const style = getComputedStyle(element); \
       return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none'; }; \
     for (const element of document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex=\"0\"]')) { \
       if (element.disabled || !element.checkVisibility({ visibilityProperty: true })) continue; \
       element.focus({ preventScroll: true }); \
       if (document.activeElement !== element || !element.matches(':focus-visible')) continue; \
       const drawn = [element, element.parentElement, element.nextElementSibling, ...element.querySelectorAll('*')]; \
       if (!drawn.some(one => one && shows(one))) unseen.push(element.outerHTML.slice(0, 120)); } \
     before?.focus?.({ preventScroll: true }); return unseen; })()";

/// Runs axe-core; a line for each element with a fault that is serious or worse, or against one of two rules that are off by default
/// or milder: that names begin with what is seen, and that landmarks of a kind have names of their own.
const RULES: &str = "axe.run(document, { resultTypes: ['violations'], preload: false, \
     rules: { 'label-content-name-mismatch': { enabled: true } } }).then(result => result.violations \
     .filter(fault => ['serious', 'critical'].includes(fault.impact) || fault.id === 'landmark-unique') \
     .flatMap(fault => fault.nodes.map(node => `${fault.impact} ${fault.id}: ${node.target.join(' ')} ${node.html.slice(0, 120)}`)))";

impl Tab {
    /// Checks that a screen-reader user can use the page: every control and picture has a name, labels name what is
    /// there, no id stands twice, there is one heading of the first level, and the page says its title and language.
    ///
    /// # Panics
    /// With what is wrong.
    pub async fn assert_can_be_listened_to(&self, page: &str) {
        let tree =
            timely("the tree of names", self.page.execute(GetFullAxTreeParams::default())).await;
        let text = |value: &Option<AxValue>| {
            let value = value.as_ref().and_then(|value| value.value.as_ref());
            value.and_then(Value::as_str).unwrap_or_default().trim().to_owned()
        };
        let (mut controls, mut nameless) = (0, Vec::new());
        for node in tree.result.nodes.iter().filter(|node| !node.ignored) {
            let role = text(&node.role);
            if CONTROLS.contains(&role.as_str()) {
                controls += 1;
                if text(&node.name).is_empty() {
                    nameless.push(format!("{role} {:?}", node.backend_dom_node_id));
                }
            }
        }
        assert!(controls > 3, "{page}: the navigation alone has more than {controls} controls");
        assert!(nameless.is_empty(), "{page}: controls without a name: {nameless:#?}");
        let faults = self.eval(FAULTS).await;
        assert_eq!(faults, json!([]), "{page}");
    }

    /// Checks the page, in the look that it has, by the rules of axe-core: nothing serious, nothing critical. Without
    /// axe-core nothing is checked, and that is said.
    ///
    /// # Panics
    /// With what axe-core finds.
    pub async fn assert_axe_is_content(&self, page: &str) {
        let Some(axe) = AXE.as_ref() else { return };
        if self.eval("typeof axe").await == json!("undefined") {
            // The last value must be one that can be sent.
            self.eval(&format!("{axe}\n;true")).await;
        }
        let faults = self.eval(RULES).await;
        assert_eq!(faults, json!([]), "{page}: axe-core");
    }

    /// Checks that one sees where the keyboard is, on every control of the page.
    ///
    /// # Panics
    /// With the controls on which one does not.
    pub async fn assert_focus_is_seen(&self, page: &str) {
        self.press("Tab").await;
        let unseen = self.eval(UNSEEN).await;
        assert_eq!(unseen, json!([]), "{page}: the focus is not seen");
    }
}
