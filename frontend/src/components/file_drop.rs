//! A place on which files and folders are dropped, or chosen from.

use js_sys::{Array, Function, Promise, Reflect, Uint8Array};
use leptos::ev::DragEvent;
use web_sys::{
    DataTransfer, File, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry,
    HtmlInputElement,
};

use crate::prelude::*;

/// A file with the name of the folder that was dropped or chosen, if one was.
pub struct Dropped {
    pub file: File,
    pub folder: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DropState {
    #[default]
    Empty,
    Busy,
    Good,
    /// It cannot be used.
    Bad,
}

/// What may be chosen from the disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Chosen {
    #[default]
    File,
    Folder,
}

#[component]
pub fn FileDrop<F>(
    label: &'static str,
    #[prop(optional)] note: Option<&'static str>,
    /// What may be chosen; anything may be dropped.
    #[prop(optional)]
    choose: Chosen,
    /// Whether it is a line rather than a field.
    #[prop(optional)]
    slim: Slim,
    /// What the last drop did.
    #[prop(optional, into)]
    state: Signal<DropState>,
    /// Called with what was dropped or chosen.
    on_files: F,
) -> impl IntoView
where
    F: Fn(Vec<Dropped>) + Clone + 'static,
{
    let over = RwSignal::new(false);
    let is = move |wanted: DropState| move || state.get() == wanted;
    let dropped = on_files.clone();
    let on_drop = move |event: DragEvent| {
        event.prevent_default();
        over.set(false);
        let Some(data) = event.data_transfer() else {
            return;
        };
        let entries = entries(&data);
        let dropped = dropped.clone();
        spawn_local(async move { dropped(files(entries).await) });
    };
    let on_choose = move |input: HtmlInputElement| {
        let chosen = input
            .files()
            .map(|list| {
                (0..list.length())
                    .filter_map(|index| list.get(index))
                    .map(|file| Dropped { folder: folder_of(&file), file })
                    .collect()
            })
            .unwrap_or_default();
        on_files(chosen);
        // The same file may be chosen again after it was mended.
        input.set_value("");
    };
    view! {
        <label
            class="drop"
            class:drop-slim=slim == Slim::Slim
            class:is-over=over
            class:is-busy=is(DropState::Busy)
            class:is-good=is(DropState::Good)
            class:is-bad=is(DropState::Bad)
            aria-busy=move || (state.get() == DropState::Busy).then_some("true")
            on:dragover=move |event| {
                event.prevent_default();
                over.set(true);
            }
            on:dragleave=move |_| over.set(false)
            on:drop=on_drop
        >
            <input
                class="sr"
                type="file"
                prop:webkitdirectory=choose == Chosen::Folder
                on:change:target=move |event| on_choose(event.target())
            />
            <Icon name="upload"/>
            <span>
                {label}
                {note.map(|note| view! { <br/><span class="field-note">{note}</span> })}
            </span>
        </label>
    }
}

/// Whether a drop is a line rather than a field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Slim {
    #[default]
    Field,
    Slim,
}

/// A file's bytes.
///
/// # Errors
/// If the browser cannot read it (any more).
pub async fn bytes(file: &File) -> Result<Vec<u8>, String> {
    let buffer = JsFuture::from(file.array_buffer())
        .await
        .map_err(|_| format!("{} cannot be read", file.name()))?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

/// What was dropped. It must be asked for at once: the browser empties the list when the event is over.
fn entries(data: &DataTransfer) -> Vec<FileSystemEntry> {
    let items = data.items();
    (0..items.length()).filter_map(|index| items.get(index)?.webkit_get_as_entry().ok()?).collect()
}

/// All files under what was dropped, folders opened.
async fn files(entries: Vec<FileSystemEntry>) -> Vec<Dropped> {
    let mut found = Vec::new();
    let mut open: Vec<(FileSystemEntry, Option<String>)> =
        entries.into_iter().map(|entry| (entry, None)).collect();
    while let Some((entry, folder)) = open.pop() {
        if let Some(directory) = entry.dyn_ref::<FileSystemDirectoryEntry>() {
            let name = folder.unwrap_or_else(|| entry.name());
            for child in children(directory).await {
                open.push((child, Some(name.clone())));
            }
        } else if let Some(entry) = entry.dyn_ref::<FileSystemFileEntry>()
            && let Some(file) = file_of(entry).await
        {
            found.push(Dropped { file, folder });
        }
    }
    found.sort_by_key(|dropped| dropped.file.name());
    found
}

async fn children(directory: &FileSystemDirectoryEntry) -> Vec<FileSystemEntry> {
    let reader = directory.create_reader();
    let mut all = Vec::new();
    loop {
        // A browser hands out the children in portions; an empty one is the end.
        let portion = called_back(|found, failed| {
            reader.read_entries_with_callback_and_callback(found, failed)
        })
        .await;
        let portion: Vec<FileSystemEntry> = match portion {
            Some(list) => {
                Array::from(&list).iter().filter_map(|entry| entry.dyn_into().ok()).collect()
            }
            None => Vec::new(),
        };
        if portion.is_empty() {
            return all;
        }
        all.extend(portion);
    }
}

async fn file_of(entry: &FileSystemFileEntry) -> Option<File> {
    called_back(|found, failed| {
        entry.file_with_callback_and_callback(found, failed);
        Ok(())
    })
    .await?
    .dyn_into()
    .ok()
}

/// What a function of the old kind hands to its callback; `None` if it fails.
async fn called_back(
    call: impl FnOnce(&Function, &Function) -> Result<(), JsValue>,
) -> Option<JsValue> {
    let mut call = Some(call);
    let promise = Promise::new(&mut |found, failed| {
        if let Some(call) = call.take()
            && call(&found, &failed).is_err()
        {
            let _ = failed.call0(&JsValue::UNDEFINED);
        }
    });
    JsFuture::from(promise).await.ok()
}

/// The outermost folder of a file that was chosen with its folder.
fn folder_of(file: &File) -> Option<String> {
    let path = Reflect::get(file, &"webkitRelativePath".into()).ok()?.as_string()?;
    let (folder, _) = path.split_once('/')?;
    Some(folder.to_owned())
}
