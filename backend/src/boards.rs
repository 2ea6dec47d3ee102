//! Boards as they are asked for again and again: made from the store once, and kept as long as nothing changes that they show.
//!
//! Several servers may write into one database, so what is kept is good only while the database says the same
//! [`BoardsVersion`]; it is asked once a second at most. How many runs an owner opened may be a second old, too.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use turnwise_shared::leaderboard::{OwnerCounts, Whole, listed_pack, papers};
use turnwise_shared::prelude::*;
use turnwise_shared::registry;

use crate::error::{Answer, Problem};
use crate::store::{BoardsVersion, Store, StoreError};
use crate::task_library::TaskLibrary;

/// How long boards are served without asking whether anything has changed.
const FRESH: Duration = Duration::from_secs(1);

/// How many boards are kept.
const KEPT: usize = 32;

/// The boards of papers; they never change.
static PAPERS: LazyLock<Vec<Arc<Whole>>> =
    LazyLock::new(|| papers(BENCHMARKS).into_iter().map(Arc::new).collect());

/// Boards that were asked for lately.
#[derive(Debug, Default)]
pub struct Boards {
    names: Arc<Names>,
    kept: Mutex<Kept>,
    /// Held by the request that makes one; others wait, because it may be the one that they want.
    making: tokio::sync::Mutex<()>,
}

/// Under which names the server knows tasks and prompt packs. A configuration may call them anything, and the first run of a
/// board would name it for everybody.
#[derive(Debug, Default)]
pub struct Names {
    library: Option<Arc<TaskLibrary>>,
    packs: Vec<Pack>,
}

impl Names {
    /// Those of a library, and of packs that the operator lists.
    pub fn of(library: Arc<TaskLibrary>, packs: Vec<Pack>) -> Self {
        Names { library: Some(library), packs }
    }

    /// Puts them in place of those that a configuration gives. It reads files, so it belongs on a thread that may wait.
    fn put(&self, specs: &mut [&mut Spec]) {
        let found = self.library.iter().flat_map(|library| library.look());
        let tasks: BTreeMap<Digest, String> =
            found.map(|found| (found.info.digest, found.info.name)).collect();
        for spec in specs {
            if let Some(name) = tasks.get(&spec.tasks.digest) {
                spec.tasks.name.clone_from(name);
            }
            if let Ok(benchmark) = registry::find(&spec.benchmark)
                && let Some(pack) = listed_pack(benchmark, spec, &self.packs)
            {
                spec.pack.name = pack.name;
            }
        }
    }
}

#[derive(Debug, Default)]
struct Kept {
    /// What holds, and when that was last asked; `None` if it is to be asked again.
    version: Option<(BoardsVersion, Option<Instant>)>,
    heads: Option<Arc<Vec<BoardHead>>>,
    boards: BTreeMap<BoardId, Arc<Whole>>,
}

/// Which boards there are: those of runs, by benchmark and the time of their newest run, then those of papers.
pub async fn heads(store: &Store, names: &Arc<Names>) -> Result<Vec<BoardHead>, StoreError> {
    let mut all = store.all_boards().await?;
    let names = Arc::clone(names);
    let made = tokio::task::spawn_blocking(move || {
        let mut specs: Vec<&mut Spec> = all.values_mut().map(|(spec, _)| spec).collect();
        names.put(&mut specs);
        let mut heads: Vec<BoardHead> = all
            .into_iter()
            .filter_map(|(board, (spec, entries))| {
                let id = BoardId::Key(board);
                let benchmark = registry::find(&spec.benchmark).ok()?;
                Whole::of_runs(id, benchmark, &spec, &entries, &OwnerCounts::new())
            })
            .map(|whole| whole.head().clone())
            .collect();
        heads.sort_by(|one, other| {
            let key = |head: &BoardHead| (head.benchmark.clone(), std::cmp::Reverse(head.newest));
            key(one).cmp(&key(other))
        });
        heads.extend(PAPERS.iter().map(|whole| whole.head().clone()));
        heads
    });
    made.await.map_err(|_| StoreError::Unreadable("a board that could not be made"))
}

/// One board; `None` if there is none of that id.
pub async fn whole(
    store: &Store,
    id: &BoardId,
    names: &Arc<Names>,
) -> Result<Option<Arc<Whole>>, StoreError> {
    let board = match id {
        BoardId::Paper(_) => {
            let paper = PAPERS.iter().find(|whole| whole.head().id == *id);
            return Ok(paper.cloned());
        }
        BoardId::Key(board) => board,
    };
    let Some(mut spec) = store.board_spec(board).await? else {
        return Ok(None);
    };
    let (entries, opened) =
        tokio::try_join!(store.board_entries(board), store.board_owners(board))?;
    let (id, names) = (id.clone(), Arc::clone(names));
    let made = tokio::task::spawn_blocking(move || {
        names.put(&mut [&mut spec]);
        let benchmark = registry::find(&spec.benchmark).ok()?;
        Whole::of_runs(id, benchmark, &spec, &entries, &opened)
    });
    let made = made.await.map_err(|_| StoreError::Unreadable("a board that could not be made"))?;
    Ok(made.map(Arc::new))
}

impl Boards {
    /// Boards that call things by these names.
    pub fn new(names: Names) -> Self {
        Boards { names: Arc::new(names), ..Boards::default() }
    }

    /// Which boards there are.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn heads(&self, store: &Store) -> Answer<Arc<Vec<BoardHead>>> {
        let known = |kept: &mut Kept| kept.heads.clone();
        self.version(store).await?;
        if let Some(heads) = self.locked(known) {
            return Ok(heads);
        }
        let _making = self.making.lock().await;
        let version = self.version(store).await?;
        if let Some(heads) = self.locked(known) {
            return Ok(heads);
        }
        let heads = Arc::new(heads(store, &self.names).await?);
        self.locked(|kept| {
            if kept.is_of(version) {
                kept.heads = Some(Arc::clone(&heads));
            }
        });
        Ok(heads)
    }

    /// One board.
    ///
    /// # Errors
    /// If there is none of that id, or the store fails.
    pub async fn board(&self, store: &Store, id: &BoardId) -> Answer<Arc<Whole>> {
        let known = |kept: &mut Kept| kept.boards.get(id).cloned();
        self.version(store).await?;
        if let Some(board) = self.locked(known) {
            return Ok(board);
        }
        let _making = self.making.lock().await;
        let version = self.version(store).await?;
        if let Some(board) = self.locked(known) {
            return Ok(board);
        }
        let board =
            whole(store, id, &self.names).await?.ok_or_else(|| Problem::not_found("such board"))?;
        self.locked(|kept| {
            if kept.is_of(version) {
                // A client that asks for many different ones asks for those of papers, or is reading all: any may go.
                while kept.boards.len() >= KEPT {
                    kept.boards.pop_first();
                }
                kept.boards.insert(id.clone(), Arc::clone(&board));
            }
        });
        Ok(board)
    }

    /// The next answer asks the store whether anything has changed, as after a change that its author wants to see.
    pub fn look_again(&self) {
        self.locked(|kept| {
            if let Some((_, asked)) = &mut kept.version {
                *asked = None;
            }
        });
    }

    /// What holds now; if it is not what held, everything that was kept is thrown away.
    async fn version(&self, store: &Store) -> Answer<BoardsVersion> {
        let known = self.locked(|kept| kept.version);
        if let Some((version, Some(asked))) = known
            && asked.elapsed() < FRESH
        {
            return Ok(version);
        }
        let version = store.boards_version().await?;
        self.locked(|kept| {
            if !kept.is_of(version) {
                *kept = Kept::default();
            }
            kept.version = Some((version, Some(Instant::now())));
        });
        Ok(version)
    }

    fn locked<T>(&self, take: impl FnOnce(&mut Kept) -> T) -> T {
        // Nothing that holds it can panic half-way through a change.
        take(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Kept {
    fn is_of(&self, version: BoardsVersion) -> bool {
        self.version.is_some_and(|(known, _)| known == version)
    }
}
