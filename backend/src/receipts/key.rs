//! The server's signing key: made at the first start, kept in a file that only its user can read, never printed.

use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use ed25519_dalek::{Signer as _, SigningKey};
use turnwise_shared::hash::{hex, unhex};
use turnwise_shared::wire::receipts::KeyId;

use crate::config::Config;
use crate::secret::Secret;
use crate::{private_file, random};

/// The file in the data folder that holds the secret part, as 64 hexadecimal digits.
pub const FILE: &str = "signing.key";

/// The file in the data folder with the names of the keys that were used before, one on each line.
const EARLIER: &str = "signing.key.earlier";

#[derive(Clone)]
pub struct Key {
    signing: SigningKey,
    id: KeyId,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.id.short())
    }
}

/// The signing key cannot be had. Nothing of it is in these words.
#[derive(Debug, thiserror::Error)]
pub enum BadKey {
    /// Its file cannot be read or written.
    #[error("the signing key in {file} cannot be used: {error}")]
    File { file: String, error: std::io::Error },
    #[error(
        "{0} holds no signing key: it must be 64 hexadecimal digits, such as `openssl rand -hex 32` prints"
    )]
    Unreadable(String),
    /// The operator gave it otherwise, so there is nothing to be made anew here.
    #[error(
        "the signing key is given by TURNWISE_SIGNING_KEY or signing_key; change it there and put the old one's name into {0}"
    )]
    Given(String),
}

impl Key {
    pub(super) fn of_seed(seed: &[u8; 32]) -> Self {
        let signing = SigningKey::from_bytes(seed);
        let id = KeyId::of(&signing.verifying_key().to_bytes());
        Key { signing, id }
    }

    fn read(text: &str, place: &str) -> Result<Self, BadKey> {
        let seed: Option<[u8; 32]> = unhex(text.trim()).and_then(|bytes| bytes.try_into().ok());
        seed.map(|seed| Key::of_seed(&seed)).ok_or_else(|| BadKey::Unreadable(place.to_owned()))
    }

    /// The key that the operator gave, else that of the data folder; made if there is none.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn open(config: &Config) -> Result<Self, BadKey> {
        if let Some(given) = &config.signing.key {
            return Key::read(given.open(), "TURNWISE_SIGNING_KEY or signing_key");
        }
        let path = config.data.join(FILE);
        private_file::restrict(&path);
        match std::fs::read_to_string(&path) {
            Ok(text) => Key::read(Secret::new(text).open(), &path.display().to_string()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => make(&path),
            Err(error) => Err(file_trouble(&path, error)),
        }
    }

    /// Makes a new key in the data folder in place of the one that is there, whose name is written down. A server uses it from
    /// its next start on.
    ///
    /// # Errors
    /// If the files cannot be written, or the operator gives the key otherwise.
    pub fn renew(config: &Config) -> Result<Self, BadKey> {
        let earlier = config.data.join(EARLIER);
        if config.signing.key.is_some() {
            return Err(BadKey::Given(earlier.display().to_string()));
        }
        let old = Key::open(config)?;
        let mut names = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&earlier)
            .map_err(|error| file_trouble(&earlier, error))?;
        writeln!(names, "{}", old.id).map_err(|error| file_trouble(&earlier, error))?;
        let path = config.data.join(FILE);
        let draft = config.data.join(format!("{FILE}.draft"));
        // What a run that broke off has left.
        let _ = std::fs::remove_file(&draft);
        let key = make(&draft)?;
        std::fs::rename(&draft, &path).map_err(|error| file_trouble(&path, error))?;
        Ok(key)
    }

    /// The names of the keys that this server used before.
    pub fn earlier(config: &Config) -> Vec<KeyId> {
        let text = std::fs::read_to_string(config.data.join(EARLIER)).unwrap_or_default();
        text.lines().filter_map(|line| line.trim().parse().ok()).collect()
    }

    pub fn id(&self) -> KeyId {
        self.id
    }

    /// Its public part, as 64 hexadecimal digits.
    pub fn public(&self) -> String {
        hex(&self.signing.verifying_key().to_bytes())
    }

    /// Signs a text; 128 hexadecimal digits.
    pub fn sign(&self, text: &str) -> String {
        hex(&self.signing.sign(text.as_bytes()).to_bytes())
    }
}

/// Makes a key in a file that was not there.
fn make(path: &Path) -> Result<Key, BadKey> {
    let seed = random::bytes::<32>();
    private_file::create(path)
        .and_then(|mut file| {
            writeln!(file, "{}", Secret::new(hex(&seed)).open())?;
            file.sync_all()
        })
        .map_err(|error| file_trouble(path, error))?;
    Ok(Key::of_seed(&seed))
}

fn file_trouble(path: &Path, error: std::io::Error) -> BadKey {
    BadKey::File { file: PathBuf::from(path).display().to_string(), error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Environment, Given};

    fn config(folder: &Path, variables: &[(&str, &str)]) -> Config {
        let given = Given { addr: None, data: Some(folder.to_path_buf()) };
        Config::load(given, &variables.iter().copied().collect::<Environment>())
            .expect("it is sound")
    }

    #[test]
    fn a_key_is_made_once_and_only_its_user_reads_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config = config(folder.path(), &[]);
        let key = Key::open(&config).expect("it is made");
        assert_eq!(Key::open(&config).expect("it is read").id(), key.id());
        let path = folder.path().join(FILE);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(&path).expect("it is there").permissions();
            assert_eq!(mode.mode() & 0o777, 0o600);
        }
        #[cfg(unix)]
        {
            // As the copy of another user has it.
            use std::os::unix::fs::PermissionsExt as _;
            let wide = std::fs::Permissions::from_mode(0o666);
            std::fs::set_permissions(&path, wide).expect("they are set");
            assert_eq!(Key::open(&config).expect("it is read").id(), key.id());
            let mode = std::fs::metadata(&path).expect("it is there").permissions();
            assert_eq!(mode.mode() & 0o777, 0o600);
        }
        let text = std::fs::read_to_string(&path).expect("it reads");
        let shown = format!("{key:?} {:?}", Some(&key));
        assert!(!shown.contains(text.trim()), "a secret cannot be printed");

        let newer = Key::renew(&config).expect("it is made anew");
        assert_ne!(newer.id(), key.id());
        assert_eq!(Key::open(&config).expect("it is read").id(), newer.id());
        assert_eq!(Key::earlier(&config), [key.id()]);
    }

    #[test]
    fn the_operator_can_give_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let seed = "17".repeat(32);
        let given = config(folder.path(), &[("TURNWISE_SIGNING_KEY", &seed)]);
        let key = Key::open(&given).expect("it is read");
        assert_eq!(key.id(), Key::of_seed(&[0x17; 32]).id());
        assert!(!folder.path().join(FILE).exists());
        assert!(Key::renew(&given).is_err());
        let bad = config(folder.path(), &[("TURNWISE_SIGNING_KEY", "marked-seed")]);
        let error = Key::open(&bad).expect_err("no key").to_string();
        assert!(!error.contains("marked"), "{error}");
        assert!(!format!("{bad:?}").contains("marked"));
    }
}
