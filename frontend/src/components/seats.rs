//! Tables at which this browser has a seat and that go on: a page that was closed is one click away.

use crate::api;
use crate::components::missing::is_missing;
use crate::live_seat::Kept;
use crate::prelude::*;
use crate::strings::play as words;

/// The list; nothing where no game goes on.
#[component]
pub fn SeatsOfThisBrowser() -> impl IntoView {
    let found = RwSignal::new(Vec::<LiveInfo>::new());
    spawn_local(async move {
        for run in Kept::under_way() {
            match api::live::info(&run).await {
                Ok(info) if info.stage != LiveStage::Over => {
                    found.try_update(|found| found.push(info));
                }
                Ok(_) => Kept::forget(&run),
                Err(problem) if is_missing(&problem) => Kept::forget(&run),
                // It may be there when this page is opened again.
                Err(_) => {}
            }
        }
    });
    let row = |info: LiveInfo| {
        let href = format!("/play/{}", info.run);
        let how_far = words::how_far(&info);
        view! {
            <li>
                <a class="strong" href=href.clone()>{info.title}</a>
                <span class="soft">{how_far}</span>
                <a class="btn btn-small" href=href tabindex="-1" aria-hidden="true">"Play on"</a>
            </li>
        }
    };
    view! {
        <Show when=move || found.with(|found| !found.is_empty())>
            <section class="card stack-2 seats" id="seats" aria-labelledby="seats-head">
                <h2 id="seats-head">"Games under way"</h2>
                <ul class="stack-2">{move || found.get().into_iter().map(row).collect_view()}</ul>
                <p class="small soft">"This browser keeps your seat for a day; closing it loses nothing."</p>
            </section>
        </Show>
    }
}
