//! Where the bytes of pictures are kept by their digest: in the database of a server, or in the folder of a run.

use std::path::{Path, PathBuf};

use turnwise_shared::effect::{Job, Pictured, Tool};
use turnwise_shared::picture::BadPicture;
use turnwise_shared::prelude::*;

use crate::clock::now;
use crate::store::{Store, StoreError};

/// The folder of a run's pictures, within that of the run.
pub const FOLDER: &str = "pictures";

/// Where pictures are kept. What is there never changes.
#[derive(Debug, Clone, Default)]
pub enum Pictures {
    /// Nothing is kept, and nothing is found.
    #[default]
    Nowhere,
    Database(Store),
    /// The folder [`FOLDER`] of a run, with a file `DIGEST.png` a picture, and `DIGEST.json` a render by its job.
    Folder(PathBuf),
}

/// Why a picture cannot be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    #[error(transparent)]
    Bad(#[from] BadPicture),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    #[error("there is no place for pictures")]
    Nowhere,
}

/// The file that remembers a render.
fn render(folder: &Path, job: &Job) -> PathBuf {
    folder.join(format!("{}.json", Digest::of_value(job)))
}

/// Writes a PNG into a folder, which is made if it is not there.
pub fn write(folder: &Path, png: &[u8]) -> Result<PictureRef, PictureError> {
    let picture = PictureRef::of(png)?;
    let path = folder.join(picture.file_name());
    let written = std::fs::create_dir_all(folder).and_then(|()| {
        let part = path.with_extension("part");
        std::fs::write(&part, png)?;
        std::fs::rename(&part, &path)
    });
    written.map(|()| picture).map_err(|error| PictureError::File(path, error))
}

impl Pictures {
    /// The pictures of a run's folder.
    pub fn of_run(folder: &Path) -> Self {
        Pictures::Folder(folder.join(FOLDER))
    }

    /// Keeps a PNG.
    pub async fn keep(&self, png: &[u8]) -> Result<PictureRef, PictureError> {
        let picture = PictureRef::of(png)?;
        match self {
            Pictures::Nowhere => return Err(PictureError::Nowhere),
            Pictures::Database(store) => store.keep_picture(png).await?,
            Pictures::Folder(folder) => return write(folder, png),
        }
        Ok(picture)
    }

    /// The bytes of a picture; `None` if it is not kept here, or what is kept is another one.
    pub async fn read(&self, picture: &Digest) -> Result<Option<Vec<u8>>, PictureError> {
        let bytes = match self {
            Pictures::Nowhere => None,
            Pictures::Database(store) => store.picture(picture).await?,
            Pictures::Folder(folder) => {
                let path = folder.join(format!("{picture}.png"));
                match std::fs::read(&path) {
                    Ok(bytes) => Some(bytes),
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
                    Err(error) => return Err(PictureError::File(path, error)),
                }
            }
        };
        Ok(bytes.filter(|bytes| Digest::of(bytes) == *picture))
    }

    /// What was made of a job before; `None` if it was not, or its picture is not here any more.
    pub async fn rendered(&self, job: &Job) -> Option<Pictured> {
        let made: Option<Pictured> = match self {
            Pictures::Nowhere => None,
            Pictures::Database(store) => store.cached_reply(&Digest::of_value(job)).await.ok()?,
            Pictures::Folder(folder) => {
                serde_json::from_slice(&std::fs::read(render(folder, job)).ok()?).ok()
            }
        };
        let (made, tool) = (Made::Picture(Box::new(made?)), Tool::Render(job.clone()));
        let Made::Picture(pictured) = &made else { return None };
        let is_here = made.fits(&tool) && self.read(&pictured.picture.digest).await.ok()?.is_some();
        is_here.then(|| Pictured::clone(pictured))
    }

    /// Remembers what was made of a job, so that it is not rendered again.
    pub async fn remember(&self, job: &Job, made: &Pictured) -> Result<(), PictureError> {
        match self {
            Pictures::Nowhere => {}
            Pictures::Database(store) => {
                store.cache_reply(&Digest::of_value(job), made, now()).await?;
            }
            Pictures::Folder(folder) => {
                let path = render(folder, job);
                let made = serde_json::to_vec(made).expect("a render is plain data");
                std::fs::write(&path, made).map_err(|error| PictureError::File(path, error))?;
            }
        }
        Ok(())
    }
}
