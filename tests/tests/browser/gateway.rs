//! Something between a page and its server that answers in its place, or late: a gateway whose server is away, a slow line.

use crate::*;

/// Asks the gateway first, whatever page of the tab is open.
const BETWEEN: &str = "(() => { const real = window.fetch; window.fetch = async (wanted, how) => { \
     const path = new URL(typeof wanted === 'string' ? wanted : wanted.url, location).pathname; \
     const rule = JSON.parse(sessionStorage.getItem('gateway') ?? '[]').find(({ paths }) => new RegExp(paths).test(path)); \
     if (rule === undefined) return real(wanted, how); \
     if (rule.status !== null) return new Response('no server', { status: rule.status }); \
     const answer = await real(wanted, how); await new Promise(go => setTimeout(go, rule.late)); return answer; }; })()";

pub struct Gateway<'a>(&'a Tab);

impl<'a> Gateway<'a> {
    /// Stands before every page that the tab opens from now on; lets everything through.
    pub async fn before(tab: &'a Tab) -> Self {
        tab.before_pages(BETWEEN).await;
        Gateway(tab)
    }

    /// Answers requests for these paths, a regular expression, with a status.
    pub async fn fails(&self, paths: &str, status: u16) {
        self.rules(&json!([{ "paths": paths, "status": status }])).await;
    }

    /// Hands out answers to such requests this many milliseconds late.
    pub async fn is_late(&self, paths: &str, by: u32) {
        self.rules(&json!([{ "paths": paths, "status": null, "late": by }])).await;
    }

    pub async fn is_mended(&self) {
        self.rules(&json!([])).await;
    }

    async fn rules(&self, rules: &Value) {
        let set = format!("sessionStorage.setItem('gateway', {})", json!(rules.to_string()));
        self.0.eval(&set).await;
    }
}
