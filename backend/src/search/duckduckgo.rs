//! DuckDuckGo: its page for browsers without scripts, because it has no interface for programs. **Best effort**: the page can
//! change at any time, and after a number of searches it shows a captcha instead of results. One page is read.

use reqwest::Url;
use turnwise_shared::prelude::*;

use super::WebEngine;
use super::locale::Locale;
use super::web::{Web, WebAnswer, add, undecodable};
use crate::clock::now;
use crate::services::markup::{Piece, pieces};
use crate::services::{ProviderError, SearchFormat};

/// Regions whose code is not country and language.
const REGIONS: [(&str, &str, &str); 7] = [
    ("JP", "ja", "jp-jp"),
    ("KR", "ko", "kr-kr"),
    ("TW", "zh", "tw-tzh"),
    ("HK", "zh", "hk-tzh"),
    ("GB", "en", "uk-en"),
    ("SA", "ar", "xa-ar"),
    ("GR", "el", "gr-el"),
];

/// Regions that it has, as country and language.
const PLAIN: &str = "ar-es au-en at-de be-fr be-nl br-pt bg-bg ca-en ca-fr cl-es cn-zh co-es hr-hr cz-cs dk-da ee-et fi-fi fr-fr de-de hu-hu in-en id-id ie-en il-he it-it lv-lv lt-lt my-en mx-es nl-nl nz-en no-no pe-es ph-en pl-pl pt-pt ro-ro ru-ru sg-en sk-sk sl-sl za-en es-es se-sv ch-de ch-fr ch-it tr-tr ua-uk us-en vn-vi";

pub struct DuckDuckGo {
    pub web: Web,
}

impl DuckDuckGo {
    fn blocked(&self, came: &WebAnswer) -> ProviderError {
        self.web.refusal(came, Some(FailureClass::Blocked), None)
    }
}

pub(super) fn region(locale: &Locale) -> Option<String> {
    let country = locale.usual_region()?;
    let special = REGIONS
        .iter()
        .find(|(region, language, _)| *region == country && *language == locale.language);
    match special {
        Some((.., code)) => Some((*code).to_owned()),
        None => {
            let code = format!("{}-{}", country.to_ascii_lowercase(), locale.language);
            PLAIN.split(' ').any(|one| one == code).then_some(code)
        }
    }
}

fn is_captcha(page: &str) -> bool {
    pieces(page).any(|piece| match piece {
        Piece::Open(tag) => {
            tag.value("id").as_deref() == Some("challenge-form")
                || tag.has_class("anomaly-modal__modal")
                || tag.has_class("anomaly-modal__title")
        }
        _ => false,
    })
}

/// A result as it stands in the page.
#[derive(Debug, Default)]
struct Found {
    title: String,
    snippet: String,
    address: String,
}

#[derive(Debug, Default)]
struct Page {
    found: Vec<Found>,
    /// It says that there is nothing.
    says_none: bool,
}

/// Into which field text goes, and the tag that ends it.
enum Reading {
    Nothing,
    Title(String),
    Snippet(String),
}

fn read(page: &str) -> Page {
    let mut out = Page::default();
    let mut reading = Reading::Nothing;
    let mut is_advertisement = false;
    for piece in pieces(page) {
        match piece {
            Piece::Open(tag) => {
                if tag.has_class("no-results") || tag.has_class("result--no-result") {
                    out.says_none = true;
                }
                if tag.has_class("result") {
                    is_advertisement = tag.has_class("result--ad");
                } else if tag.has_class("result__a") && !is_advertisement {
                    out.found.push(Found {
                        address: tag.value("href").unwrap_or_default(),
                        ..Found::default()
                    });
                    reading = Reading::Title(tag.name());
                } else if tag.has_class("result__snippet") && !is_advertisement {
                    reading = Reading::Snippet(tag.name());
                }
            }
            Piece::Close(name) => {
                if let Reading::Title(open) | Reading::Snippet(open) = &reading
                    && *open == name
                {
                    reading = Reading::Nothing;
                }
            }
            Piece::Text(text) => {
                if let Some(found) = out.found.last_mut() {
                    match reading {
                        Reading::Title(_) => found.title.push_str(&text),
                        Reading::Snippet(_) => found.snippet.push_str(&text),
                        Reading::Nothing => {}
                    }
                }
            }
        }
    }
    out
}

/// Where a link leads: it may go by way of DuckDuckGo, which then names the target. `None` for advertisements.
fn target(address: &str) -> Option<String> {
    let base = Url::parse(SearchFormat::DuckDuckGo.service().base_url?).ok()?;
    let url = base.join(address).ok()?;
    let own = url
        .host_str()
        .is_some_and(|host| host == "duckduckgo.com" || host.ends_with(".duckduckgo.com"));
    if !own {
        return Some(url.into());
    }
    let wanted = |(name, _): &(std::borrow::Cow<str>, std::borrow::Cow<str>)| name == "uddg";
    url.query_pairs()
        .find(wanted)
        .filter(|_| url.path().starts_with("/l/"))
        .map(|(_, target)| target.into_owned())
}

impl WebEngine for DuckDuckGo {
    fn web(&self) -> &Web {
        &self.web
    }

    async fn hits(&self, query: &Query, _wanted: usize) -> Result<Vec<Hit>, ProviderError> {
        let locale = query.locale.as_deref().and_then(Locale::read);
        let region = locale.as_ref().and_then(region).unwrap_or_default();
        let days =
            query.since.as_ref().zip(Day::of(now())).map(|(from, to)| format!("{from}..{to}"));
        let fields = [("q", query.text.as_str()), ("b", ""), ("kl", &region)];
        let range = days.as_deref().map(|days| ("df", days));
        let fields: Vec<_> = fields.into_iter().chain(range).collect();
        let request = self.web.post_form(&fields);
        let came = self.web.ask(query, request).await?;
        // The page with the captcha comes as 202, at times as 200.
        if came.status == 202 || came.status == 403 || is_captcha(&came.text) {
            return Err(self.blocked(&came));
        }
        if !came.is_success() {
            return Err(self.web.refusal(&came, None, None));
        }
        let page = read(&came.text);
        if page.found.is_empty() && !page.says_none {
            return Err(match came.is_bot_check() {
                true => self.blocked(&came),
                false => undecodable(),
            });
        }
        let mut hits = Vec::new();
        add(
            &mut hits,
            page.found.iter().filter_map(|found| {
                let address = target(&found.address)?;
                self.web.hit(Some(&found.title), Some(&found.snippet), Some(&address))
            }),
        );
        Ok(hits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_its_own() {
        let code = |tag: &str| Locale::read(tag).as_ref().and_then(region);
        for (tag, wanted) in [
            ("en", Some("us-en")),
            ("zh", Some("cn-zh")),
            ("zh-TW", Some("tw-tzh")),
            ("en-GB", Some("uk-en")),
            ("ja", Some("jp-jp")),
            ("pt-BR", Some("br-pt")),
            ("fil", None),
            ("zh-US", None),
        ] {
            assert_eq!(code(tag).as_deref(), wanted, "{tag}");
        }
    }

    #[test]
    fn links_lead_where_they_say() {
        for (address, wanted) in [
            (
                "//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F%3Fx%3D1%26y%3D2&rut=0f",
                Some("https://a.example/?x=1&y=2"),
            ),
            ("https://b.example/page", Some("https://b.example/page")),
            (
                "https://duckduckgo.com/y.js?ad_domain=shop.example&uddg=https%3A%2F%2Fshop.example",
                None,
            ),
            ("/settings", None),
        ] {
            assert_eq!(target(address).as_deref(), wanted, "{address}");
        }
    }
}
