//! A picture that a transcript names: its bytes come from the run's server when it is drawn.

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::picture::{PictureRef, base64, data_url};
use turnwise_shared::wire::RunId;

use crate::api;
use crate::strings::episode as words;

/// The picture with its label, or why it cannot be shown.
#[component]
pub fn Picture(
    picture: PictureRef,
    /// Whose pictures may be asked for; `None` for an episode that came in a link or a file.
    run: Option<RunId>,
    label: &'static str,
) -> impl IntoView {
    let shown = RwSignal::new(None::<Result<String, String>>);
    match run {
        None => shown.set(Some(Err(words::NO_PICTURES.to_owned()))),
        Some(run) => spawn_local(async move {
            let found = api::picture(&run, &picture).await;
            let found = found.map(|png| data_url(&base64(&png))).map_err(|error| error.message);
            shown.try_set(Some(found));
        }),
    }
    let size = words::picture_size(picture.width, picture.height);
    let body = move || match shown.get() {
        Some(Ok(source)) => view! {
            <img src=source width=picture.width height=picture.height alt=label/>
        }
        .into_any(),
        Some(Err(why)) => view! { <p class="small faint">{why}</p> }.into_any(),
        None => view! { <p class="small faint" aria-busy="true">{words::WAITING}</p> }.into_any(),
    };
    view! {
        <figure class="picture">
            {body}
            <figcaption class="small faint">{label} ", " {size}</figcaption>
        </figure>
    }
}
