//! The program that makes bindings and cuts parts (`xtask/wasm`). Its libraries take longer to compile than all else of xtask, so
//! they are compiled while cargo compiles the web app, and not at all for commands that build none.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::Size;
use crate::compiler::Compiler;
use crate::project::Project;
use crate::tool::Tool;

const PACKAGE: &str = "turnwise-wasm";

pub struct Helper {
    pub program: PathBuf,
}

impl Helper {
    /// Compiles the program, with what a web app of this size needs.
    pub fn build(project: &Project, compiler: &Compiler, size: Size) -> Result<Helper> {
        let folder = project.target("xtask");
        let cargo = compiler
            .cargo(project)
            .words("build --quiet --package")
            .arg(PACKAGE)
            .arg("--target-dir")
            .arg(&folder);
        match size {
            Size::Quick => cargo.run()?,
            Size::Full | Size::Named => cargo.words("--features parts").run()?,
        }
        let name = format!("{PACKAGE}{}", std::env::consts::EXE_SUFFIX);
        Ok(Helper { program: folder.join("debug").join(name) })
    }

    /// Lets the program read `wasm` and write into an empty folder, which is returned.
    pub fn run(
        &self,
        project: &Project,
        wasm: &[u8],
        task: &str,
        options: &[&str],
    ) -> Result<PathBuf> {
        let folder = project.target("xtask").join(task);
        if folder.exists() {
            std::fs::remove_dir_all(&folder)
                .with_context(|| format!("emptying {}", folder.display()))?;
        }
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("creating {}", folder.display()))?;
        let app = folder.with_extension("wasm");
        std::fs::write(&app, wasm).with_context(|| format!("writing {}", app.display()))?;
        Tool::new(&self.program).arg(task).arg(&app).arg(&folder).args(options).run()?;
        Ok(folder)
    }
}

/// Reads a file, and names it if that fails.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("reading {}", path.display()))
}

/// Reads a text file, and names it if that fails.
pub fn read_text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}
