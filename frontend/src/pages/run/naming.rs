//! A run's name in the head of its page, and its tags; readers who may change the run edit both in place.

use turnwise_shared::wire::naming::{self, EditRun, LONGEST_TITLE};

use crate::components::keys::focus_id;
use crate::components::run_row::listed_name;
use crate::live::RunView;
use crate::prelude::*;
use crate::view::branching::may_spend;
use crate::view::listed;
use crate::{api, keep};

#[component]
pub fn Naming(
    id: RunId,
    /// What is known of it.
    view: RunView,
) -> impl IntoView {
    // The token with which it is changed, if there is one.
    let token = RwSignal::new(None::<String>);
    let is_demo = id == turnwise_shared::key::demo();
    {
        let id = id.clone();
        spawn_local(async move {
            let found = match is_demo {
                true => {
                    let has_token = keep::access_token();
                    let about = api::about().await.ok();
                    let may = about.is_some_and(|about| may_spend(&about, has_token.is_some()));
                    may.then(|| has_token.unwrap_or_default())
                }
                false => keep::run(&id).await.ok().flatten().map(|kept| kept.token),
            };
            token.try_set(found);
        });
    }
    let id = StoredValue::new(id);
    let editing = RwSignal::new(false);
    let (name, tags) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let problem = RwSignal::new(None::<ApiError>);
    let busy = RwSignal::new(false);
    let begin = move |_| {
        view.info.with_untracked(|info| {
            let Some(info) = info else { return };
            name.set(listed_name(info));
            tags.set(info.tags.join(", "));
        });
        problem.set(None);
        editing.set(true);
        request_animation_frame(|| focus_id("run-name"));
    };
    let save = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let Some(token) = token.get_untracked() else {
            return;
        };
        let bad = |why: naming::BadName| api::error("unfit", why.to_string());
        // A name that was generated for the page is not stored when only the tags change.
        let is_same = view.info.with_untracked(|info| {
            let known = info.as_ref().map(listed_name);
            known.as_deref() == Some(name.get_untracked().trim())
        });
        let wanted = naming::title(&name.get_untracked())
            .and_then(|title| {
                let tags = naming::typed_tags(&tags.get_untracked())?;
                Ok(EditRun { title: (!is_same).then_some(title), tags: Some(tags) })
            })
            .map_err(bad);
        let wanted = match wanted {
            Ok(wanted) => wanted,
            Err(why) => return problem.set(Some(why)),
        };
        busy.set(true);
        spawn_local(async move {
            match api::edit_run(&id.get_value(), &token, &wanted).await {
                Ok(info) => {
                    view.info.put(info);
                    editing.try_set(false);
                    request_animation_frame(|| focus_id("edit-name"));
                }
                Err(why) => problem.put(why),
            }
            busy.try_set(false);
        });
    };
    let cancel = move || {
        editing.set(false);
        request_animation_frame(|| focus_id("edit-name"));
    };
    let shown_tags = move || {
        view.info.with(|info| {
            let tags = info.as_ref().map(|info| info.tags.clone());
            let tags = tags.unwrap_or_default().into_iter().map(|tag| {
                view! {
                    <a class="tag" href=listed::of_tag(&tag)>
                        {tag.clone()}
                    </a>
                }
            });
            tags.collect_view()
        })
    };
    let called =
        move || view.info.with(|info| info.as_ref().map_or_else(|| "Run".to_owned(), listed_name));
    view! {
        <Show
            when=move || editing.get()
            fallback=move || {
                view! {
                    <div class="row run-title">
                        <h1>{called}</h1>
                        <Show when=move || token.is_some() && view.info.is_some()>
                            <button
                                class="btn-icon"
                                id="edit-name"
                                type="button"
                                aria-label="Edit name and tags"
                                title="Edit name and tags"
                                on:click=begin
                            >
                                <SmallIcon name="edit"/>
                            </button>
                        </Show>
                        {shown_tags}
                    </div>
                }
            }
        >
            <form
                class="run-naming"
                on:submit=save
                on:keydown=move |event| {
                    if event.key() == "Escape" {
                        event.stop_propagation();
                        cancel();
                    }
                }
            >
                <h1 class="sr">{called}</h1>
                <div class="field">
                    <label for="run-name">"Name"</label>
                    <input
                        class="input"
                        id="run-name"
                        maxlength=LONGEST_TITLE.to_string()
                        bind:value=name
                    />
                </div>
                <div class="field">
                    <label for="run-tags">"Tags, separated by commas"</label>
                    <input
                        class="input"
                        id="run-tags"
                        bind:value=tags
                    />
                </div>
                <div class="row">
                    <button class="btn btn-small btn-primary" type="submit" disabled=busy>
                        "Save"
                    </button>
                    <button class="btn btn-small" type="button" on:click=move |_| cancel()>
                        "Cancel"
                    </button>
                </div>
                <Trouble problem/>
            </form>
        </Show>
    }
}
