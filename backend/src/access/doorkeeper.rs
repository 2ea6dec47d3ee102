//! Looks at the token of a request before a large body of it is read.

use axum::http::request::Parts;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use turnwise_shared::key::demo;

use super::tokens::access_token;
use super::{bearer, client, owned};
use crate::App;
use crate::error::Answer;
use crate::limits::{Allowance, Doorkeeper};

/// What is about one run; to change it, its own token is needed.
const RUNS: &str = "/api/runs/";

impl Doorkeeper for App {
    fn allowance<'a>(&'a self, request: &'a Parts) -> BoxFuture<'a, Answer<Allowance>> {
        let looks = async move {
            let token = bearer(&request.headers);
            if access_token(self.config(), token).is_some() {
                return Ok(self.bytes().of_known());
            }
            let run = request.uri.path().strip_prefix(RUNS);
            let run = run.map(|rest| rest.split_once('/').map_or(rest, |(run, _)| run));
            let is_known = match run {
                // No client has the token of the demo.
                Some(run) if run != demo().as_str() => !owned(self, run, token).await?.is_visitors,
                _ => false,
            };
            Ok(match is_known {
                true => self.bytes().of_known(),
                false => self.bytes().of_stranger(client(self, request)),
            })
        };
        looks.boxed()
    }
}
