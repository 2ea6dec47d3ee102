//! Sealed tasks: the servers' secret, and what seats really said, which is shown to no reader.

use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::{Change, Subject};

use super::log::{Logging, append, last_said, once_more};
use super::statement::sql;
use super::{Store, StoreError, is_there};
use crate::clock::now;

/// The name of the secret of sealed tasks.
const SEAL: &str = "seal";

impl Store {
    /// The secret of sealed tasks: the one that is kept, else `fresh`, which is kept from now on. Servers that share a database
    /// share it.
    pub async fn seal(&self, fresh: &Digest) -> Result<Digest, StoreError> {
        sql!(
            "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
            SEAL,
            fresh
        )
        .run(&self.write)
        .await?;
        sql!("SELECT value FROM secrets WHERE name = $1", SEAL).one(&self.write).await
    }

    /// Opens a sealed set of tasks to everybody and says so in the public log; one that is open already stays as it was opened
    /// first. Gives what the log says of it.
    ///
    /// # Errors
    /// [`StoreError`]; it is not open then.
    pub async fn open_tasks(
        &self,
        tasks: &Digest,
        name: &str,
        reason: &str,
        now: u64,
    ) -> Result<LogEntry, StoreError> {
        let subject = Subject::Tasks { tasks: *tasks, name: name.to_owned() };
        let mut tried = 0;
        loop {
            let mut transaction = self.write.begin().await?;
            sql!(
                "INSERT INTO opened_tasks (tasks, reason, opened) VALUES ($1, $2, $3) ON CONFLICT (tasks) DO NOTHING",
                tasks,
                reason,
                now
            )
            .run(&mut *transaction)
            .await?;
            // An older program opened sets without a word in the log; then it is said now, with the reason of then.
            if let Some(said) = last_said(&mut transaction, &subject.key()).await? {
                return transaction.rolled_back(said).await;
            }
            let reason: String = sql!("SELECT reason FROM opened_tasks WHERE tasks = $1", tasks)
                .one(&mut *transaction)
                .await?;
            let logging = Logging::new(Change::Opened, reason, now);
            if let Some(logged) = append(&mut transaction, &logging, subject.clone()).await? {
                transaction.commit().await?;
                return Ok(logged);
            }
            transaction.rollback().await?;
            tried = once_more(tried).await?;
        }
    }

    /// Since when a sealed set of tasks is open to everybody, in milliseconds since 1970, and why; `None` if it is not.
    pub async fn opened_tasks(&self, tasks: &Digest) -> Result<Option<(u64, String)>, StoreError> {
        sql!("SELECT opened, reason FROM opened_tasks WHERE tasks = $1", tasks)
            .first(&self.read)
            .await
    }

    /// Keeps what was really said for a call over a task; if something is kept for the call already, that stays.
    pub async fn withhold(
        &self,
        key: &CallKey,
        task: &Digest,
        said: &[Said],
        now: u64,
    ) -> Result<(), StoreError> {
        sql!(
            "INSERT INTO withheld (run, episode, call, digest, task, answered, said) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (run, episode, call, digest) DO NOTHING",
            key,
            task,
            now,
            said
        )
        .run(&self.write)
        .await
    }

    /// What was really said for a call.
    pub async fn withheld(&self, key: &CallKey) -> Result<Option<Vec<Said>>, StoreError> {
        sql!(
            "SELECT said FROM withheld WHERE run = $1 AND episode = $2 AND call = $3 AND digest = $4",
            key
        )
        .first(&self.read)
        .await
    }

    /// Counts a request over a sealed task in, under an id that is used once, unless `most` were answered since then or are being
    /// answered now, in all runs and by all servers; says whether it is counted in.
    ///
    /// # Errors
    /// [`StoreError`]; it is not counted in then.
    pub async fn ask_over(
        &self,
        id: &str,
        task: &Digest,
        since: u64,
        most: u64,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.write.begin().await?;
        // One at a time, so that no two are the last one.
        sql!("UPDATE secrets SET value = value WHERE name = $1", SEAL)
            .run(&mut *transaction)
            .await?;
        let answers: u64 = sql!(
            concat!(
                "SELECT CAST((SELECT COUNT(*) FROM withheld WHERE task = $1 AND answered >= $2) + \
                 (SELECT COUNT(*) FROM reservations r JOIN servers s ON s.id = r.server WHERE r.purse = $3 AND ",
                is_there!("s.ends", "$4"),
                ") AS BIGINT) AS answers",
            ),
            task,
            since,
            asking(task),
            now()
        )
        .one(&mut *transaction)
        .await?;
        if answers >= most {
            return transaction.rolled_back(false).await;
        }
        sql!(
            "INSERT INTO reservations (id, purse, server, money, tokens, timed) VALUES ($1, $2, $3, 0, 0, 0)",
            id,
            asking(task),
            self.server.id()
        )
        .run(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// A request that was counted in is not being answered any more. If it was answered, what was said is kept already.
    pub async fn asked_over(&self, id: &str) -> Result<(), StoreError> {
        self.stays_spent(id).await
    }
}

/// Under which name requests over a task that are being answered stand beside what calls on their way hold of budgets.
fn asking(task: &Digest) -> String {
    format!("sealed task {task}")
}
