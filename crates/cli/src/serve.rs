//! `scoresheet serve`

use std::io::{BufRead as _, Write as _};

use commands::Serve;
use pages::numbers::games;
use serde_json::{Value, json};
use serve::{Answer, Cancel, Explorer, Source};

#[cfg(feature = "serve")]
use crate::exit::say;
use crate::exit::{Done, Failure, Verbosity};
use crate::output::Stdout;
use crate::progress::Bar;
use crate::{inputs, interrupt};

/// The most bytes of a request on standard input.
const LINE: u64 = 16 << 10;

pub(crate) fn run(arguments: &Serve, verbosity: Verbosity) -> Result<Done, Failure> {
    #[cfg(not(feature = "serve"))]
    if !arguments.stdin {
        let lacking = "this build has no server; build it with `--features serve`, or use --stdin";
        return Err(Failure::Failed(lacking.into()));
    }
    let options = arguments.reading.options();
    let mut sources = Vec::new();
    // Bound before the bases are read, so that a port in use is reported at once.
    #[cfg(feature = "serve")]
    let server = if arguments.stdin { None } else { Some(bind(arguments, verbosity)?) };
    for file in &inputs::expand(&arguments.files)? {
        let mut bar = Bar::new(verbosity);
        let source = Source::open(file, &options, &mut |progress| bar.set(progress))?;
        drop(bar);
        let index = match source.index() {
            Some(_) => "with an index of positions",
            None => "without an index of positions; `scoresheet index` makes one",
        };
        verbosity.say(format_args!("{}: {}, {index}", file.display(), games(source.games())));
        sources.push(source);
    }
    let explorer = Explorer::new(sources);
    #[cfg(feature = "serve")]
    if let Some(mut server) = server {
        let address = format!("http://{}", server.address());
        say(format_args!("{address} answers; Ctrl-C ends it"));
        if let Some(folder) = page_of(arguments) {
            let shown = server.show_page(&folder, &explorer);
            let failed = |error| Failure::Failed(format!("{}: {error}", folder.display()));
            let page = address + &shown.map_err(failed)?;
            say(format_args!("the page: {page}"));
            if arguments.open {
                open_browser(&page);
            }
        } else if arguments.open {
            let lacking = "there is no folder `page` beside the program; name it with --page";
            return Err(Failure::Usage(lacking.into()));
        }
        let ended = server.run(explorer);
        return ended.map(|()| Done::WELL).map_err(|error| Failure::Failed(error.to_string()));
    }
    let cancel = Cancel::default();
    std::thread::scope(|scope| {
        scope.spawn(|| explorer.prepare(&cancel));
        let answered = answer_lines(&explorer);
        cancel.set();
        answered
    })
}

/// Returns the folder of the page: the one that is named, or `page` beside the program.
#[cfg(feature = "serve")]
fn page_of(arguments: &Serve) -> Option<std::path::PathBuf> {
    let beside = || Some(std::env::current_exe().ok()?.with_file_name("page"));
    let beside = || beside().filter(|folder| folder.join("index.html").is_file());
    arguments.page.clone().or_else(beside)
}

/// Opens an address in the browser of the user.
#[cfg(feature = "serve")]
fn open_browser(address: &str) {
    let (program, words): (&str, &[&str]) = match std::env::consts::OS {
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        "macos" => ("open", &[]),
        _ => ("xdg-open", &[]),
    };
    let opened = std::process::Command::new(program).args(words).arg(address).spawn();
    if let Err(error) = opened {
        say(format_args!("{program} cannot be started ({error}); open the page yourself"));
    }
}

#[cfg(feature = "serve")]
fn bind(arguments: &Serve, verbosity: Verbosity) -> Result<serve::Server, Failure> {
    let mut access = serve::Access::default();
    access.hosts.clone_from(&arguments.allow_host);
    access.origins.clone_from(&arguments.cors);
    access.token.clone_from(&arguments.token);
    access.is_logged = verbosity == Verbosity::Verbose;
    if access.token.as_ref().is_some_and(String::is_empty) {
        return Err(Failure::Usage("--token is empty".into()));
    }
    if let Some(origin) = access.origins.iter().find(|origin| !is_origin(origin)) {
        let example = "an origin has a scheme and no path, as https://lichess.org";
        return Err(Failure::Usage(format!("--cors {origin:?}: {example}")));
    }
    if !arguments.address.is_loopback() {
        let who = "every computer that reaches this address can read the bases";
        let more = if access.token.is_some() { ", with the token" } else { "; see --token" };
        say(format_args!("scoresheet: {}: {who}{more}", arguments.address));
    }
    let address = (arguments.address, arguments.port).into();
    serve::Server::bind(address, access).map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            let port = arguments.port;
            Failure::Failed(format!("port {port} is taken by another program; use --port"))
        }
        _ => Failure::Failed(format!("{address}: {error}")),
    })
}

#[cfg(feature = "serve")]
fn is_origin(origin: &str) -> bool {
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && !host.contains(['/', ' ', '*', '?', '#']))
}

/// Answers the requests on standard input: a line each, the target or an object with `target`.
fn answer_lines(explorer: &Explorer) -> Result<Done, Failure> {
    interrupt::watch();
    let (mut input, mut line) = (std::io::stdin().lock(), Vec::new());
    let mut out = std::io::BufWriter::new(Stdout);
    while !interrupt::is_asked() {
        line.clear();
        let read = std::io::Read::take(&mut input, LINE).read_until(b'\n', &mut line);
        let read = read.map_err(|error| Failure::Failed(format!("standard input: {error}")))?;
        if read == 0 {
            return Ok(Done::WELL);
        }
        let is_whole = line.ends_with(b"\n") || (read as u64) < LINE;
        if !is_whole {
            return Err(Failure::Failed("standard input: a request is longer than 16 KiB".into()));
        }
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        let object = reply(&target_of(text.trim()).map_or_else(
            || (400, Value::from("bad request: a line is a target or {\"target\": ...}")),
            |target| body_of(explorer.answer(&target, &Cancel::default())),
        ));
        writeln!(out, "{object}").and_then(|()| out.flush()).map_err(Failure::from)?;
    }
    Err(Failure::Stopped)
}

fn target_of(line: &str) -> Option<String> {
    if line.starts_with('/') {
        return Some(line.to_owned());
    }
    let object: Value = serde_json::from_str(line).ok()?;
    Some(object.get("target")?.as_str()?.to_owned())
}

/// Returns status and body. JSON stays JSON, and other text becomes a string.
fn body_of(answer: Answer) -> (u16, Value) {
    let is_json = answer.content_type.ends_with("json");
    let parsed = is_json.then(|| serde_json::from_str(&answer.body).ok()).flatten();
    (answer.status, parsed.unwrap_or_else(|| Value::from(answer.body.trim_end())))
}

fn reply((status, body): &(u16, Value)) -> Value {
    json!({ "status": status, "body": body })
}
