//! HTTP/1.1 on loopback as cheaply as can be: a service that says the same to everybody, and callers who never pause.

use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// What stands in a request where its number goes. All numbers have as many digits.
pub const NUMBER: &str = "1000000000";

/// The first number.
static NEXT: AtomicU32 = AtomicU32::new(1_000_000_001);

/// How long an answer may take.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Starts a service that answers every request with this JSON, until the process ends.
pub fn service(reply: &str) -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let addr = listener.local_addr()?;
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{reply}",
        reply.len()
    );
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let answer = answer.clone();
            // A caller that goes away ends its thread.
            std::thread::spawn(move || serve(stream, answer.as_bytes()));
        }
    });
    Ok(addr)
}

fn serve(mut stream: TcpStream, answer: &[u8]) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut inbox = Inbox::default();
    loop {
        inbox.message(&mut stream)?;
        stream.write_all(answer)?;
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Called {
    /// Requests that were answered with 200.
    pub calls: u64,
    /// Bytes of a request, head included.
    pub request: usize,
    /// Bytes of an answer, head included.
    pub answer: usize,
}

impl Called {
    /// Nothing yet, with requests of this many bytes.
    pub fn of_requests(request: usize) -> Self {
        Called { calls: 0, request, answer: 0 }
    }
}

/// Sends requests over this many connections for this time, each with a number of its own in every place of [`NUMBER`].
/// Each connection sends the next as soon as it has the answer.
pub fn call(
    addr: SocketAddr,
    path: &str,
    body: &str,
    connections: usize,
    during: Duration,
) -> Result<Called> {
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {addr}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let places: Vec<usize> = request.match_indices(NUMBER).map(|(at, _)| at).collect();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let callers: Vec<_> = (0..connections)
            .map(|_| scope.spawn(|| one_caller(addr, request.clone(), &places, &stop)))
            .collect();
        let began = Instant::now();
        while began.elapsed() < during && !callers.iter().any(|caller| caller.is_finished()) {
            std::thread::sleep(Duration::from_millis(5));
        }
        stop.store(true, Ordering::Relaxed);
        let mut all = Called::of_requests(request.len());
        for caller in callers {
            let broken = || Error::other("a caller broke down");
            let (calls, answer) = caller.join().map_err(|_| broken())??;
            all.calls += calls;
            all.answer = all.answer.max(answer);
        }
        Ok(all)
    })
}

/// A number that no request had.
pub fn next_number() -> String {
    NEXT.fetch_add(1, Ordering::Relaxed).to_string()
}

/// Writes a number into its places.
pub fn put_number(request: &mut [u8], places: &[usize], number: &str) {
    for place in places {
        request[*place..*place + number.len()].copy_from_slice(number.as_bytes());
    }
}

fn one_caller(
    addr: SocketAddr,
    request: String,
    places: &[usize],
    stop: &AtomicBool,
) -> Result<(u64, usize)> {
    let mut stream = TcpStream::connect(addr)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut request = request.into_bytes();
    let mut inbox = Inbox::default();
    let (mut calls, mut largest) = (0, 0);
    while !stop.load(Ordering::Relaxed) {
        put_number(&mut request, places, &next_number());
        stream.write_all(&request)?;
        let answer = inbox.message(&mut stream)?;
        if !answer.starts_with(b"HTTP/1.1 200") || find(answer, b"\"failed\"").is_some() {
            let words = String::from_utf8_lossy(answer).into_owned();
            return Err(Error::other(words));
        }
        calls += 1;
        largest = largest.max(answer.len());
    }
    Ok((calls, largest))
}

/// What has come over a connection.
#[derive(Default)]
struct Inbox {
    bytes: Vec<u8>,
    /// Bytes of the last message, which was handed out.
    read: usize,
}

impl Inbox {
    /// The next whole message: head, and as many bytes as its `content-length` says.
    fn message(&mut self, stream: &mut TcpStream) -> Result<&[u8]> {
        self.bytes.drain(..self.read);
        self.read = 0;
        loop {
            if let Some(end) = whole(&self.bytes)? {
                self.read = end;
                return Ok(&self.bytes[..end]);
            }
            let mut more = [0; 16_384];
            match stream.read(&mut more)? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                read => self.bytes.extend_from_slice(&more[..read]),
            }
        }
    }
}

/// Where the first message ends, if it is whole.
fn whole(bytes: &[u8]) -> Result<Option<usize>> {
    let Some(head) = find(bytes, b"\r\n\r\n") else {
        return Ok(None);
    };
    let text = std::str::from_utf8(&bytes[..head]).map_err(Error::other)?;
    let length = text
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.trim().parse::<usize>().ok())
        .ok_or_else(|| Error::other(format!("no length: {text}")))?;
    let end = head + 4 + length;
    Ok((bytes.len() >= end).then_some(end))
}

/// Where some bytes stand among others.
pub fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}
