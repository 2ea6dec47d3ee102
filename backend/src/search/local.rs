//! `local`: a full-text index in memory over documents that the operator points at, Chinese and English.
//!
//! SQLite's FTS5 does the ranking (BM25, titles count four times); it is in the program anyway. The same documents and the
//! same query always give the same hits in the same order.

use std::path::Path;

use futures::future::BoxFuture;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};
use sqlx::{ConnectOptions as _, Row as _};
use turnwise_shared::archive::segment;
use turnwise_shared::archive::snippet::snippet;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::Promise;

use super::Engine;
use super::documents::{self, BadDocuments, Document};
use crate::services::ProviderError;

/// Candidates that are looked at before the language counts.
const CANDIDATES: i64 = 50;
/// How much a document in the language of the query counts more.
const SAME_LANGUAGE: f64 = 1.2;

pub struct Local {
    name: String,
    documents: Vec<Document>,
    digest: Digest,
    index: SqlitePool,
}

impl Local {
    /// The engine's name when the operator gave none.
    pub const NAME: &'static str = "local";

    /// The same engine under another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Over the documents that come with the product.
    ///
    /// # Errors
    /// If the index cannot be built.
    pub async fn samples() -> Result<Self, BadDocuments> {
        Local::over(documents::samples()?).await
    }

    /// Over a file of JSON lines or a folder of text files.
    ///
    /// # Errors
    /// With file and row, if they cannot be read; if there are none; if the index cannot be built.
    pub async fn open(path: &Path) -> Result<Self, BadDocuments> {
        Local::over(documents::read(path)?).await
    }

    async fn over(documents: Vec<Document>) -> Result<Self, BadDocuments> {
        // Each connection to memory is a database of its own, so there is exactly one and it is never closed.
        let index = SqlitePoolOptions::new()
            .min_connections(1)
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_with(SqliteConnectOptions::new().in_memory(true).disable_statement_logging())
            .await?;
        sqlx::query(
            "CREATE VIRTUAL TABLE pages USING fts5(title, body, content='', tokenize=\"unicode61 remove_diacritics 2\")",
        )
        .execute(&index)
        .await?;
        let mut filling = index.begin().await?;
        for (row, document) in (0_i64..).zip(&documents) {
            sqlx::query("INSERT INTO pages (rowid, title, body) VALUES (?, ?, ?)")
                .bind(row)
                .bind(segment::for_index(&document.title))
                .bind(segment::for_index(&document.text))
                .execute(&mut *filling)
                .await?;
        }
        filling.commit().await?;
        Ok(Local {
            name: Local::NAME.to_owned(),
            digest: documents::digest(&documents),
            documents,
            index,
        })
    }

    /// The hash over the documents.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    async fn hits(&self, query: &Query, wanted: usize) -> Result<Vec<Hit>, Failure> {
        let Some(terms) = segment::for_query(&query.text) else {
            return Ok(Vec::new());
        };
        let broken = |error: sqlx::Error| {
            Failure::new(FailureClass::Server, format!("the local index failed: {error}"))
        };
        let rows = sqlx::query(
            "SELECT rowid, bm25(pages, 4.0, 1.0) AS score FROM pages WHERE pages MATCH ? ORDER BY score, rowid LIMIT ?",
        )
        .bind(terms)
        .bind(CANDIDATES)
        .fetch_all(&self.index)
        .await
        .map_err(broken)?;
        let mut found: Vec<(f64, &Document)> = Vec::new();
        for row in rows {
            let number: i64 = row.try_get("rowid").map_err(broken)?;
            let score: f64 = row.try_get("score").map_err(broken)?;
            let document =
                usize::try_from(number).ok().and_then(|number| self.documents.get(number));
            if let Some(document) = document {
                let same = query.locale.is_some() && query.locale == document.lang;
                // Scores of FTS5 are negative: the smaller, the better.
                found.push((if same { score * SAME_LANGUAGE } else { score }, document));
            }
        }
        found.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        Ok(found
            .into_iter()
            .take(wanted)
            .map(|(_, document)| Hit {
                title: Some(document.title.clone()),
                snippet: Some(snippet(&document.text, &query.text)),
                url: Some(document.url.clone()),
            })
            .collect())
    }
}

impl Engine for Local {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            name: self.name.clone(),
            format: Local::NAME.to_owned(),
            promise: Promise::Stable,
            documents: u64::try_from(self.documents.len()).ok(),
            corpus: Some(self.digest),
        }
    }

    fn search<'a>(
        &'a self,
        query: &'a Query,
        wanted: usize,
    ) -> BoxFuture<'a, Result<Vec<Hit>, ProviderError>> {
        Box::pin(async move { Ok(self.hits(query, wanted).await?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str, locale: Option<&str>) -> Query {
        Query { text: text.to_owned(), results: 5, locale: locale.map(str::to_owned), since: None }
    }

    fn titles(hits: &[Hit]) -> Vec<&str> {
        hits.iter().filter_map(|hit| hit.title.as_deref()).collect()
    }

    #[tokio::test]
    async fn the_sample_corpus_is_searched_in_both_languages() {
        let engine = Local::samples().await.expect("the corpus is part of the program");
        let hits = engine
            .search(
                &query("played on sand at low tide, ball filled with dried seeds", Some("en")),
                5,
            )
            .await
            .expect("it answers");
        assert_eq!(titles(&hits)[0], "Kivvet");
        assert_eq!(hits.len(), 5);
        let hits = engine
            .search(&query("河东岸七个村子 冬田里踩泥", Some("zh")), 5)
            .await
            .expect("it answers");
        assert_eq!(titles(&hits)[0], "渡禾节");
        let one_sign = engine.search(&query("渡", None), 5).await.expect("it answers");
        assert!(titles(&one_sign).contains(&"渡禾节"), "{one_sign:?}");
        assert!(hits[0].snippet.as_deref().is_some_and(|text| text.contains("踩泥")), "{hits:?}");
    }

    #[tokio::test]
    async fn whatever_is_asked_it_answers() {
        let engine = Local::samples().await.expect("the corpus is part of the program");
        for text in [
            "",
            "\"",
            "NEAR(a b)",
            "title:x",
            "a* ^b -c",
            "'; DROP TABLE pages; --",
            "\u{0}",
            &"x ".repeat(9000),
        ] {
            assert!(engine.search(&query(text, None), 5).await.is_ok(), "{text:?}");
        }
        assert!(engine.search(&query("zzzzqqq", None), 5).await.expect("it answers").is_empty());
    }

    #[tokio::test]
    async fn own_documents() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.md"), "# Apples\n\nThey grow on trees.")
            .expect("written");
        std::fs::write(folder.path().join("b.txt"), "Pears\nThey grow on trees, too.")
            .expect("written");
        let engine = Local::open(folder.path()).await.expect("two documents");
        let hits = engine.search(&query("apples", None), 5).await.expect("it answers");
        assert_eq!((titles(&hits), hits[0].url.as_deref()), (vec!["Apples"], Some("file:a.md")));
        let file = folder.path().join("c.jsonl");
        std::fs::write(&file, "{\"id\":\"1\",\"title\":\"T\",\"text\":\"x\"}\n{\"id\":\"1\",\"title\":\"T\",\"text\":\"y\"}\n").expect("written");
        let error = Local::open(&file).await.err().expect("the id stands twice").to_string();
        assert!(error.contains("row 2") && error.contains("stands twice"), "{error}");
        let error = Local::open(&folder.path().join("nothing"))
            .await
            .err()
            .expect("no such file")
            .to_string();
        assert!(error.contains("nothing"), "{error}");
    }
}
