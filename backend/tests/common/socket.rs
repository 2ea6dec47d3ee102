//! A page's end of the socket, and a server that really listens.

use std::collections::VecDeque;
use std::future::pending;
use std::net::SocketAddr;
use std::time::Duration;

use futures::{SinkExt as _, StreamExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::frame::Frame as RawFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use turnwise_backend::config::Config;
use turnwise_backend::{App, listening};
use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Rendered;
use turnwise_shared::wire::{CallRequest, Epoch, Frame, FrameBody, Opened};

use super::Service;

/// A service that listens on a port.
pub struct Listening {
    pub addr: SocketAddr,
    pub service: Service,
}

impl Listening {
    pub async fn start(config: Config) -> Self {
        Listening::with(Service::start(config).await).await
    }

    /// [`Service::at`] as it listens.
    pub async fn at(base_url: &str, more: &str) -> Self {
        Listening::with(Service::at(base_url, more).await).await
    }

    pub async fn with(service: Service) -> Self {
        let addr = serve(service.app.clone()).await;
        Listening { addr, service }
    }

    /// Connects, from a page of this origin if one is given.
    pub async fn connect(&self, origin: Option<&str>) -> Result<Page, Error> {
        Page::connect(&format!("ws://{}", self.addr), origin).await
    }

    /// Connects and says hello for a run.
    pub async fn page(&self, run: &Opened) -> Page {
        let mut page = self.connect(None).await.expect("it connects");
        page.hello(run).await;
        assert!(matches!(page.next().await.body, FrameBody::Hello { run: None, .. }));
        let FrameBody::Credit { calls } = page.next().await.body else {
            panic!("credit follows hello");
        };
        page.credit = calls;
        page
    }
}

async fn serve(app: App) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let addr = listener.local_addr().expect("an address");
    tokio::spawn(listening::serve(listener, app, pending()));
    addr
}

pub struct Page {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Frames of a message that were not looked at yet.
    came: VecDeque<Frame>,
    /// Whether a message has begun that is not finished.
    is_in_message: bool,
    pub credit: u32,
}

impl Page {
    /// Connects to a server at this address, from a page of this origin if one is given.
    pub async fn connect(address: &str, origin: Option<&str>) -> Result<Self, Error> {
        let mut request = format!("{address}/api/socket").into_client_request()?;
        if let Some(origin) = origin {
            let origin = origin.parse().expect("a header");
            request.headers_mut().insert("origin", origin);
        }
        let (stream, _) = connect_async(request).await?;
        Ok(Page { stream, came: VecDeque::new(), is_in_message: false, credit: 0 })
    }

    pub async fn say(&mut self, frame: Frame) {
        let text = serde_json::to_string(&frame).expect("JSON");
        self.say_text(&text).await;
    }

    pub async fn say_text(&mut self, text: &str) {
        self.stream.send(Message::text(text)).await.expect("it is sent");
    }

    /// Says the beginning of a message that is not finished, or goes on with it.
    pub async fn say_unfinished(&mut self, text: &str) {
        let kind = match std::mem::replace(&mut self.is_in_message, true) {
            false => OpCode::Data(Data::Text),
            true => OpCode::Data(Data::Continue),
        };
        let frame = RawFrame::message(text.to_owned(), kind, false);
        // The server may have closed before all is written.
        let _ = self.stream.send(Message::Frame(frame)).await;
    }

    pub async fn say_bytes(&mut self, bytes: Vec<u8>) {
        self.stream.send(Message::binary(bytes)).await.expect("it is sent");
    }

    /// Pings `times` times and reads nothing; the server may have closed before the last.
    pub async fn pings(&mut self, times: usize) {
        for _ in 0..times {
            if self.stream.send(Message::Ping("x".into())).await.is_err() {
                return;
            }
        }
    }

    pub async fn hello(&mut self, run: &Opened) {
        self.hello_of(run, Epoch::default()).await;
    }

    /// Says hello as the driver of the run under this epoch.
    pub async fn hello_of(&mut self, run: &Opened, epoch: Epoch) {
        let body = FrameBody::Hello {
            run: Some(run.run.clone()),
            token: Some(run.token.clone()),
            epoch,
            acknowledged: 0,
        };
        self.say(Frame::new(0, body)).await;
    }

    pub async fn call(&mut self, id: u64, run: &Opened, request: Outgoing, stream: Stream) {
        let body = FrameBody::Call { key: key(run, id), request, stream };
        self.say(Frame::new(id, body)).await;
    }

    pub async fn next(&mut self) -> Frame {
        match self.next_or_close().await {
            Ok(frame) => frame,
            Err(close) => panic!("the socket was closed: {close:?}"),
        }
    }

    /// The next frame about a call, with its number; credit is passed over.
    pub async fn about_a_call(&mut self) -> (u64, FrameBody) {
        loop {
            let frame = self.next().await;
            if frame.id != 0 {
                return (frame.id, frame.body);
            }
        }
    }

    /// The next frame, or code and reason of the close.
    pub async fn next_or_close(&mut self) -> Result<Frame, Option<(u16, String)>> {
        loop {
            if let Some(frame) = self.came.pop_front() {
                return Ok(frame);
            }
            let message = tokio::time::timeout(Duration::from_secs(20), self.stream.next())
                .await
                .expect("something is heard in time");
            match message {
                Some(Ok(Message::Text(text))) => {
                    let frames =
                        text.lines().map(|line| serde_json::from_str(line).expect("a frame"));
                    self.came.extend(frames);
                }
                Some(Ok(Message::Close(frame))) => {
                    return Err(frame.map(|frame| (frame.code.into(), frame.reason.to_string())));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(None),
            }
        }
    }

    /// Code and reason with which the server closes; other frames are passed over.
    pub async fn closed(&mut self) -> (u16, String) {
        loop {
            if let Err(close) = self.next_or_close().await {
                return close.expect("the server says why");
            }
        }
    }
}

/// A call of the run, by number.
pub fn key(run: &Opened, number: u64) -> CallKey {
    CallKey {
        run: run.run.clone(),
        episode: EpisodeKey::play(&"1".into(), 1),
        call: CallId(u32::try_from(number).expect("a small number")),
        digest: Digest::of(number.to_le_bytes()),
    }
}

/// A call of the run, by number, that asks for this.
pub fn asking(run: &Opened, number: u64, request: Outgoing) -> CallRequest {
    CallRequest {
        key: key(run, number),
        token: run.token.clone(),
        epoch: Epoch::default(),
        request,
    }
}

/// A question to the player of the run.
pub fn question(spec: &Spec, text: &str) -> Outgoing {
    Outgoing::Model(ModelCall {
        provider: "up".into(),
        model: "m".into(),
        seat: "player".into(),
        messages: vec![Rendered::text(Role::User, text)],
        sampling: spec.seats[&"player".into()].sampling.clone(),
    })
}

/// A search of the run.
pub fn search(text: &str) -> Outgoing {
    Outgoing::Search {
        engine: "local".into(),
        query: Query { text: text.into(), results: 5, locale: None, since: None },
    }
}

pub fn said(body: &FrameBody) -> Option<&str> {
    match body {
        FrameBody::Reply { reply: Reply::Said(said), .. } => said.text.as_deref(),
        other => panic!("nothing was said: {other:?}"),
    }
}
