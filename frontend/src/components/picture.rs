//! Pictures that a transcript, a request or a task names: their bytes come from the run's server when they are drawn.

use turnwise_shared::picture::{base64, data_url};

use crate::prelude::*;
use crate::strings::episode as words;
use crate::{api, clock, driven};

/// Whose pictures may be asked for. A page provides it to what it draws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Album {
    pub run: RunId,
    /// Of a seat at the run's table, while that is played.
    pub ticket: Option<String>,
}

impl From<RunId> for Album {
    fn from(run: RunId) -> Self {
        Album { run, ticket: None }
    }
}

/// Pictures that are cached while the page lives.
const AT_HAND: usize = 64;

/// How often a picture is asked for again whose lines this page has yet to upload, and after how many milliseconds.
const AGAIN: (u32, u32) = (40, 500);

thread_local! {
    static KNOWN: RefCell<BTreeMap<Digest, String>> = const { RefCell::new(BTreeMap::new()) };
}

async fn address(picture: PictureRef, Album { run, ticket }: Album) -> Result<String, String> {
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&picture.digest).cloned()) {
        return Ok(known);
    }
    let (mut left, wait) = AGAIN;
    let png = loop {
        match api::picture(&run, &picture, ticket.as_deref()).await {
            Ok(png) => break png,
            Err(_) if driven::has(&run) && left > 0 => left -= 1,
            Err(error) => return Err(error.message),
        }
        clock::sleep(wait).await;
    };
    let address = data_url(&base64(&png));
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= AT_HAND {
            known.clear();
        }
        known.insert(picture.digest, address.clone());
    });
    Ok(address)
}

/// The picture alone, or why it cannot be shown.
#[component]
pub fn Image(
    picture: PictureRef,
    /// `None` for an episode that came in a link or a file.
    album: Option<Album>,
    /// Empty where text beside it says the same.
    #[prop(into)]
    label: String,
) -> impl IntoView {
    let shown = RwSignal::new(None::<Result<String, String>>);
    match album {
        None => shown.set(Some(Err("Pictures are not in this link or file.".to_owned()))),
        Some(album) => spawn_local(async move {
            let found = address(picture, album).await;
            shown.put(found);
        }),
    }
    move || match shown.get() {
        Some(Ok(source)) => any_view! {
            <img src=source width=picture.width height=picture.height alt=label.clone()/>
        },
        Some(Err(why)) => any_view! { <p class="small faint">{why}</p> },
        None => any_view! { <p class="small faint" aria-busy="true">{words::WAITING}</p> },
    }
}

/// The same with its label.
#[component]
pub fn Picture(
    picture: PictureRef,
    album: Option<Album>,
    #[prop(into)] label: String,
) -> impl IntoView {
    let size = words::picture_size(picture.width, picture.height);
    view! {
        <figure class="picture">
            <Image picture album label=label.clone()/>
            <figcaption class="small faint">{label} ", " {size}</figcaption>
        </figure>
    }
}
