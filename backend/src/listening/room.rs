//! How many connections there may be, of all clients and of one.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

use super::{PATIENCE, UNREAD};
use crate::config::Config;
use crate::limits::{ByteBudget, Intake, network};
use crate::proxies::Proxies;

/// How many connections each client has.
type Counts = Arc<Mutex<HashMap<IpAddr, usize>>>;

fn lock(counts: &Counts) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a connection may cost, and how many there may be.
#[derive(Debug, Clone)]
pub struct Room {
    /// The longest that the head of a request may be on its way.
    pub patience: Duration,
    /// How long a client may read nothing of what there is to read.
    pub unread: Duration,
    /// One for each connection that there may be.
    places: Arc<Semaphore>,
    counts: Counts,
    /// How many it may have.
    most: usize,
    /// Who may have more, because others come through them.
    proxies: Proxies,
    bytes: ByteBudget,
}

impl Room {
    /// As much as the operator allows.
    pub fn of(config: &Config, bytes: &ByteBudget) -> Self {
        Room {
            patience: PATIENCE,
            unread: UNREAD,
            places: Arc::new(Semaphore::new(config.limits.connections.min(Semaphore::MAX_PERMITS))),
            counts: Counts::default(),
            most: config.limits.connections_of_client,
            proxies: config.proxies.clone(),
            bytes: bytes.clone(),
        }
    }

    /// Waits until there may be another connection.
    pub async fn place(&self) -> Option<OwnedSemaphorePermit> {
        // It fails only if the semaphore was closed.
        Arc::clone(&self.places).acquire_owned().await.ok()
    }

    /// Puts a connection from an address in its place; `None` if its client has as many as it may have.
    pub fn hold(
        &self,
        stream: TcpStream,
        place: OwnedSemaphorePermit,
        address: IpAddr,
    ) -> Option<Held> {
        let taken = self.take(place, address)?;
        Some(Held {
            stream,
            unread: self.unread,
            stuck: None,
            intake: Intake::new(&self.bytes),
            taken,
        })
    }

    fn take(&self, place: OwnedSemaphorePermit, address: IpAddr) -> Option<Taken> {
        let address = address.to_canonical();
        if address.is_loopback() || self.proxies.has(address) {
            return Some(Taken { place, of: None });
        }
        let client = network(address);
        let mut counts = lock(&self.counts);
        let count = counts.entry(client).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        let of = Some((client, Arc::clone(&self.counts)));
        Some(Taken { place, of })
    }
}

/// The place of a connection, until it is dropped.
#[derive(Debug)]
struct Taken {
    #[expect(dead_code, reason = "it is given back when it is dropped")]
    place: OwnedSemaphorePermit,
    /// Whose it is, where that is counted.
    of: Option<(IpAddr, Counts)>,
}

impl Drop for Taken {
    fn drop(&mut self) {
        let Some((client, counts)) = &self.of else {
            return;
        };
        let mut counts = lock(counts);
        if let Some(count) = counts.get_mut(client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(client);
            }
        }
    }
}

/// A connection in its place. Where it becomes a socket it is handed on, and keeps its place.
///
/// It breaks if its client reads nothing for too long while something waits for it: else a client that never reads would keep the
/// connection, and what waits for it, for ever.
#[derive(Debug)]
pub struct Held {
    stream: TcpStream,
    /// How long it may read nothing.
    unread: Duration,
    /// Runs from when nothing more could be written until something can.
    stuck: Option<Pin<Box<Sleep>>>,
    /// Counts what comes in once it is a socket.
    intake: Intake,
    #[expect(dead_code, reason = "the place is free when this is dropped")]
    taken: Taken,
}

impl Held {
    /// What counts the bytes that come in once this is a socket.
    pub fn intake(&self) -> Intake {
        self.intake.clone()
    }

    fn stream(self: Pin<&mut Self>) -> Pin<&mut TcpStream> {
        Pin::new(&mut self.get_mut().stream)
    }

    /// What became of a write; an error if none has gone on for too long.
    fn written<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stuck = None;
            return written;
        }
        let unread = self.unread;
        let stuck = self.stuck.get_or_insert_with(|| Box::pin(sleep(unread)));
        stuck.as_mut().poll(context).map(|()| {
            let why = "nothing was read for too long";
            Err(io::Error::new(io::ErrorKind::TimedOut, why))
        })
    }
}

impl AsyncRead for Held {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let intake = self.intake.clone();
        if !intake.is_open() {
            // The task that holds the socket hears of it, and ends it.
            return Poll::Pending;
        }
        let before = into.filled().len();
        let read = self.stream().poll_read(context, into);
        intake.came(into.filled().len().saturating_sub(before));
        read
    }
}

impl AsyncWrite for Held {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = self.as_mut().stream().poll_write(context, bytes);
        self.get_mut().written(context, written)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.as_mut().stream().poll_write_vectored(context, bytes);
        self.get_mut().written(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Environment, Given};

    #[tokio::test]
    async fn a_client_has_so_many_connections_and_a_proxy_as_many_as_there_may_be() {
        let variables = [("TURNWISE_PROXIES", "198.51.100.0/24")];
        let mut config = Config::load(Given::default(), &Environment::from_iter(variables))
            .expect("it is sound");
        config.limits.connections = 8;
        config.limits.connections_of_client = 2;
        let room = Room::of(&config, &ByteBudget::new(config.limits.client_bytes));
        let take = async |address: &str| {
            let place = room.place().await.expect("nobody closes it");
            room.take(place, address.parse().expect("an address"))
        };
        // The second is another address of the same household.
        let first = take("2001:db8::1").await.expect("there is room");
        let _second = take("2001:db8::2").await.expect("there is room");
        assert!(take("2001:db8::3").await.is_none());
        let _other = take("203.0.113.9").await.expect("another client");
        drop(first);
        let _third = take("2001:db8::3").await.expect("there is room again");
        let mut more = Vec::new();
        for address in ["127.0.0.1", "::1", "198.51.100.7", "198.51.100.7", "198.51.100.7"] {
            more.push(take(address).await.expect(address));
        }
        assert_eq!(room.places.available_permits(), 0);
        drop(more);
        assert_eq!(lock(&room.counts).len(), 2);
    }
}
