//! The whole program behind its guard, with a small web of its own: one network namespace has a name server and sites at public addresses,
//! the other has the program, and listens at its own loopback. Nothing else is connected to either.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, UdpSocket};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use serde_json::Value;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};
use turnwise_tests::server::{command, needed_program, program, skipped};

/// The folder of the test, set in both namespaces.
const FOLDER: &str = "TURNWISE_GUARD_FOLDER";
const SITE: Ipv4Addr = Ipv4Addr::new(93, 184, 216, 34);
const AUTHORITY: &str = "authority.pem";

/// A test of this program, as a process in namespaces of its own.
fn in_namespace(flags: &str, test: &str, folder: &Path) -> Command {
    let mut command = Command::new("unshare");
    command.arg(flags).arg(std::env::current_exe().expect("this program"));
    command.args(["--exact", &format!("http::guard::{test}"), "--nocapture"]);
    command.env(FOLDER, folder);
    command
}

#[test]
fn the_address_that_was_checked_is_the_one_that_is_connected_to() {
    if needed_program().is_none() {
        return;
    }
    let cable = "ip link set lo up; ip -6 addr show dev lo | grep -q ::1; ip link add va type veth peer name vb";
    let probe = Command::new("unshare").args(["-rnm", "sh", "-ec", cable]).status();
    if !probe.is_ok_and(|probe| probe.success()) {
        return skipped("no two network namespaces can be joined here (iproute2, veth, IPv6)");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    match in_namespace("-rnm", "inside", folder.path()).output() {
        Ok(said) if String::from_utf8_lossy(&said.stdout).contains("running 1 test") => {
            let said = String::from_utf8_lossy(&said.stdout);
            assert!(said.contains("nothing came inside"), "{said}");
        }
        other => skipped(&format!("no network namespace can be made: {other:?}")),
    }
}

/// A process that ends with the test.
struct Stopped(Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn shell(words: &str) {
    let status = Command::new("sh").args(["-ec", words]).status();
    assert!(status.expect("there is a shell").success(), "{words}");
}

#[test]
fn inside() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let mut outside = in_namespace("-n", "outside", folder);
    let outside = outside.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut outside = Stopped(outside.expect("a second namespace"));
    let lines = BufReader::new(outside.0.stdout.take().expect("it is piped")).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.ends_with("sites are up")));
    let resolver = folder.join("resolv.conf");
    std::fs::write(&resolver, format!("nameserver {SITE}\n")).expect("it can be written");
    shell(&format!(
        "ip link set lo up; ip link add va type veth peer name vb netns {pid}
         ip addr add 93.184.216.1/24 dev va; ip link set va up
         nsenter -t {pid} -n sh -ec 'ip addr add {SITE}/24 dev vb; ip link set vb up'
         mount --bind {} /etc/resolv.conf",
        resolver.display(),
        pid = outside.0.id(),
    ));
    let listeners = ["127.0.0.1:80", "127.0.0.1:443", "[::1]:80", "[::1]:443"].map(|at| {
        let listener = TcpListener::bind(at).expect(at);
        listener.set_nonblocking(true).expect(at);
        listener
    });
    let program = program().expect("it was there");
    let authority = folder.join(AUTHORITY).display().to_string();
    for (url, wanted) in [
        ("http://fine.test/", None),
        ("https://good.test/", None),
        // Another address for the page than for robots.txt.
        ("http://turns.test/", Some("address")),
        ("https://turns.good.test/", Some("address")),
        ("http://both.test/", Some("address")),
        ("https://inside.test/", Some("address")),
        ("http://six.test/", Some("address")),
        ("http://fine.test/in", Some("address")),
        ("https://alone.test/", Some("connection")),
        ("https://old.test/", Some("connection")),
        ("https://other.test/", Some("connection")),
    ] {
        let mut browse = command(&program, &[("SSL_CERT_FILE", &authority)]);
        let said = browse.args(["browse", url, "--json", "--data"]).arg(folder).output();
        let said = String::from_utf8(said.expect("it starts").stdout).expect("it is text");
        let reply: Value = serde_json::from_str(&said).expect("it is JSON");
        match wanted {
            None => assert_eq!(reply["page"]["text"], "fine", "{url}: {said}"),
            Some(rule) => assert_eq!(reply["failed"]["detail"]["rule"], rule, "{url}: {said}"),
        }
        assert!(!said.contains("127.0.0"), "{said}");
    }
    for listener in &listeners {
        let nothing = listener.accept().expect_err("nothing is to come inside");
        assert_eq!(nothing.kind(), ErrorKind::WouldBlock);
    }
    println!("nothing came inside");
}

/// A name server and the sites; they go on until the process is killed.
#[test]
fn outside() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let (authority, config) = certificates();
    std::fs::write(Path::new(&folder).join(AUTHORITY), authority).expect("it can be written");
    let names = UdpSocket::bind("0.0.0.0:53").expect("a port");
    let [plain, secure] =
        [80, 443].map(|port| TcpListener::bind(("0.0.0.0", port)).expect("a port"));
    let config = Arc::new(config);
    println!("sites are up");
    std::thread::spawn(move || name(&names));
    std::thread::spawn(move || plain.incoming().flatten().for_each(serve));
    secure.incoming().flatten().for_each(|stream| {
        let doors = ServerConnection::new(Arc::clone(&config)).expect("a connection");
        serve(StreamOwned::new(doors, stream));
    });
}

/// Answers one request; who does not believe the certificate goes away.
fn serve(mut stream: impl Read + Write) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => return,
        }
    }
    let answer = match String::from_utf8_lossy(&head).split(' ').nth(1) {
        Some("/") => "200 OK\r\ncontent-type: text/html\r\ncontent-length: 11\r\n\r\n<p>fine</p>",
        Some("/in") => "302 X\r\nlocation: http://127.0.0.1/\r\ncontent-length: 0\r\n\r\n",
        _ => "404 X\r\ncontent-length: 0\r\n\r\n",
    };
    let _ = write!(stream, "HTTP/1.1 {answer}");
    let _ = stream.flush();
}

/// Answers questions for addresses; `turns` is somewhere else from the second time on.
fn name(socket: &UdpSocket) {
    let (mut packet, mut times) = ([0; 512], BTreeMap::<String, u32>::new());
    while let Ok((length, to)) = socket.recv_from(&mut packet) {
        let asked = &packet[12..length];
        let end = asked.iter().position(|byte| *byte == 0).expect("a name ends") + 5;
        let name: String = asked[1..end - 5].iter().map(|byte| char::from(*byte)).collect();
        let is_six = asked[end - 3] == 28;
        let time = times.entry(name.clone()).or_default();
        *time += u32::from(!is_six);
        let home = Ipv4Addr::LOCALHOST;
        let addresses: Vec<Vec<u8>> = match (name.split(|c: char| c.is_control()).next(), is_six) {
            (Some("six"), true) => vec![Ipv6Addr::LOCALHOST.octets().to_vec()],
            (_, true) => Vec::new(),
            (Some("both"), _) => vec![SITE.octets().to_vec(), home.octets().to_vec()],
            (Some("inside"), _) => vec![home.octets().to_vec()],
            (Some("turns"), _) if *time > 1 => vec![home.octets().to_vec()],
            _ => vec![SITE.octets().to_vec()],
        };
        let count = u8::try_from(addresses.len()).expect("a few");
        let mut answer = [&packet[..2], &[0x81, 0x80, 0, 1, 0, count, 0, 0, 0, 0]].concat();
        answer.extend_from_slice(&asked[..end]);
        for address in addresses {
            let length = u8::try_from(address.len()).expect("4 or 16");
            answer.extend([0xc0, 12, 0, asked[end - 3], 0, 1, 0, 0, 0, 0, 0, length]);
            answer.extend(address);
        }
        socket.send_to(&answer, to).expect("it can be sent");
    }
}

/// By the name that is asked for.
#[derive(Debug)]
struct Doors(BTreeMap<&'static str, Arc<CertifiedKey>>);

impl ResolvesServerCert for Doors {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.0.get(hello.server_name()?).cloned()
    }
}

/// The certificate of an authority, and what sites show: one that holds, and those that do not.
fn certificates() -> (String, ServerConfig) {
    let key = || KeyPair::generate().expect("a key can be made");
    let of = |name: &str| CertificateParams::new([name.to_owned()]).expect("a host's name");
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, key()).expect("it signs itself");
    let shown = |certificate: CertificateDer<'static>, key: &KeyPair| {
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = ring::default_provider();
        let shown = CertifiedKey::from_der(vec![certificate], key, &provider);
        Arc::new(shown.expect("the key belongs to the certificate"))
    };
    let signed = |params: CertificateParams| {
        let key = key();
        let certificate = params.signed_by(&key, &authority).expect("the authority signs");
        shown(certificate.der().clone(), &key)
    };
    let alone = key();
    let by_itself = of("alone.test").self_signed(&alone).expect("it signs itself");
    let mut old = of("old.test");
    (old.not_before, old.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(2020, 2, 1));
    let doors = Doors(BTreeMap::from([
        ("good.test", signed(of("good.test"))),
        ("turns.good.test", signed(of("turns.good.test"))),
        ("alone.test", shown(by_itself.der().clone(), &alone)),
        ("old.test", signed(old)),
        ("other.test", signed(of("good.test"))),
    ]));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the usual versions")
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(doors));
    let pem = format!(
        "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n",
        STANDARD.encode(authority.der())
    );
    (pem, config)
}
