//! The Chrome DevTools Protocol over a pair of pipes: JSON messages, each ended by a zero byte.

use std::io;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::unix::pipe::{Receiver, Sender};

use super::RenderError;

/// The longest message of a browser, in bytes: a picture of 4,000 by 4,000 pixels in base64.
const LONGEST: u64 = 96 << 20;

pub struct Pipe {
    commands: Sender,
    messages: BufReader<Receiver>,
    /// The id of the last command.
    last: u64,
}

/// What a browser says: the answer to a command, or an event.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// That of the command; `None` for an event.
    pub id: Option<u64>,
    #[serde(default)]
    pub method: String,
    #[serde(default)]
    pub params: Value,
    #[serde(default)]
    result: Value,
    error: Option<Refused>,
    pub session_id: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Refused {
    message: String,
}

impl Pipe {
    pub fn new(commands: Sender, messages: Receiver) -> Self {
        Pipe { commands, messages: BufReader::new(messages), last: 0 }
    }

    /// Sends a command, without waiting for its answer.
    pub async fn send(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> io::Result<u64> {
        self.last += 1;
        let mut command = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = session {
            command["sessionId"] = session.into();
        }
        let mut bytes = command.to_string().into_bytes();
        bytes.push(0);
        self.commands.write_all(&bytes).await?;
        Ok(self.last)
    }

    pub async fn next(&mut self) -> io::Result<Message> {
        let mut bytes = Vec::new();
        (&mut self.messages).take(LONGEST).read_until(0, &mut bytes).await?;
        if bytes.pop() != Some(0) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(serde_json::from_slice(&bytes)?)
    }

    /// Sends a command of the browser and waits for its answer. Events are dropped: no page is open.
    pub async fn call(&mut self, method: &str, params: Value) -> Result<Value, RenderError> {
        let id = self.send(None, method, params).await?;
        loop {
            let message = self.next().await?;
            if message.id == Some(id) {
                return message.result(method);
            }
        }
    }
}

impl Message {
    /// What a command came to.
    pub fn result(self, method: &str) -> Result<Value, RenderError> {
        match self.error {
            Some(error) => Err(RenderError::Broken(format!("{method}: {}", error.message))),
            None => Ok(self.result),
        }
    }
}
