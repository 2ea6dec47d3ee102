//! Where a run comes from: a folder, or another server.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::{OpenRun, Opened};

use super::CannotSubmit;
use super::server::{Server, strange};
use crate::pictures::FOLDER;
use crate::private_file;
use crate::run_folder;
use crate::secret::Secret;

/// What is remembered in the folder of a run that was brought somewhere, so that it goes on there.
pub const FILE: &str = "submission.json";

/// Where a run comes from.
#[derive(Debug, Clone)]
pub enum Source {
    /// The folder of a run.
    Folder(PathBuf),
    /// A run of another server.
    Run { server: Server, run: RunId },
}

/// What is remembered of a run that was brought somewhere.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Remembered {
    server: String,
    pub(super) run: RunId,
    pub(super) token: String,
}

/// What a run is, and what people call it.
struct Named {
    spec: Spec,
    title: String,
    tags: Vec<String>,
}

impl Source {
    /// The run as it is there from before.
    pub(super) fn remembered(&self, to: &Server) -> Result<Option<Remembered>, CannotSubmit> {
        let Source::Folder(folder) = self else {
            return Ok(None);
        };
        let path = folder.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(file(&path, error)),
        };
        let remembered: Option<Remembered> = serde_json::from_str(&text).ok();
        Ok(remembered.filter(|remembered| remembered.server == to.base.as_str()))
    }

    pub(super) async fn open(
        &self,
        to: &Server,
        owner: Option<&Secret>,
    ) -> Result<Remembered, CannotSubmit> {
        let Named { spec, title, tags } = self.spec().await?;
        let plays = self.episodes().await?;
        let plays = plays.iter().filter(|episode| episode.part() == PartKey::Play).count();
        let wanted = OpenRun {
            caps: Default::default(),
            spec,
            title,
            tags,
            episodes: u32::try_from(plays).unwrap_or(u32::MAX),
            regrades: None,
            branch_of: None,
            parent_token: None,
            visibility: Visibility::default(),
        };
        let mut request = to.client.post(to.url("/api/runs")).json(&wanted);
        if let Some(owner) = owner {
            request = request.header("turnwise-owner-key", owner.open());
        }
        let Opened { run, token } = to.read(request, None).await?;
        let remembered = Remembered { server: to.base.to_string(), run, token };
        if let Source::Folder(folder) = self {
            remember(&folder.join(FILE), &remembered)?;
        }
        Ok(remembered)
    }

    async fn spec(&self) -> Result<Named, CannotSubmit> {
        match self {
            Source::Folder(folder) => {
                let run = run_folder::run_file(folder)?;
                let run = run.ok_or_else(|| CannotSubmit::NoRun(folder.display().to_string()))?;
                Ok(Named { spec: run.spec, title: run.title, tags: run.tags })
            }
            Source::Run { server, run } => {
                let info: RunInfo = server.get(&format!("/api/runs/{run}")).await?;
                Ok(Named { spec: info.spec, title: info.title, tags: info.tags })
            }
        }
    }

    /// Plays first.
    pub(super) async fn episodes(&self) -> Result<Vec<EpisodeKey>, CannotSubmit> {
        let mut episodes: Vec<EpisodeKey> = match self {
            Source::Folder(folder) => run_folder::transcript_files(folder)?
                .iter()
                .filter_map(|path| path.file_stem()?.to_str()?.parse().ok())
                .collect(),
            Source::Run { server, run } => {
                let heads: Vec<EpisodeHead> =
                    server.get(&format!("/api/runs/{run}/episodes")).await?;
                heads.into_iter().map(|head| head.episode).collect()
            }
        };
        episodes.sort_by_key(|episode| episode.part() == PartKey::Grading);
        Ok(episodes)
    }

    pub(super) async fn text(&self, episode: &EpisodeKey) -> Result<String, CannotSubmit> {
        match self {
            Source::Folder(folder) => {
                let path = folder.join(episode.file_name());
                std::fs::read_to_string(&path).map_err(|error| file(&path, error))
            }
            Source::Run { server, run } => {
                let path = format!("/api/runs/{run}/episodes/{episode}");
                let (status, text) =
                    server.send(server.client.get(server.url(&path)), None).await?;
                match status.is_success() {
                    true => Ok(text),
                    false => Err(CannotSubmit::Refused(
                        serde_json::from_str(&text).unwrap_or_else(|_| strange(status)),
                    )),
                }
            }
        }
    }
}

impl Source {
    /// The bytes of a picture that a transcript shows.
    pub(super) async fn picture(&self, picture: &PictureRef) -> Result<Vec<u8>, CannotSubmit> {
        match self {
            Source::Folder(folder) => {
                let path = folder.join(FOLDER).join(picture.file_name());
                std::fs::read(&path).map_err(|error| file(&path, error))
            }
            Source::Run { server, run } => {
                let path = format!("/api/runs/{run}/pictures/{}", picture.digest);
                let request = server.client.get(server.url(&path));
                let (status, bytes) = server.exchange(request, None).await?;
                match status.is_success() {
                    true => Ok(bytes),
                    false => Err(CannotSubmit::Refused(
                        serde_json::from_slice(&bytes).unwrap_or_else(|_| strange(status)),
                    )),
                }
            }
        }
    }
}

/// With the token in it the file is for its user alone.
fn remember(path: &Path, remembered: &Remembered) -> Result<(), CannotSubmit> {
    use std::io::Write as _;
    // One that was left by a submission to another server.
    let _ = std::fs::remove_file(path);
    private_file::create(path)
        .and_then(|mut to| to.write_all(&run_folder::pretty(remembered)))
        .map_err(|error| file(path, error))
}

fn file(path: &Path, error: std::io::Error) -> CannotSubmit {
    CannotSubmit::File { file: path.display().to_string(), error }
}
