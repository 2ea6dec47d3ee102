//! A PostgreSQL for the tests: its own cluster in a temporary folder, reached over a socket there, gone when the tests are over.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::tool::{Tool, on_path};
use crate::{packages, say};

/// Where Debian and Ubuntu keep the programs of each version.
const DEBIAN: &str = "/usr/lib/postgresql";
/// The user that Debian's package makes; PostgreSQL refuses to run as root.
const USER: &str = "postgres";

/// A cluster that runs. Dropping it stops it and removes its folder.
pub struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
}

impl Postgres {
    /// Starts a cluster; absent, with a word to the person at the terminal, where PostgreSQL cannot be had.
    ///
    /// # Errors
    /// If it is there and does not start.
    pub fn start() -> Result<Option<Self>> {
        let step =
            say::step("PostgreSQL", "the tests of the store and of the service run on it as well");
        let programs = match programs() {
            Some(programs) => programs,
            None if packages::can_install() => {
                packages::install(
                    &["postgresql"],
                    "several servers share a database of PostgreSQL's",
                )?;
                programs().context(
                    "the package `postgresql` was installed, but its programs are not there",
                )?
            }
            None => {
                say::warn(
                    "skipped: no PostgreSQL was found, so nothing is tested on it. Install one (the package `postgresql`, \
                     or `brew install postgresql`), with `initdb` on the PATH",
                );
                return Ok(None);
            }
        };
        let folder = std::env::temp_dir().join(format!("turnwise-pg-{}", std::process::id()));
        make_folder(&folder)?;
        let postgres = Postgres { programs, folder };
        postgres.begin()?;
        step.done(format!("running in {}", postgres.folder.display()));
        Ok(Some(postgres))
    }

    /// Its database for the tests, as an address.
    pub fn address(&self) -> String {
        format!("postgres:///turnwise?host={}&user=turnwise", self.folder.display())
    }

    /// The command that starts it again, for a shell; it takes pg_ctl's options behind it.
    pub fn restart(&self) -> String {
        let user = match packages::is_root() {
            true => format!("cd / && runuser -u {USER} -- "),
            false => String::new(),
        };
        format!(
            "{user}{} restart --wait --silent -D {}",
            self.programs.join("pg_ctl").display(),
            self.folder.join("data").display()
        )
    }

    fn begin(&self) -> Result<()> {
        let data = self.folder.join("data");
        self.as_user("initdb")
            .words("--username=turnwise --auth=trust --encoding=UTF8 --locale=C --no-sync -D")
            .arg(&data)
            .read()?;
        // No address on the network, and nothing that must survive a power cut.
        let options = format!(
            "-k {} -c listen_addresses= -c fsync=off -c full_page_writes=off -c max_connections=300",
            self.folder.display()
        );
        self.as_user("pg_ctl")
            .words("start --wait --silent -D")
            .arg(&data)
            .arg("--log")
            .arg(self.folder.join("log"))
            .arg("--options")
            .arg(&options)
            .mend(format!("see {}", self.folder.join("log").display()))
            .read()?;
        // A database that orders text by language, where this version can: what is read must not depend on it.
        let by_language = self
            .create("--template=template0 --locale-provider=icu --icu-locale=en turnwise")
            .read();
        by_language.or_else(|_| self.create("turnwise").read())?;
        Ok(())
    }

    fn create(&self, line: &str) -> Tool {
        self.as_user("createdb")
            .arg("--host")
            .arg(&self.folder)
            .words("--username=turnwise")
            .words(line)
    }

    /// One of its programs, as a user who may run it.
    fn as_user(&self, program: &str) -> Tool {
        let program = self.programs.join(program);
        match packages::is_root() {
            true => Tool::new("runuser")
                .words("-u")
                .arg(USER)
                .arg("--")
                .arg(program)
                .inside(Path::new("/")),
            false => Tool::new(program),
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let stopped = self
            .as_user("pg_ctl")
            .words("stop --silent --mode=immediate -D")
            .arg(self.folder.join("data"))
            .read();
        let removed = std::fs::remove_dir_all(&self.folder).map_err(anyhow::Error::from);
        if let Err(error) = stopped.map(drop).and(removed) {
            say::warn(format!("PostgreSQL was not put away: {error:#}"));
        }
    }
}

/// The folder of the newest `initdb` with its companions.
fn programs() -> Option<PathBuf> {
    let of_debian = std::fs::read_dir(DEBIAN).ok().and_then(|versions| {
        versions
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let version: u32 = entry.file_name().to_str()?.parse().ok()?;
                Some((version, entry.path().join("bin")))
            })
            .filter(|(_, programs)| programs.join("initdb").is_file())
            .max()
    });
    match of_debian {
        Some((_, programs)) => Some(programs),
        None => Some(on_path("initdb")?.parent()?.to_path_buf()),
    }
}

/// A folder that only the user who runs PostgreSQL can look into.
fn make_folder(folder: &Path) -> Result<()> {
    let text = folder.to_str().unwrap_or_default();
    if text.is_empty() || text.contains([' ', '\'', '?', '&']) {
        bail!(
            "the temporary folder {folder:?} has a name that a socket cannot have\n  to mend it: set TMPDIR"
        );
    }
    std::fs::create_dir(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    if packages::is_root() {
        Tool::new("chown").arg(USER).arg(folder).read()?;
    }
    Tool::new("chmod").arg("700").arg(folder).read()?;
    Ok(())
}
