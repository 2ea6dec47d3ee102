//! nginx as a peer: one worker that forwards with `proxy_pass`, keeps connections to the service open and writes no log.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use turnwise_tests::peers;

use super::process::Started;

/// A running nginx; it ends when this is dropped.
pub struct Nginx {
    child: Started,
    pub addr: SocketAddr,
}

impl Nginx {
    /// Starts it in front of a service, on one core if one is named.
    ///
    /// # Errors
    /// Why it cannot be had or does not start.
    pub fn start(folder: &Path, service: SocketAddr, core: Option<&str>) -> Result<Self, String> {
        let program = peers::nginx()?;
        let words = |error: std::io::Error| error.to_string();
        let addr =
            TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).map_err(words)?;
        let place = folder.display();
        let configuration = format!(
            "daemon off; master_process off; worker_processes 1; pid {place}/nginx.pid; error_log {place}/error.log;\n\
             events {{ worker_connections 1024; }}\n\
             http {{ access_log off; keepalive_requests 100000000;\n\
             client_body_temp_path {place}/body; proxy_temp_path {place}/proxy; fastcgi_temp_path {place}/fastcgi;\n\
             uwsgi_temp_path {place}/uwsgi; scgi_temp_path {place}/scgi;\n\
             upstream service {{ server {service}; keepalive 256; keepalive_requests 100000000; }}\n\
             server {{ listen {addr}; location / {{ proxy_pass http://service; proxy_http_version 1.1;\n\
             proxy_set_header Connection \"\"; }} }} }}\n"
        );
        let file = folder.join("nginx.conf");
        std::fs::write(&file, configuration).map_err(words)?;
        let mut command = match core {
            Some(core) => {
                let mut command = Command::new("taskset");
                command.args(["-c", core]).arg(program);
                command
            }
            None => Command::new(program),
        };
        let child = command
            .arg("-p")
            .arg(folder)
            .arg("-c")
            .arg(file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(words)?;
        let child = Started(child);
        let mut nginx = Nginx { child, addr };
        let began = Instant::now();
        while TcpStream::connect(addr).is_err() {
            let ended = nginx.child.0.try_wait().map_err(words)?.is_some();
            if ended || began.elapsed() > Duration::from_secs(10) {
                return Err(std::fs::read_to_string(folder.join("error.log")).unwrap_or_default());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(nginx)
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.child.0.id()
    }
}
