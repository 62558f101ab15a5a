//! The server: HTTP/1.1 on an address of this computer.
//!
//! Any page that is open in a browser can send requests to this computer. So the host, the origin and the
//! method of a request are tested before anything else (docs/serve.md, "Safe in a browser world").

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use std::path::Path;

use http_body_util::Full;
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::Semaphore;

use crate::page::{BaseFile, Named, POLICY, Site, parse_range, read_range};
use crate::{Answer, Cancel, Explorer};

/// The most connections at a time. Further ones wait.
const CONNECTIONS: usize = 64;
/// The most searches at a time. Each uses all processors.
const SEARCHES: usize = 2;
/// The most bytes of a request, which has no body.
const HEAD: usize = 16 << 10;
/// The header of a file of a base with the path under which the base answers.
const ANSWERS: &str = "scoresheet-answers";
/// The time in which a client must send a request, also the next one of a connection.
const PATIENCE: Duration = Duration::from_secs(15);

/// Rules for clients.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Access {
    /// Names of this computer, besides its loopback addresses, under which clients may ask.
    pub hosts: Vec<String>,
    /// Origins of pages, as `https://lichess.org`, that may read answers.
    pub origins: Vec<String>,
    /// A secret that a client must send as `Authorization: Bearer`.
    pub token: Option<String>,
    /// Whether each request is noted on standard error, without its parameters.
    pub is_logged: bool,
}

/// A server that is bound to an address.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    access: Access,
    site: Option<Site>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Server {
    /// Binds the server to an address. Port 0 takes a free one.
    ///
    /// # Errors
    /// [`io::ErrorKind::AddrInUse`] if another program has the port; other I/O errors.
    pub fn bind(address: SocketAddr, access: Access) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Server { listener, address, access, site: None })
    }

    /// Serves the page in `folder` too, under `/page/`, and the files of the bases by ranges. Returns the
    /// path of the page with the bases of `explorer` in it.
    ///
    /// # Errors
    /// I/O errors; a folder without `index.html`.
    pub fn show_page(&mut self, folder: &Path, explorer: &Explorer) -> io::Result<String> {
        let mut site = Site::read(folder)?;
        let path = site.add(explorer.sources())?;
        self.site = Some(site);
        Ok(path)
    }

    /// Returns the address, with its port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until the program ends.
    ///
    /// # Errors
    /// I/O errors of the socket as a whole.
    pub fn run(self, explorer: Explorer) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(SEARCHES.saturating_add(2))
            .enable_all()
            .build()?;
        let explorer = Arc::new(explorer);
        let prepared = Arc::clone(&explorer);
        std::thread::spawn(move || prepared.prepare(&Cancel::default()));
        runtime.block_on(self.accept(explorer))
    }

    async fn accept(self, explorer: Arc<Explorer>) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let searches = Arc::new(Semaphore::new(SEARCHES));
        let Server { access, address, site, .. } = self;
        let shared = Arc::new(Shared { explorer, searches, access, address, site });
        let connections = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let Ok(permit) = Arc::clone(&connections).acquire_owned().await else { return Ok(()) };
            let stream = match listener.accept().await {
                Ok((stream, _)) => stream,
                // Too many open files pass; the connection that failed is lost.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            let shared = Arc::clone(&shared);
            tokio::spawn(async move {
                let service = service_fn(|request| {
                    let shared = Arc::clone(&shared);
                    async move { Ok::<_, Infallible>(shared.respond(request).await) }
                });
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(PATIENCE)
                    .max_buf_size(HEAD)
                    .max_headers(100)
                    .serve_connection(TokioIo::new(stream), service);
                // A client that leaves is no error of the server.
                let _ = connection.await;
                drop(permit);
            });
        }
    }
}

struct Shared {
    explorer: Arc<Explorer>,
    searches: Arc<Semaphore>,
    access: Access,
    address: SocketAddr,
    site: Option<Site>,
}

/// Stops a search when its request is dropped, because the client left.
struct StopOnDrop(Arc<Cancel>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

impl Shared {
    async fn respond(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let refusal = self.refusal(&request);
        if let (None, Some(response)) = (&refusal, self.file(&request)) {
            if self.access.is_logged {
                log(request.method(), request.uri().path(), response.status().as_u16());
            }
            return response;
        }
        let is_head = request.method() == Method::HEAD;
        let origin = request.headers().get(header::ORIGIN).cloned();
        let (answer, extra) = match refusal {
            Some(answer) => (answer, HeaderMap::new()),
            None if request.method() == Method::OPTIONS => (Answer::text(204, ""), preflight()),
            None => {
                let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
                (self.search(target.to_owned()).await, HeaderMap::new())
            }
        };
        if self.access.is_logged {
            log(request.method(), request.uri().path(), answer.status);
        }
        let length = answer.body.len();
        let body = if is_head { Bytes::new() } else { Bytes::from(answer.body) };
        let mut response = Response::new(Full::new(body));
        *response.status_mut() = hyper::StatusCode::from_u16(answer.status).unwrap_or_default();
        let headers = response.headers_mut();
        headers.extend(extra);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(answer.content_type));
        if is_head {
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        }
        if answer.status == 405 {
            headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD, OPTIONS"));
        }
        if answer.status == 413 {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        protect(headers, "default-src 'none'; frame-ancestors 'none'");
        if !self.access.origins.is_empty() {
            headers.insert(header::VARY, HeaderValue::from_static("Origin"));
        }
        if let Some(origin) = origin.filter(|origin| self.is_granted(origin)) {
            headers
                .insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        }
        response
    }

    /// Returns a file of the page or a range of a base, if the path names one.
    fn file(&self, request: &Request<Incoming>) -> Option<Response<Full<Bytes>>> {
        let is_head = request.method() == Method::HEAD;
        let mut response = Response::new(Full::default());
        let headers = response.headers_mut();
        let (mut status, kind, body) = match self.site.as_ref()?.find(request.uri().path())? {
            Named::File(kind, bytes) => (200, kind, bytes),
            Named::Base(BaseFile { input, size, answers }) => {
                let size = *size;
                let answers = HeaderValue::from_str(answers).ok();
                headers.extend(answers.map(|path| (HeaderName::from_static(ANSWERS), path)));
                if is_head {
                    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
                    headers.insert(header::CONTENT_LENGTH, size.into());
                }
                let asked =
                    request.headers().get(header::RANGE).and_then(|range| range.to_str().ok());
                // A small file is sent as a whole if no range is asked for.
                match parse_range(asked.unwrap_or("bytes=0-"), size) {
                    _ if is_head => (200, "application/octet-stream", Bytes::new()),
                    Some(range) if asked.is_none() && range != (0..size) => {
                        (416, "text/plain", Bytes::from_static(b"a large file is read by ranges\n"))
                    }
                    None => {
                        let range = HeaderValue::from_str(&format!("bytes */{size}"));
                        headers.extend(range.ok().map(|range| (header::CONTENT_RANGE, range)));
                        (416, "text/plain", Bytes::from_static(b"the file has no such range\n"))
                    }
                    Some(range) => match read_range(input, &range) {
                        Err(answer) => (answer.status, answer.content_type, answer.body.into()),
                        Ok(bytes) if asked.is_none() => (200, "application/octet-stream", bytes),
                        Ok(bytes) => {
                            let last = range.end.saturating_sub(1);
                            let place = format!("bytes {}-{last}/{size}", range.start);
                            let place = HeaderValue::from_str(&place).ok();
                            headers.extend(place.map(|place| (header::CONTENT_RANGE, place)));
                            (206, "application/octet-stream", bytes)
                        }
                    },
                }
            }
        };
        if self.explorer.sources().iter().any(crate::Source::has_changed) {
            status = 503;
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        protect(headers, POLICY);
        if is_head && !headers.contains_key(header::CONTENT_LENGTH) {
            headers.insert(header::CONTENT_LENGTH, body.len().into());
        }
        *response.status_mut() = hyper::StatusCode::from_u16(status).unwrap_or_default();
        *response.body_mut() =
            Full::new(if is_head || status == 503 { Bytes::new() } else { body });
        Some(response)
    }

    /// Runs a search on a thread of its own. A panic there costs this request only.
    async fn search(&self, target: String) -> Answer {
        let Ok(_permit) = self.searches.acquire().await else { return Answer::text(503, "") };
        let cancel = Arc::new(Cancel::default());
        let guard = StopOnDrop(Arc::clone(&cancel));
        let explorer = Arc::clone(&self.explorer);
        let answer = tokio::task::spawn_blocking(move || explorer.answer(&target, &cancel)).await;
        drop(guard);
        answer.unwrap_or_else(|_| Answer::text(500, "the search failed\n"))
    }

    /// Returns the answer to a request that must not be answered otherwise.
    fn refusal(&self, request: &Request<Incoming>) -> Option<Answer> {
        let headers = request.headers();
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = match (hosts.next(), hosts.next(), request.uri().authority()) {
            (_, Some(_), _) | (None, _, _) => {
                return Some(Answer::text(400, "one Host is needed\n"));
            }
            (Some(_), None, Some(authority)) => authority.as_str(),
            (Some(host), None, None) => host.to_str().unwrap_or_default(),
        };
        if !self.is_own(host) {
            return Some(Answer::text(421, "this host is not served here\n"));
        }
        let origin = headers.get(header::ORIGIN);
        let is_own_page = origin.is_some_and(|origin| {
            let origin = origin.to_str().unwrap_or_default();
            origin.strip_prefix("http://").is_some_and(|host| self.is_own(host))
        });
        let is_granted = origin.is_some_and(|origin| self.is_granted(origin));
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let is_foreign = matches!(site, Some(b"cross-site" | b"same-site"));
        if !is_granted && (origin.is_some() && !is_own_page || is_foreign) {
            return Some(Answer::text(403, "this page may not ask; see --cors\n"));
        }
        match *request.method() {
            Method::GET | Method::HEAD => {}
            Method::OPTIONS if is_granted => return None,
            _ => return Some(Answer::text(405, "")),
        }
        if !request.body().is_end_stream() {
            return Some(Answer::text(413, "a request has no body\n"));
        }
        let given = headers.get(header::AUTHORIZATION).map(HeaderValue::as_bytes);
        let token = self.access.token.as_ref().map(|token| format!("Bearer {token}"));
        match token {
            Some(token) if !given.is_some_and(|given| is_same(given, token.as_bytes())) => {
                Some(Answer::text(401, "a token is needed\n"))
            }
            _ => None,
        }
    }

    /// Returns whether a host is this server: an address of it, or a name that was allowed, with its port.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let is_allowed = |allowed: &String| allowed.eq_ignore_ascii_case(name);
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let own = self.address.ip();
        let is_address = bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback() || ip == own);
        // The usual spelling of an address only, as in `127.0.0.1` and `[::1]`.
        let is_spelt = bare.parse::<IpAddr>().is_ok_and(|ip| match ip {
            IpAddr::V4(ip) => ip.to_string() == name,
            IpAddr::V6(ip) => format!("[{ip}]") == name.to_ascii_lowercase(),
        });
        name.eq_ignore_ascii_case("localhost")
            || is_address && is_spelt
            || self.access.hosts.iter().any(is_allowed)
    }

    fn is_granted(&self, origin: &HeaderValue) -> bool {
        origin != "null" && self.access.origins.iter().any(|granted| origin == granted.as_str())
    }
}

/// Adds what keeps other pages from reading or showing a response.
fn protect(headers: &mut HeaderMap, policy: &'static str) {
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "same-origin"),
        ("content-security-policy", policy),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// The headers of the answer to a preflight request.
fn preflight() -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "Authorization"),
        (header::ACCESS_CONTROL_MAX_AGE, "600"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
}

/// Compares secrets in a time that does not tell where they differ.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).fold(0, |bits, (one, other)| bits | (one ^ other));
    one.len() == other.len() && std::hint::black_box(differences) == 0
}

#[expect(clippy::print_stderr, reason = "the log is asked for")]
fn log(method: &Method, path: &str, status: u16) {
    eprintln!("{method} {} {status}", path.escape_debug());
}
