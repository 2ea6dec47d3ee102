//! The web app's files as browsers ask for them.

use axum::http::StatusCode;

use crate::common::*;

#[tokio::test]
async fn the_web_app_is_handed_out_with_its_hashes_and_its_small_copies() {
    let web = folder();
    std::fs::create_dir(web.path().join("fonts")).expect("it is made");
    for (name, text) in [
        ("index.html", "<html>page</html>"),
        ("app-0123456789abcdef.wasm", "wasm"),
        ("app-0123456789abcdef.wasm.br", "small"),
        ("robots.txt", "User-agent: *"),
        ("fonts/a.woff2", "font"),
    ] {
        std::fs::write(web.path().join(name), text).expect("it writes");
    }
    let service = with(&[("TURNWISE_WEB_DIR", &web.path().to_string_lossy())]).await;
    let get = async |path: &str, headers: &[(&str, &str)]| service.get_with(path, headers).await;
    let page = get("/", &[]).await;
    assert_eq!((page.status, page.text.as_str()), (StatusCode::OK, "<html>page</html>"));
    assert_eq!(page.headers["cache-control"], "no-cache");
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    let wasm = get("/app-0123456789abcdef.wasm", &[("accept-encoding", "gzip, br")]).await;
    assert_eq!(wasm.text, "small");
    assert_eq!(wasm.headers["content-encoding"], "br");
    assert_eq!(wasm.headers["content-type"], "application/wasm");
    assert!(wasm.headers["cache-control"].to_str().expect("text").contains("immutable"));
    let plain = get("/app-0123456789abcdef.wasm", &[]).await;
    assert_eq!((plain.text.as_str(), plain.headers.get("content-encoding")), ("wasm", None));
    let tag = page.headers["etag"].to_str().expect("text").to_owned();
    let again = get("/", &[("if-none-match", &tag)]).await;
    assert_eq!((again.status, again.text.as_str()), (StatusCode::NOT_MODIFIED, ""));
    assert_eq!(get("/fonts/a.woff2", &[]).await.headers["content-type"], "font/woff2");
    let deep = get("/run/7/7.r1.play", &[("accept", "text/html,*/*")]).await;
    assert_eq!((deep.status, deep.text.as_str()), (StatusCode::OK, "<html>page</html>"));
    assert_eq!(deep.headers["x-robots-tag"], "noindex, nofollow");
    // Programs that show a link elsewhere say that they take anything, or nothing at all.
    for headers in [&[("accept", "*/*")][..], &[]] {
        assert_eq!(get("/run/7", headers).await.text, "<html>page</html>");
        get("/fonts/b.woff2", headers).await.error(404);
    }
    for path in
        ["/nothing.js", "/app-0123456789abcdef.wasm.br", "/../Cargo.toml", "/%2e%2e/x", "/.env"]
    {
        get(path, &[]).await.error(404);
    }
}

#[tokio::test]
async fn without_a_web_app_the_page_says_how_to_build_it() {
    let nowhere = folder();
    let service = with(&[("TURNWISE_WEB_DIR", &nowhere.path().to_string_lossy())]).await;
    let came = service.page("/").await;
    assert_eq!(came.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(came.text.contains("cargo xtask"), "{}", came.text);
}

#[tokio::test]
async fn a_link_whose_sign_was_escaped_leads_to_the_one_that_was_meant() {
    let service = with(&[]).await;
    for (path, meant) in [
        ("/shared%231abc", Some("/shared#1abc")),
        ("/shared/%231abc%29", Some("/shared#1abc%29")),
        ("/shared%25231ab-_c?from=x", Some("/shared#1ab-_c")),
        ("/shared", None),
        ("/shared%24x", None),
        ("/sharedx%231abc", None),
    ] {
        let answer = service.page(path).await;
        let location = answer.headers.get("location");
        let location = location.map(|it| it.to_str().expect("text"));
        assert_eq!(location, meant, "{path}");
        let is_sent_on = answer.status == StatusCode::FOUND;
        assert_eq!(is_sent_on, meant.is_some(), "{path}");
    }
}
