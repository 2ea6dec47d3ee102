//! Rendering in a browser without a network.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::PermissionsExt as _;
use std::time::Instant;

use tokio::sync::RwLock;
use turnwise_backend::rendering::{
    MOST_PIXELS, Options, Order, RenderError, Renderer, Screenshot, find,
};
use turnwise_shared::layout::Layout;

use crate::common::*;

/// What a page may try to reach an address, without scripts: the name of each is the path that it asks for.
const TRICKS: &str = r#"<!DOCTYPE html>
<link rel="stylesheet" href="@link"><link rel="prefetch" href="@prefetch"><link rel="preload" as="image" href="@preload">
<style>@import url(@import); @font-face { font-family: f; src: url(@font); } body { font-family: f, serif; }
#mask { mask-image: url(@mask); } #set { background-image: image-set(url(@set) 1x); } #before::before { content: url(@content); }
li { list-style-image: url(@list); } #border { border-image: url(@border-image) 3; }
</style>
<img src="@img"><img srcset="@srcset 1x"><picture><source srcset="@source"><img></picture><input type="image" src="@input">
<p id="mask">m</p><p id="set">s</p><p id="before">b</p><li>l</li><p id="border">b</p>
<body background="@background"><table background="@table"><tr><td>t</td></tr></table>
<iframe src="@iframe"></iframe><iframe srcdoc="<img src='@srcdoc'>"></iframe><iframe src="data:text/html,<img src='@data'>"></iframe>
<iframe sandbox src="data:text/html,<img src='@sandboxed'>"></iframe>
<object data="@object"></object><embed src="@embed"><video src="@video" poster="@poster"></video><audio src="@audio"></audio>
<svg width="9" height="9"><image href="@svg" width="9" height="9"/>
<foreignObject width="9" height="9"><img src="@foreign"></foreignObject></svg>
"#;

/// What asks for nothing that can be named, but must not reach anything either.
const SILENT: &str = r#"<link rel="dns-prefetch" href="@dns"><link rel="preconnect" href="@preconnect"><link rel="icon" href="@icon">
<link rel="manifest" href="@manifest"><link rel="prerender" href="@prerender"><svg><use href="@use#x"/></svg><p style="filter: url(@filter#f)">f</p><a ping="@ping" href="@a">a</a>
<script type="speculationrules">{"prefetch":[{"urls":["@rules"],"eagerness":"immediate"}]}</script>"#;

/// What a page may try with scripts.
const SCRIPTED: &str = r#"<script>
fetch('@fetch', { mode: 'no-cors' }).catch(() => {}); navigator.sendBeacon('@beacon', 'x'); new EventSource('@events');
const xhr = new XMLHttpRequest(); xhr.open('GET', '@xhr'); xhr.send(); new Image().src = '@image';
try { new WebSocket('ws://HOST/socket') } catch {}
try { window.open('@popup') } catch {}
const talk = new RTCPeerConnection({ iceServers: [{ urls: 'stun:HOST' }] }); talk.createDataChannel('x');
talk.createOffer().then(offer => talk.setLocalDescription(offer));
</script><script src="@script"></script>"#;

/// Shared by tests that render; exclusive for the test that kills renderers, because all are children of this process.
static CALM: RwLock<()> = RwLock::const_new(());

/// Long enough for a packet on its way.
const LATE: Duration = Duration::from_millis(700);

fn chromium() -> Option<Options> {
    match find() {
        Ok(program) => Some(Options::new(program)),
        Err(error) => {
            eprintln!("skipped: {error}");
            None
        }
    }
}

fn order(html: &str) -> Order<'_> {
    Order { html, width: 800, height: 100, most_height: MOST_PIXELS }
}

/// Listeners on one port of this machine, TCP and UDP.
struct Ears {
    tcp: TcpListener,
    udp: UdpSocket,
}

impl Ears {
    fn open() -> Self {
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        tcp.set_nonblocking(true).expect("it can wait");
        let udp = UdpSocket::bind(tcp.local_addr().expect("it has one")).expect("that is free");
        udp.set_nonblocking(true).expect("it can wait");
        Ears { tcp, udp }
    }

    fn host(&self) -> String {
        self.tcp.local_addr().expect("it has one").to_string()
    }

    fn heard(&self) -> (bool, bool) {
        (self.tcp.accept().is_ok(), self.udp.recv(&mut [0; 100]).is_ok())
    }

    /// A page with addresses of these ears in place of what begins with `@`.
    fn page(&self, page: &str) -> String {
        let mut parts = page.split('@');
        let first = parts.next().unwrap_or_default().to_owned();
        let page = parts.fold(first, |page, part| {
            match part.split_once(|c: char| !(c.is_ascii_lowercase() || c == '-')) {
                // A rule of CSS.
                Some(("import" | "font-face", _))
                    if part.starts_with("import url") || part.starts_with("font-face") =>
                {
                    page + "@" + part
                }
                _ => format!("{page}http://{}/{part}", self.host()),
            }
        });
        page.replace("HOST", &self.host())
    }
}

/// The names of the tricks of a page.
fn names(page: &str) -> BTreeSet<String> {
    let parts = page.split('@').skip(1);
    let named =
        parts.filter(|part| !part.starts_with("import url(") && !part.starts_with("font-face"));
    let name = |part: &str| -> String {
        part.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect()
    };
    named.map(name).collect()
}

fn refused(shot: &Screenshot, ears: &Ears) -> BTreeSet<String> {
    let front = format!("http://{}/", ears.host());
    let paths = shot.refused.iter().filter_map(|address| address.strip_prefix(&front));
    paths.map(|path| path.split('#').next().unwrap_or_default().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_a_page_asks_for_leaves_the_browser() {
    let Some(options) = chromium() else { return };
    let _calm = CALM.read().await;
    for (has_namespace, runs_scripts) in
        [(true, false), (false, false), (true, true), (false, true)]
    {
        let ears = Ears::open();
        let renderer =
            Renderer::new(Ok(Options { has_namespace, runs_scripts, ..options.clone() }));
        let scripted = if runs_scripts { SCRIPTED } else { "" };
        let html = ears.page(&format!("{TRICKS}{SILENT}{scripted}"));
        let shot = renderer.render(order(&html)).await.expect("a picture");
        let refused = refused(&shot, &ears);
        let missing: Vec<_> =
            names(TRICKS).into_iter().filter(|name| !refused.contains(name)).collect();
        assert!(missing.is_empty(), "not named: {missing:?}; {refused:?}");
        if runs_scripts {
            for name in ["fetch", "beacon", "events", "xhr", "image", "script"] {
                assert!(refused.contains(name), "{name} of {refused:?}");
            }
        }
        tokio::time::sleep(LATE).await;
        assert_eq!(
            ears.heard(),
            (false, false),
            "namespace {has_namespace}, scripts {runs_scripts}"
        );
        renderer.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_meta_refresh_is_refused() {
    let Some(options) = chromium() else { return };
    let _calm = CALM.read().await;
    let ears = Ears::open();
    let renderer = Renderer::new(Ok(options));
    let html = ears.page("<meta http-equiv=refresh content='0;url=@refresh'><p>stay</p>");
    let shot = renderer.render(order(&html)).await.expect("a picture");
    assert_eq!(shot.layout.blocks.len(), 1, "{:?}", shot.layout);
    tokio::time::sleep(LATE).await;
    assert_eq!(ears.heard(), (false, false));
    renderer.close().await;
}

/// What each switch is for. Of the two for WebRTC each browser knows one; proxy and resolver rules stand in for each other.
#[tokio::test(flavor = "multi_thread")]
async fn without_its_switches_and_a_namespace_a_browser_is_heard() {
    let Some(options) = chromium() else { return };
    let _calm = CALM.read().await;
    let resolver = "--host-resolver-rules=MAP * ~NOTFOUND";
    for without in [
        [
            "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
            "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        ],
        ["--proxy-server=http://127.0.0.1:1", resolver],
        ["--proxy-bypass-list=<-loopback>", resolver],
    ] {
        let ears = Ears::open();
        let options = Options {
            has_namespace: false,
            runs_scripts: true,
            without: without.into(),
            ..options.clone()
        };
        let renderer = Renderer::new(Ok(options));
        let html = ears.page(&format!("{SCRIPTED}<p>text</p>"));
        let mut is_heard = false;
        for _ in 0..5 {
            if let Err(error) = renderer.render(order(&html)).await {
                // Some browsers leak so much that the server's own test notices.
                assert!(error.to_string().contains("lets pages reach the network"), "{error}");
                is_heard = true;
            }
            tokio::time::sleep(LATE).await;
            is_heard |= ears.heard() != (false, false);
            if is_heard {
                break;
            }
        }
        assert!(is_heard, "without {without:?}");
        renderer.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_page_is_the_same_picture_in_two_browsers() {
    let Some(options) = chromium() else { return };
    let _calm = CALM.read().await;
    let benchmarks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/benchmarks");
    let folders = fs::read_dir(benchmarks).expect("the benchmarks").flatten();
    let folders = folders.map(|folder| folder.path().join("samples/pages"));
    let files = folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let files = files.map(|file| file.path());
    let files = files.filter(|file| file.extension().is_some_and(|end| end == "html"));
    let pages: Vec<String> = files.map(|file| fs::read_to_string(file).expect("text")).collect();
    assert!(pages.len() >= 16, "{}", pages.len());
    let moving = "<style>@keyframes k { to { margin-left: 300px } } p { animation: k 1s infinite } a { transition: all 3s }</style>\
                  <p>moves</p><marquee>runs</marquee><progress></progress><a>fades</a><input autofocus value=caret>";
    let shots = async |renderer: Renderer| {
        let mut shots = Vec::new();
        for page in pages.iter().map(String::as_str).chain([moving]) {
            let twice = [renderer.render(order(page)).await, renderer.render(order(page)).await];
            let [first, second] = twice.map(|shot| shot.expect("a picture"));
            assert!(first == second, "two pictures of {page}");
            shots.push(first);
        }
        renderer.close().await;
        shots
    };
    let renderers = [Renderer::new(Ok(options.clone())), Renderer::new(Ok(options))];
    let [one, other] = renderers;
    let (one, other) = tokio::join!(shots(one), shots(other));
    assert!(one == other, "two browsers differ");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_cannot_be_borne_is_given_up_and_the_next_one_is_rendered() {
    let Some(options) = chromium() else { return };
    let _calm = CALM.read().await;
    let renderer = Renderer::new(Ok(options));
    let blurred =
        "<div style='position:fixed;inset:0;backdrop-filter:blur(40px)'>x</div>".repeat(600);
    let nested = "<b>".repeat(60_000);
    let variables: String =
        (1..60).map(|at| format!("--a{at}: var(--a{0})var(--a{0});", at - 1)).collect();
    let variables = format!(
        "<style>p {{ --a0: x; {variables} }} p::before {{ content: var(--a59) }}</style><p>p"
    );
    let entities: String =
        (1..30).map(|at| format!("<!ENTITY a{at} \"&a{0};&a{0};\">", at - 1)).collect();
    let entities =
        format!("<!DOCTYPE svg [<!ENTITY a0 \"x\">{entities}]><svg><text>&a29;</text></svg>");
    let endless = format!("<style>p {{ color: red; {}", "a { ".repeat(20_000));
    for page in [&blurred, &nested, &variables, &entities, &endless] {
        let began = Instant::now();
        let result = renderer.render(order(page)).await;
        let is_expected = matches!(
            result,
            Ok(_) | Err(RenderError::TooSlow | RenderError::TooLarge | RenderError::Crashed)
        );
        assert!(is_expected, "{result:?}");
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    }
    let tall = renderer.render(order("<div style='height:10000000px'>t</div>")).await;
    assert_eq!(tall.expect("a picture").layout.height, MOST_PIXELS);
    renderer.close().await;
}

/// Kills what renders pages for this process; how many were hit.
fn kill_renderers() -> usize {
    let own = std::process::id().to_string();
    let found =
        Command::new("pgrep").args(["-f", "type=renderer"]).output().expect("pgrep is there");
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    let is_ours = |process: &&str| {
        let above = |process: &String| {
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
            Some(stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.to_owned())
        };
        std::iter::successors(Some(process.to_string()), above).take(20).any(|at| at == own)
    };
    let hit = found.lines().filter(is_ours);
    hit.filter(|process| {
        Command::new("kill").args(["-9", process]).status().is_ok_and(|done| done.success())
    })
    .count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_renderer_costs_no_picture() {
    let Some(options) = chromium() else { return };
    let _calm = CALM.write().await;
    let renderer = Renderer::new(Ok(options));
    let html = "<p>text</p>".repeat(400);
    let undisturbed = renderer.render(order(&html)).await.expect("a picture");
    let mut hit = 0;
    for at in 0..6 {
        let killer = tokio::task::spawn_blocking(move || {
            std::thread::sleep(Duration::from_millis(60 + 40 * at));
            kill_renderers()
        });
        // It is started once more; a second failure is reported.
        match renderer.render(order(&html)).await {
            Ok(shot) => assert!(shot == undisturbed),
            Err(error) => assert_eq!(error, RenderError::Crashed),
        }
        hit += killer.await.expect("it ends");
    }
    assert!(hit > 0);
    renderer.render(order(&html)).await.expect("a picture");
    renderer.close().await;
}

#[test]
fn the_command_makes_a_picture_and_leaves_nothing_behind() {
    if chromium().is_none() {
        return;
    }
    let _calm = CALM.blocking_read();
    let folder = folder();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("it is ours");
    let ears = Ears::open();
    let page = ears.page(
        "<link rel=prefetch href=@a><img src=@b><iframe src=@c></iframe><progress></progress><marquee>x</marquee><p>Seen",
    );
    let file = |name: &str| folder.path().join(name);
    fs::write(file("t.html"), page).expect("it is ours");
    let render = |out: &str| {
        let program = env!("CARGO_BIN_EXE_turnwise");
        let mut command = Command::new(program);
        command.arg("render").arg(file("t.html")).args(["--width", "800", "--json", "--out"]);
        command.arg(file(out)).arg("--layout").arg(file("t.txt")).env("TMPDIR", folder.path());
        let done = command.output().expect("the program runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        serde_json::from_slice::<Value>(&done.stdout).expect("JSON")
    };
    let [one, two] = [render("1.png"), render("2.png")];
    assert_eq!(one, two);
    let host = ears.host();
    assert_eq!(one["refused"], json!(["a", "b", "c"].map(|name| format!("http://{host}/{name}"))));
    assert_eq!(one["width"], 800);
    assert!(
        fs::read(file("1.png")).expect("it was written")
            == fs::read(file("2.png")).expect("so was it")
    );
    let layout: Layout =
        fs::read_to_string(file("t.txt")).expect("text").parse().expect("a layout");
    assert!(layout.blocks.iter().any(|block| block.text == "Seen"), "{layout}");
    assert_eq!(ears.heard(), (false, false));
    let left = Command::new("pgrep").arg("-f").arg(folder.path()).output().expect("pgrep is there");
    assert!(left.stdout.is_empty(), "{}", String::from_utf8_lossy(&left.stdout));
    let names = fs::read_dir(folder.path()).expect("it is ours").count();
    assert_eq!(names, 4, "the browser's home is gone");
}

#[test]
fn what_cannot_be_rendered_is_refused_in_a_sentence() {
    let folder = folder();
    let (file, out) = (folder.path().join("t.html"), folder.path().join("t.png"));
    let render = |width: &str, browser: &str| {
        let program = env!("CARGO_BIN_EXE_turnwise");
        let mut command = Command::new(program);
        command.arg("render").arg(&file).args(["--width", width, "--out"]).arg(&out);
        let done = command.env("TURNWISE_CHROMIUM", browser).output().expect("the program runs");
        assert!(!done.status.success());
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    assert!(render("800", "").contains("t.html: "));
    fs::write(&file, "x".repeat(256_001)).expect("it is ours");
    let error = render("800", "");
    assert!(error.contains("a page has at most 256000 bytes, got 256001"), "{error}");
    assert!(render("4001", "").contains("4000"));
    fs::write(&file, "x").expect("it is ours");
    let error = render("800", "/nonexistent");
    assert!(
        error.contains("rendering is off, because TURNWISE_CHROMIUM names /nonexistent"),
        "{error}"
    );
}

#[tokio::test]
async fn without_a_browser_rendering_is_off_and_says_why() {
    let program = "/nonexistent/chromium".into();
    let renderer = Renderer::new(Ok(Options::new(program)));
    let error = renderer.render(order("<p>x</p>")).await.expect_err("no browser");
    assert!(error.to_string().starts_with("rendering is off, because the browser "), "{error}");
    let off = renderer.off().expect("it is off");
    assert_eq!(error.to_string(), format!("rendering is off, because {off}"));
}
