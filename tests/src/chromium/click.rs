//! Clicks with the mouse, where a person would, on pages that move and draw themselves anew meanwhile.

use chromiumoxide::layout::Point;
use serde_json::{Value, json};

use super::{COMMAND_LIMIT, LOOK, Tab};

/// How often an element is aimed at that goes away from under the mouse.
const TRIES: u32 = 20;

/// Waits until what is found has not moved for two frames, at most some seconds; marks it; and notes from then on whether a click
/// hits it, or what is found by then in its place, because the page has drawn it anew.
const AIM: &str = "async find => { \
     const place = () => { const at = find()?.getBoundingClientRect(); return at ? `${at.x} ${at.y} ${at.width} ${at.height}` : ''; }; \
     const frame = () => new Promise(done => { requestAnimationFrame(done); setTimeout(done, 100); }); \
     find()?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' }); \
     let before = ''; \
     for (let look = 0; look < 60 && place() !== before; look += 1) { before = place(); await frame(); await frame(); } \
     document.querySelector('[data-to-click]')?.removeAttribute('data-to-click'); \
     const aimed = find(); aimed?.setAttribute('data-to-click', ''); window.__missed = true; \
     const heard = event => { if (aimed?.contains(event.target) || find()?.contains(event.target)) { \
     window.__missed = false; removeEventListener('click', heard, true); } }; \
     addEventListener('click', heard, true); }";

impl Tab {
    /// Clicks an element with the mouse, once it is there and stands still, and again if the click missed it.
    ///
    /// # Panics
    /// If it is not there within half a minute, or cannot be hit.
    pub async fn click(&self, selector: &str) {
        let find = format!("document.querySelector({})", json!(selector));
        self.hit(selector, &find).await;
    }

    /// Clicks the first button or link whose text is this, as [`Tab::click`] does.
    ///
    /// # Panics
    /// If there is none within half a minute, or it cannot be hit.
    pub async fn click_text(&self, text: &str) {
        let find = format!(
            "[...document.querySelectorAll('button, a, summary, label')].find(element => \
             [element.innerText, element.textContent].some(text => text.trim() === {}) && \
             element.offsetParent !== null && !element.disabled)",
            json!(text)
        );
        self.hit(&format!("a button {text:?}"), &find).await;
    }

    /// Moves the mouse to the corner of the page, so that it points at nothing that answers.
    ///
    /// # Panics
    /// If the browser does not answer.
    pub async fn point_away(&self) {
        let moved = self.page.move_mouse(Point { x: 0.0, y: 0.0 }).await;
        moved.expect("the browser answers");
    }

    /// Clicks what a JavaScript expression finds.
    async fn hit(&self, what: &str, find: &str) {
        let mut why = None;
        for _ in 0..TRIES {
            self.wait(what, &format!("({find}) != null")).await;
            // At any moment the page may draw it anew, or be replaced as a whole; then it is looked for again.
            let click = async {
                self.page.evaluate(format!("({AIM})(() => {find})")).await?;
                let element = self.page.find_element("[data-to-click]").await?;
                element.click().await.map(|_| ())
            };
            match tokio::time::timeout(COMMAND_LIMIT, click).await {
                Ok(clicked) => why = clicked.err(),
                Err(_) => panic!("{what}: the browser does not answer"),
            }
            // Of a page that the click has replaced nothing is known but that it was hit.
            let missed = self.page.evaluate("window.__missed === true").await;
            let is_missed = missed.is_ok_and(|missed| missed.value() == Some(&Value::Bool(true)));
            if why.is_none() && !is_missed {
                return;
            }
            tokio::time::sleep(LOOK).await;
        }
        panic!("{what}: it moves away from every click: {why:?}");
    }
}
