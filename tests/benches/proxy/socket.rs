//! Calls over the socket, as a page makes them: one connection, and as many calls in the air as over HTTP.

use std::io::{Error, Read as _, Result, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::wire::{Called, NUMBER, PATIENCE, find, next_number, put_number};

/// Bit of the second byte of a message: it is masked, as all of a client's are.
const MASKED: u8 = 0x80;
/// The first byte of a text that is whole, and of a pong.
const TEXT: u8 = 0x81;
const PONG: u8 = 0x8A;
/// How the first byte of a ping ends.
const PING: u8 = 9;

/// Opens the socket with this hello, keeps this many calls in the air for this time, each with a number of its own in every
/// place of [`NUMBER`], and waits for the last of them.
pub fn call(
    addr: SocketAddr,
    hello: &str,
    call: &str,
    at_once: usize,
    during: Duration,
) -> Result<Called> {
    let mut socket = Socket::open(addr)?;
    let mut out = Vec::new();
    message(&mut out, TEXT, hello.as_bytes());
    let places: Vec<usize> = call.match_indices(NUMBER).map(|(at, _)| at).collect();
    let mut text = call.as_bytes().to_vec();
    let mut another = |out: &mut Vec<u8>| {
        put_number(&mut text, &places, &next_number());
        message(out, TEXT, &text);
    };
    (0..at_once).for_each(|_| another(&mut out));
    socket.stream.write_all(&out)?;
    let began = Instant::now();
    let (mut flying, mut all) = (at_once, Called::of_requests(call.len()));
    while flying > 0 {
        out.clear();
        let (kind, heard) = socket.message()?;
        if kind & 0xF == PING {
            message(&mut out, PONG, &heard);
        }
        for line in heard.split(|byte| *byte == b'\n') {
            if find(line, b"\"kind\":\"failed\"").is_some() {
                return Err(Error::other(String::from_utf8_lossy(line).into_owned()));
            }
            if find(line, b"\"kind\":\"reply\"").is_none() {
                continue;
            }
            all.calls += 1;
            all.answer = all.answer.max(line.len());
            match began.elapsed() < during {
                true => another(&mut out),
                false => flying -= 1,
            }
        }
        socket.stream.write_all(&out)?;
    }
    Ok(all)
}

/// Writes a message, masked with zeros, which leaves it as it is.
fn message(out: &mut Vec<u8>, kind: u8, text: &[u8]) {
    out.push(kind);
    match u16::try_from(text.len()) {
        Ok(length @ 0..126) => out.push(MASKED | length as u8),
        Ok(length) => {
            out.push(MASKED | 126);
            out.extend(length.to_be_bytes());
        }
        Err(_) => {
            out.push(MASKED | 127);
            out.extend((text.len() as u64).to_be_bytes());
        }
    }
    out.extend([0; 4]);
    out.extend_from_slice(text);
}

struct Socket {
    stream: TcpStream,
    /// What has come and was not handed out.
    bytes: Vec<u8>,
}

impl Socket {
    fn open(addr: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(addr)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut socket = Socket { stream, bytes: Vec::new() };
        // The key is that of the protocol's own example; the answer to it proves only that the server has read it.
        let request = format!(
            "GET /api/socket HTTP/1.1\r\nhost: {addr}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        socket.stream.write_all(request.as_bytes())?;
        let end = loop {
            match find(&socket.bytes, b"\r\n\r\n") {
                Some(end) => break end,
                None => socket.read()?,
            }
        };
        if !socket.bytes.starts_with(b"HTTP/1.1 101") {
            return Err(Error::other(String::from_utf8_lossy(&socket.bytes).into_owned()));
        }
        socket.bytes.drain(..end + 4);
        Ok(socket)
    }

    fn read(&mut self) -> Result<()> {
        let mut more = [0; 65_536];
        match self.stream.read(&mut more)? {
            0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
            read => {
                self.bytes.extend_from_slice(&more[..read]);
                Ok(())
            }
        }
    }

    /// The next message: its first byte, and what it says.
    fn message(&mut self) -> Result<(u8, Vec<u8>)> {
        loop {
            if let Some((start, end)) = whole(&self.bytes) {
                let kind = self.bytes[0];
                let said = self.bytes[start..end].to_vec();
                self.bytes.drain(..end);
                return Ok((kind, said));
            }
            self.read()?;
        }
    }
}

/// Where the first message's text begins and ends, if it is whole. A server masks nothing.
fn whole(bytes: &[u8]) -> Option<(usize, usize)> {
    let (start, length) = match *bytes.get(1)? {
        126 => (4, u64::from(u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?))),
        127 => (10, u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?)),
        length => (2, u64::from(length)),
    };
    let end = start + usize::try_from(length).ok()?;
    (bytes.len() >= end).then_some((start, end))
}
