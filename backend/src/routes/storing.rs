//! One gate before every request that writes: while the database cannot be used, nothing is answered as if it were stored.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::App;

const API: &str = "/api/";

/// What is posted to these addresses stores nothing.
const STORES_NOTHING: [&str; 2] = ["/api/probe", "/api/models"];

/// The middleware: refuses what cannot be stored now, as `/readyz` does, or passes on.
pub async fn refuse_while_away(State(app): State<App>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let stores =
        !request.method().is_safe() && path.starts_with(API) && !STORES_NOTHING.contains(&path);
    if stores && let Err(problem) = app.works() {
        return problem.into_response();
    }
    next.run(request).await
}
