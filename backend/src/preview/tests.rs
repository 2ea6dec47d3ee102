//! What is said of runs: nothing gets out of its place, and pictures are pictures.

use super::*;

const PAGE: &str = "<html><head><title>Turnwise</title><meta name=\"description\" content=\"x\"></head>\
     <body><noscript>It needs scripts.</noscript></body></html>";

const EVIL: &str = "</script></noscript></title><img src=x onerror=alert(1)>\" onload=\"x' & <b>";

fn told(title: &str, canary: Option<&str>) -> Preview {
    let mark = |kind, tone| Mark { kind, tone };
    Preview {
        title: title.to_owned(),
        plain_title: "A game".to_owned(),
        sentences: vec![format!("The answer: {title}."), "Player bot:x.".to_owned()],
        progress: Some("1 of 2 episodes are over.".to_owned()),
        headline: Some(("42.9 %".to_owned(), "Accuracy".to_owned())),
        ribbons: vec![
            vec![
                mark(TurnKind::Search, Some(Tone::Neutral)),
                mark(TurnKind::Ask, Some(Tone::Positive)),
                mark(TurnKind::Invalid, None),
                mark(TurnKind::Answer, Some(Tone::Negative)),
            ];
            9
        ],
        picture: "/api/runs/0/preview".to_owned(),
        canary: canary.map(str::to_owned),
        question: Some(Question { text: title.to_owned(), language: Some(title.to_owned()) }),
    }
}

#[test]
fn nothing_that_somebody_said_becomes_markup() {
    let page = into_page(PAGE, &told(EVIL, Some(EVIL)), None, "http://localhost");
    for markup in ["<img", "</script", "<b>", "onload=\""] {
        assert!(!page.contains(markup), "{markup} in {page}");
    }
    assert_eq!(page.matches("</noscript>").count(), 1);
    assert_eq!(page.matches("</title>").count(), 1);
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    // The same holds of a server's name that a proxy passed on.
    let page = into_page(PAGE, &told("A run", None), None, "http://\"><script>");
    assert!(!page.contains("<script"));
}

#[test]
fn the_head_says_what_it_is_and_that_it_is_not_to_be_indexed() {
    let page = into_page(PAGE, &told("A run", Some("canary 1")), None, "https://example.org");
    for part in [
        "<title>A run · Turnwise</title>",
        "<meta name=\"robots\" content=\"noindex, nofollow\">",
        "<meta property=\"og:title\" content=\"A run\">",
        // As a program reads it that decodes nothing.
        "<meta property=\"og:image\" content=\"https://example.org/api/runs/0/preview\">",
        "<meta name=\"canary\" content=\"canary 1\">",
        "<noscript><h1>A run</h1>",
        "<p class=\"told-question\" lang=\"A run\">A run</p>",
        "It needs scripts.",
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    assert_eq!(page.matches("name=\"description\"").count(), 1);
    let plain = into_page(PAGE, &told("A run", None), None, "https://example.org");
    assert!(!plain.contains("canary"));
}

#[test]
fn what_a_page_shows_first_takes_the_place_of_what_says_that_it_is_loaded() {
    const APP: &str = "<title>Turnwise</title><main><!--told--><!--boot-->It is loaded.<!--/boot--></main><noscript>It needs scripts.</noscript>";
    let first =
        |stays| Shell { heading: None, markup: "<dl></dl>".to_owned(), is_whole: false, stays };
    let page =
        |first: Option<Shell>| into_page(APP, &told("A run", None), first.as_ref(), "http://h");
    let waits = page(Some(first(true)));
    assert!(
        waits.contains("<h1>A run</h1>") && waits.contains("</div><dl></dl></main>"),
        "{waits}"
    );
    assert!(!waits.contains("It is loaded."), "{waits}");
    // Its numbers say how far it is; programs that show a link read that in words.
    assert_eq!(waits.matches("1 of 2 episodes").count(), 2, "{waits}");
    assert!(waits.contains("<meta name=\"turnwise\" content=\"stays\">"), "{waits}");
    let goes_on = page(Some(first(false)));
    assert!(goes_on.contains("<dl></dl>") && !goes_on.contains("stays"), "{goes_on}");
    let episode = page(Some(Shell {
        heading: Some("<h1>Task 7</h1>".to_owned()),
        is_whole: true,
        ..first(true)
    }));
    assert!(episode.contains("<main><h1>Task 7</h1><dl></dl></main>"), "{episode}");
    assert!(waits.contains("It needs scripts.") && !episode.contains("It needs scripts."));
    let nothing = page(None);
    assert!(nothing.contains("It is loaded.") && !nothing.contains("stays"), "{nothing}");
}

#[tokio::test]
async fn pictures_are_drawn_whatever_the_words_are() {
    let long = "a-word-without-a-blank".repeat(40);
    // Shortened sign by sign, each time measured as a whole, this would take hours.
    let endless = "W".repeat(1_000_000);
    for title in ["A run", "一次运行 and more", EVIL, "", &long, &endless] {
        let told = told(title, None);
        let picture = told.picture().await.expect("it is drawn");
        assert!(picture.starts_with(b"\x89PNG\r\n"));
        let side = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().expect("four"));
        assert_eq!((side(16), side(20)), (1200, 630));
        assert!(picture.len() < 200_000, "{} bytes", picture.len());
        assert_eq!(told.picture().await.expect("it is known"), picture);
    }
    // A name that cannot be written gives way; a Chinese one does not.
    let unnamed =
        |title: &str| Preview { title: title.to_owned(), sentences: Vec::new(), ..told("", None) };
    let plain = unnamed("A game").picture().await.expect("it is drawn");
    let thai = unnamed("ภาษาไทย").picture().await.expect("it is drawn");
    let chinese = unnamed("一次运行").picture().await.expect("it is drawn");
    assert!(thai == plain && chinese != plain);
    let mut empty = told("Nothing yet", None);
    empty.headline = None;
    empty.ribbons.clear();
    assert!(empty.picture().await.is_ok());
}
