//! What keeps a browser from the network, and from the rights of the server.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// How the browser's processes are shut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fence {
    /// A network namespace of their own; as root besides another user.
    Namespace { is_root: bool },
    /// The switches of the browser alone; as root besides another user.
    Switches { is_root: bool },
}

/// Who the browser is where the server is root.
const USER: [&str; 5] = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"];

impl Fence {
    /// The best that this machine allows.
    pub fn best(may_have_namespace: bool) -> Self {
        let is_root = is_root();
        let namespace = Fence::Namespace { is_root };
        match may_have_namespace && works(namespace) {
            true => namespace,
            false => Fence::Switches { is_root },
        }
    }

    /// A program, with what must be started before it.
    pub fn command(self, program: &Path) -> Vec<OsString> {
        let (namespace, is_root): (&[&str], bool) = match self {
            Fence::Namespace { is_root: true } => (&["unshare", "--net", "--"], true),
            Fence::Namespace { is_root: false } => {
                (&["unshare", "--user", "--map-current-user", "--net", "--"], false)
            }
            Fence::Switches { is_root } => (&[], is_root),
        };
        let user: &[&str] = if is_root { &USER } else { &[] };
        let mut words: Vec<OsString> = namespace.iter().chain(user).map(OsString::from).collect();
        words.push(program.into());
        words
    }
}

fn works(fence: Fence) -> bool {
    let words = fence.command(Path::new("true"));
    let status = Command::new(&words[0])
        .args(&words[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// Whether the server is root: it owns its own folder in `/proc`.
fn is_root() -> bool {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt as _;
        std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
    }
    #[cfg(not(target_os = "linux"))]
    false
}
