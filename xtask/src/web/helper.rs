//! The program that makes bindings and cuts parts (`xtask/wasm`). Its libraries take longer to compile than all else of xtask, so
//! they are compiled while cargo compiles the web app, and not at all for commands that build none.

use std::path::PathBuf;

use anyhow::Result;
use fs_err as fs;

use super::Size;
use crate::compiler::Compiler;
use crate::project::{Project, emptied};
use crate::tool::{Tool, file_of_program};

const PACKAGE: &str = "turnwise-wasm";

pub struct Helper {
    pub program: PathBuf,
}

impl Helper {
    /// Compiles the program, with what a web app of this size needs.
    pub fn build(project: &Project, compiler: &Compiler, size: Size) -> Result<Helper> {
        let folder = project.target("xtask");
        let cargo = compiler
            .cargo()
            .words("build --quiet --package")
            .arg(PACKAGE)
            .arg("--target-dir")
            .arg(&folder);
        let features = if size.is_cut() { "--features parts" } else { "" };
        cargo.words(features).run()?;
        Ok(Helper { program: folder.join("debug").join(file_of_program(PACKAGE)) })
    }

    /// Lets the program read `wasm` and write into an empty folder, which is returned.
    pub fn run(
        &self,
        project: &Project,
        wasm: &[u8],
        task: &str,
        options: &[&str],
    ) -> Result<PathBuf> {
        let folder = emptied(project.target("xtask").join(task))?;
        let app = folder.with_extension("wasm");
        fs::write(&app, wasm)?;
        Tool::new(&self.program).arg(task).arg(&app).arg(&folder).args(options).run()?;
        Ok(folder)
    }
}
