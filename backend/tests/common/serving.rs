//! The program as it serves, with the provider `up` and its model `m`, whose prices are known.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::MARKED_KEY;

/// Of the model a million tokens read cost 1 dollar, written 10.
const PRICE: &str = "[[price]]\nprovider = \"up\"\nmodel = \"m\"\nfrom = \"2020-01-01\"\ninput = 1.0\noutput = 10.0\n";

/// A process that serves; it is killed with this.
pub struct Serving {
    pub child: Child,
    pub address: String,
}

impl Serving {
    /// Starts the program over the database with this address, else over one in its folder; `more` is said of the provider.
    pub fn start(data: &Path, upstream: &str, database: Option<&str>, more: &str) -> Self {
        std::fs::create_dir_all(data).expect("a folder");
        let config = format!(
            "[limits]\nrequests_per_second = 100000\nrequest_burst = 100000\n\
             [[provider]]\nname = \"up\"\nformat = \"openai\"\nbase_url = \"{upstream}\"\nkey_env = \"UP_KEY\"\n\
             models = [\"m\"]\n{more}\n{PRICE}"
        );
        std::fs::write(data.join("turnwise.toml"), config).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.env_remove("DATABASE_URL").env_remove("TURNWISE_WEB_DIR");
        if let Some(database) = database {
            command.env("DATABASE_URL", database);
        }
        let mut child = command
            .args(["serve", "--addr", "127.0.0.1:0", "--data"])
            .arg(data)
            .env("UP_KEY", MARKED_KEY)
            .env("TURNWISE_DEMO", "off")
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let said = BufReader::new(child.stdout.take().expect("it has an output"));
        let address = said
            .lines()
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("http://")?.1.trim().to_owned()));
        Serving { child, address: format!("http://{}", address.expect("it says where it is")) }
    }

    pub fn kill(&mut self) {
        // It may have ended by itself; then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.kill();
    }
}
