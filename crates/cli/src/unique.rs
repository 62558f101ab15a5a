//! Repeated games: `scoresheet dedupe`, and `--unique` of convert.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scoresheet::chess_core::Header;
use scoresheet::dedupe::{Deduper, Duplicates, Kind, Pair};
use scoresheet::{Base, Filter, Format, OpenOptions, Progress, RawGames, Scanner, is_pipe};
use serde_json::json;

use crate::args::Dedupe;
use crate::clean::clean;
use crate::convert;
use crate::exit::{Done, Failure, Verbosity, games, say};
use crate::inputs::{self, is_stdio, with_from};
use crate::interrupt;
use crate::json;
use crate::progress::Bar;
use crate::select;

/// Why a search for repeated games takes no sample.
pub(crate) const NO_SAMPLE: &str = "a game of a sample is compared only with the other games of the \
    sample, so most repeated games would be missed; remove them first, then take a sample with \
    `convert --sample`";

pub(crate) fn run(arguments: &Dedupe, verbosity: Verbosity) -> Result<Done, Failure> {
    if !arguments.dry_run {
        return convert::dedupe(arguments, verbosity);
    }
    arguments.sampling.check(NO_SAMPLE)?;
    let named = arguments.files.inputs();
    let inputs = inputs::expand(named)?;
    let sources = Sources {
        inputs: &inputs,
        from: arguments.from,
        options: &arguments.reading.options(),
        filter: &arguments.selection.filter()?,
        contained: arguments.contained,
        threads: arguments.writing.threads,
        copied_to: None,
        verbosity,
    };
    let found = sources.find()?;
    sources.tell(&found, arguments.json)?;
    verbosity.say(format_args!("{}; nothing was written", found.words()));
    select::tell_undecided(&found.filter, verbosity);
    let failed = found.bases.iter().any(Option::is_none);
    Ok(Done { refusals: failed, ..Done::WELL })
}

/// Refuses inputs that can be read only once, before any is read.
pub(crate) fn check_twice(inputs: &[PathBuf]) -> Result<(), Failure> {
    let name = match inputs.iter().find(|path| is_stdio(path) || is_pipe(path)) {
        None => return Ok(()),
        Some(path) if is_stdio(path) => "standard input".to_owned(),
        Some(path) => path.display().to_string(),
    };
    Err(Failure::Usage(format!("{name} cannot be read twice; write it to a file first")))
}

/// The inputs of a search for repeated games.
pub(crate) struct Sources<'a> {
    pub(crate) inputs: &'a [PathBuf],
    pub(crate) from: Option<&'static Format>,
    pub(crate) options: &'a OpenOptions,
    pub(crate) filter: &'a Filter,
    /// Whether a game counts as repeated if it is the beginning of another.
    pub(crate) contained: bool,
    pub(crate) threads: Option<u16>,
    /// The format that the games will be written in.
    pub(crate) copied_to: Option<&'static Format>,
    pub(crate) verbosity: Verbosity,
}

/// The repeated games of the inputs.
pub(crate) struct Found {
    duplicates: Duplicates,
    /// The base of each input, if it could be opened.
    bases: Vec<Option<usize>>,
    /// The filter, with its count of undecided games.
    filter: Filter,
}

impl Found {
    /// Returns the numbers of the games of an input that repeat other games.
    pub(crate) fn of_input(&self, input: usize) -> Arc<[u64]> {
        let base = self.bases.get(input).copied().flatten();
        base.map(|base| self.duplicates.of_base(base)).unwrap_or_default()
    }

    /// Returns the texts from which the games of an input may be copied.
    pub(crate) fn take_raw_games(&mut self, input: usize) -> RawGames {
        let base = self.bases.get(input).copied().flatten();
        base.map(|base| self.duplicates.take_raw_games(base)).unwrap_or_default()
    }

    /// Formats `100 games, of which 10 repeat others, 2 as the beginning of a longer game`.
    pub(crate) fn words(&self) -> String {
        let pairs = &self.duplicates.pairs;
        let contained = pairs.iter().filter(|pair| pair.kind == Kind::Contained).count();
        let repeat = match pairs.len() {
            1 => "1 repeats another".to_owned(),
            count => format!("{count} repeat others"),
        };
        let mut words = format!("{}, of which {repeat}", games(self.duplicates.games));
        if contained > 0 {
            words.push_str(&format!(", {contained} as the beginning of a longer game"));
        }
        words
    }
}

impl Sources<'_> {
    /// Reads all inputs once, and a second time if games may be the beginning of others.
    pub(crate) fn find(&self) -> Result<Found, Failure> {
        check_twice(self.inputs)?;
        // The games are selected again when they are written, or reported.
        let filter = self.filter.recounted();
        let mut deduper = Deduper::new().filter(filter.clone());
        if let Some(threads) = self.threads {
            deduper = deduper.threads(usize::from(threads));
        }
        if let Some(format) = self.copied_to {
            deduper = deduper.copied_to(format);
        }
        let (mut bases, mut next) = (Vec::new(), 0usize);
        for path in self.inputs {
            match self.open(path) {
                Ok(mut base) => {
                    self.follow(|each| deduper.add(&mut base, each))?;
                    bases.push(Some(next));
                    next += 1;
                }
                Err(error) if self.inputs.len() > 1 => {
                    say(format_args!("scoresheet: {}", with_from(&error)));
                    bases.push(None);
                }
                Err(error) => return Err(Failure::Failed(with_from(&error))),
            }
        }
        if self.contained {
            for (path, _) in self.inputs.iter().zip(&bases).filter(|(_, base)| base.is_some()) {
                let mut base = self.open(path)?;
                self.follow(|each| deduper.look_within(&mut base, each))?;
            }
        }
        Ok(Found { duplicates: deduper.finish(), bases, filter })
    }

    fn open(&self, path: &Path) -> Result<Base, scoresheet::Error> {
        inputs::open(path, self.from, self.options)
    }

    fn follow(
        &self,
        work: impl FnOnce(&mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<(), scoresheet::Error>,
    ) -> Result<(), Failure> {
        let mut bar = Bar::new(self.verbosity);
        work(&mut |progress| {
            bar.set(progress);
            if interrupt::is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if interrupt::is_asked() { Err(Failure::Interrupted) } else { Ok(()) }
    }

    /// Reports which game each repeated game repeats.
    pub(crate) fn tell(&self, found: &Found, json: bool) -> Result<(), Failure> {
        let paths: Vec<&Path> = self
            .inputs
            .iter()
            .zip(&found.bases)
            .filter_map(|(path, base)| base.map(|_| path.as_path()))
            .collect();
        let mut out = io::BufWriter::new(io::stdout().lock());
        let mut pairs = found.duplicates.pairs.iter().peekable();
        for (number, path) in paths.iter().enumerate() {
            if pairs.peek().is_none_or(|pair| pair.game.base != number) {
                continue;
            }
            let mut base = self.open(path)?;
            Scanner::new().filter(self.filter.clone()).run(&mut base, |scanned| {
                let is_it =
                    |pair: &&Pair| (pair.game.base, pair.game.number) == (number, scanned.number);
                if let Some(pair) = pairs.next_if(is_it) {
                    let stays = paths.get(pair.stays.base).copied().unwrap_or(Path::new(""));
                    tell_pair(&mut out, pair, (path, stays), &scanned.game.header, json)?;
                }
                let more = pairs.peek().is_some_and(|pair| pair.game.base == number);
                Ok::<_, Failure>(match more {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                })
            })?;
        }
        Ok(out.flush()?)
    }
}

fn tell_pair(
    out: &mut dyn Write,
    pair: &Pair,
    (path, stays): (&Path, &Path),
    header: &Header,
    json: bool,
) -> io::Result<()> {
    let (game, other) = (pair.game.number + 1, pair.stays.number + 1);
    if json {
        let kind = if pair.kind == Kind::Same { "same" } else { "contained" };
        let line = json!({
            "base": path.display().to_string(),
            "game": game,
            "kind": kind,
            "stays": { "base": stays.display().to_string(), "game": other },
            "white": header.white,
            "black": header.black,
            "date": header.date.to_string(),
            "result": header.result.as_str(),
        });
        return json::line(out, &line);
    }
    let (white, black) = (clean(&header.white), clean(&header.black));
    let date = if header.date.is_unknown() { String::new() } else { format!(", {}", header.date) };
    let verb = if pair.kind == Kind::Same { "repeats" } else { "is the beginning of" };
    let place = if path == stays { String::new() } else { format!(" of {}", stays.display()) };
    writeln!(
        out,
        "{}: game {game}, {white} – {black}{date}: {verb} game {other}{place}",
        path.display()
    )
}
