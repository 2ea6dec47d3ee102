//! Refusals of one prompt, and runs that go on past them.

use super::*;

#[tokio::test]
async fn a_refusal_of_one_prompt_is_an_answer_that_was_filtered() {
    for (format, status, body) in cases::<(_, _, Value)>(include_str!("prompts.jsonl")) {
        let trial = asked(format, Canned::of(status, body.clone())).await;
        let said = trial.said();
        assert_eq!((said.stop, &said.text), (Stop::Filtered, &None), "{status} {body}");
        assert_eq!(trial.requests(), 1, "{status} {body}");
        let why = said.refusal.as_deref().expect("a reason");
        assert!(!why.contains("key"), "{why}");
    }
}

/// A run whose service refuses whatever has these words in it, and answers everything else.
async fn run_over(
    refusal: (u16, &'static str, String),
    words: &'static str,
) -> (Vec<String>, u32, usize) {
    let seen = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&seen);
    let answers = axum::routing::post(move |body: String| {
        let refusal = refusal.clone();
        let counted = std::sync::Arc::clone(&counted);
        async move {
            counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let (status, kind, text) = match body.contains(words) {
                true => refusal,
                false => {
                    let text = json!({ "action": "answer", "params": { "answer": "a", "confidence": "40" } });
                    (200, "application/json", completion(json!(text.to_string())).to_string())
                }
            };
            let status = axum::http::StatusCode::from_u16(status).expect("a status");
            (status, [("content-type", kind)], text)
        }
    });
    let base_url = crate::common::upstream::serve(answers).await;
    let service = Service::at(&base_url, "").await;
    let spec = trial_spec(3);
    let opened = service.open_run(&spec, 1).await;
    let mut run = planned(&spec);
    run.pause_on_failures(10);
    drive(&service, &opened, &mut run).await;
    assert_eq!(run.halt(), None);
    let progress = run.progress();
    let mut texts = Vec::new();
    for task in 1..=3 {
        let path = format!("/api/runs/{}/episodes/{task}.r1.play", opened.run);
        texts.push(service.get(&path).await.text);
    }
    let seen = seen.load(std::sync::atomic::Ordering::Relaxed);
    (texts, progress.incomplete, seen)
}

#[tokio::test]
async fn a_run_goes_on_past_a_prompt_that_is_refused() {
    let flagged = error(
        json!({ "code": 403, "message": "flagged by moderation", "metadata": { "reasons": ["harm"] } }),
    );
    let page = "<html><body><h1>Request blocked</h1>A rule of the firewall was met.</body></html>";
    for refusal in
        [(403, "application/json", flagged.to_string()), (403, "text/html", page.to_owned())]
    {
        let (texts, incomplete, _) = run_over(refusal, "curved wooden sticks").await;
        assert_eq!(incomplete, 0);
        let filtered = texts.iter().filter(|text| text.contains("\"stop\":\"filtered\"")).count();
        assert_eq!(filtered, 1, "{texts:?}");
    }
}
