//! Chess databases behind the API of Lichess's opening explorer.
//!
//! [`Explorer`] answers the requests of the explorer's clients from bases of any format: which moves were
//! played in a position, with which results, by whom. It needs no network: the caller passes the target of a
//! request and gets an [`Answer`]. With the feature `http`, [`Server`] puts it behind an address of this
//! computer.
//!
//! | request | answer |
//! |---|---|
//! | `/masters`, `/lichess`, `/player` | moves of a position as JSON, for `/player` as one line of NDJSON |
//! | `/lichess/history` | results by month |
//! | `/masters/pgn/{id}` | a game as PGN |
//! | `/NAME/masters`, ... | the same for one of several bases |
//! | `/NAME/tree`, `/NAME/list` | tree and games of a base, for the page |
//!
//! ```
//! use serve::{Explorer, Source};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("club.pgn");
//! std::fs::write(&path, "[White \"Anna\"]\n[Black \"Boris\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n")?;
//! let explorer = Explorer::new(vec![Source::open(&path, &Default::default(), &mut |_| ())?]);
//! let answer = explorer.answer("/masters?play=e2e4", &Default::default());
//! assert_eq!(answer.status, 200);
//! assert!(answer.body.starts_with(r#"{"white":1,"draws":0,"black":0,"moves":[{"uci":"e7e5","san":"e5""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which games count
//! Games from the usual start position with a result. A game counts once in a position, with the last move
//! that was played there. The position at the end of a game is not counted. docs/serve.md has all rules, and
//! what differs from Lichess.
//!
//! # Errors
//! An [`Answer`] with the status 400 has a sentence about the parameter, as text. A base that changed after
//! it was opened is answered with 503.

mod answer;
mod count;
#[cfg(feature = "http")]
mod http;
mod id;
#[cfg(feature = "http")]
mod page;
mod question;
mod search;
mod shown;
mod source;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use scoresheet::chess_core::Game;

use count::Counts;
use question::{Kind, Question, Refusal};

#[cfg(feature = "http")]
pub use http::{Access, Server};
pub use shown::{OpeningName, PlayedMove, ShownTree, landing};
pub use source::Source;

/// Answers requests from one or more bases.
#[derive(Debug)]
pub struct Explorer {
    sources: Vec<Source>,
    threads: usize,
    /// The requests that are being answered.
    running: AtomicUsize,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The status code of HTTP.
    pub status: u16,
    /// The media type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
}

impl Answer {
    fn new(status: u16, content_type: &'static str, body: impl Into<String>) -> Answer {
        Answer { status, content_type, body: body.into() }
    }

    fn text(status: u16, body: impl Into<String>) -> Answer {
        Answer::new(status, "text/plain; charset=utf-8", body)
    }
}

/// Tells a running search to stop, because nobody waits for its answer.
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// Stops the search.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Explorer {
    /// Creates an explorer of these bases. They are one set of games, and each is a set of its own under its
    /// [name](Source::name). A name that an earlier base has gets a number.
    #[must_use]
    pub fn new(mut sources: Vec<Source>) -> Explorer {
        source::tell_apart(&mut sources);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Explorer { sources, threads, running: AtomicUsize::new(0) }
    }

    /// Searches on `threads` threads. The default is one for each processor.
    #[must_use]
    pub fn threads(self, threads: usize) -> Explorer {
        Explorer { threads: threads.max(1), ..self }
    }

    /// Returns the bases.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Counts the positions that many games have, if the bases have position indexes. Questions about them are
    /// answered at once afterwards. This pauses while others are answered, on other threads.
    pub fn prepare(&self, cancel: &Cancel) {
        let counted = |source| count::count_heavy(source, cancel, &self.running);
        self.sources.iter().for_each(counted);
    }

    /// Answers a request. `target` is its path and query, as `/masters?play=e2e4`. `cancel` may be set by
    /// another thread.
    #[must_use]
    pub fn answer(&self, target: &str, cancel: &Cancel) -> Answer {
        self.running.fetch_add(1, Ordering::Relaxed);
        let answer = self.answer_now(target, cancel);
        self.running.fetch_sub(1, Ordering::Relaxed);
        answer
    }

    fn answer_now(&self, target: &str, cancel: &Cancel) -> Answer {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (chosen, path) = self.choose(path);
        let sources = chosen.map_or(self.sources.as_slice(), std::slice::from_ref);
        if let Some(changed) = sources.iter().find(|source| source.has_changed()) {
            let name = changed.name();
            return Answer::text(503, format!("{name} has changed; start the server again\n"));
        }
        match path.strip_prefix("/masters/pgn/").or_else(|| path.strip_prefix("/master/pgn/")) {
            Some(id) => return pgn_of(sources, id),
            None if path == "/" => return Answer::text(200, self.overview()),
            None => {}
        }
        if let Some((source, kind)) = chosen.zip(search::Kind::of_path(path)) {
            return match search::answer(kind, source, query, self.threads, cancel) {
                Ok(body) => Answer::new(200, "application/json", body),
                Err(Refusal(message)) => Answer::text(400, format!("bad request: {message}\n")),
            };
        }
        let Some(kind) = Kind::of_path(path) else { return Answer::text(404, "") };
        let result = Question::parse(kind, query).and_then(|question| {
            let counts = Counts::of(sources, &question, self.threads, cancel)?;
            Ok(answer::to_json(sources, &question, counts))
        });
        match (result, kind) {
            (Ok(body), Kind::Player) => Answer::new(200, "application/x-ndjson", body + "\n"),
            (Ok(body), _) => Answer::new(200, "application/json", body),
            (Err(Refusal(message)), _) => Answer::text(400, format!("bad request: {message}\n")),
        }
    }

    /// Returns the base that the first part of a path names, and the rest of the path.
    fn choose<'p>(&self, path: &'p str) -> (Option<&Source>, &'p str) {
        let inner = path.strip_prefix('/').unwrap_or(path);
        let Some((name, _)) = inner.split_once('/') else { return (None, path) };
        let source = self.sources.iter().find(|source| source.path_name() == name);
        let rest = source.and_then(|_| inner.strip_prefix(name)).unwrap_or(path);
        (source, rest)
    }

    fn overview(&self) -> String {
        let mut text = String::from("Scoresheet answers like Lichess's opening explorer:\n");
        text += "/masters, /lichess, /player, /masters/pgn/{id}\n\nBases:\n";
        for source in &self.sources {
            text += &format!("/{} ({} games)\n", source.path_name(), source.games());
        }
        text
    }
}

/// Returns the game with this id as PGN.
fn pgn_of(sources: &[Source], id: &str) -> Answer {
    let mut game = Game::new();
    match id::find(sources, id, &mut game) {
        id::Found::Game => {
            Answer::new(200, "application/x-chess-pgn; charset=utf-8", answer::to_pgn(&game))
        }
        id::Found::None => Answer::text(404, ""),
        id::Found::Malformed if id.contains('/') => Answer::text(404, ""),
        id::Found::Malformed => Answer::text(400, "bad request: an id has 8 letters or digits\n"),
    }
}
