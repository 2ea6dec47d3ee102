//! What of an episode is passed on: its link at a turn, the episode in a link, its files.

use turnwise_shared::share::{self, SharedEpisode};

use super::loaded::Loaded;
use crate::components::share::OfEpisode;
use crate::live::RunView;
use crate::prelude::*;
use crate::strings::sharing as words;

/// An episode as it is shared; `at` is the turn at which the reader is, with its address.
pub fn of_episode(
    id: &RunId,
    view: RunView,
    loaded: &Arc<Loaded>,
    at: Signal<Option<(u32, String)>>,
) -> OfEpisode {
    let whole = {
        let (id, loaded) = (id.clone(), Arc::clone(loaded));
        Callback::new(move |()| {
            let info = view.info.read_untracked();
            let title = info.as_ref().map_or("", |info| info.title.as_str());
            whole(&id, title, &loaded)
        })
    };
    let files = {
        let loaded = Arc::clone(loaded);
        Callback::new(move |()| {
            let play = (loaded.key.file_name(), loaded.play_text.to_string());
            let grading = (!loaded.grading_text.is_empty())
                .then(|| (loaded.key.grading().file_name(), loaded.grading_text.to_string()));
            std::iter::once(play).chain(grading).collect()
        })
    };
    OfEpisode { at, whole, files }
}

fn whole(id: &RunId, title: &str, loaded: &Loaded) -> Result<share::Packed, String> {
    let study = loaded.study.get();
    let study = study.as_ref().ok_or_else(|| "it is still being played again here".to_owned())?;
    let origin = study.origin.as_ref().ok_or_else(|| words::NO_TASKS.to_owned())?;
    let play = loaded.play.as_ref().map_err(|bad| bad.to_string())?;
    if play.timeline.outcome.is_none() {
        return Err("it is not over".to_owned());
    }
    let question = study.task.as_ref().and_then(|task| task.field(OPEN_FIELD)).map(str::to_owned);
    let episode = SharedEpisode {
        run: Some(id.clone()),
        title: title.to_owned(),
        play: loaded.play_text.to_string(),
        grading: loaded.grading_text.to_string(),
        question,
    };
    share::pack(&episode, origin).map_err(|why| why.to_string())
}
