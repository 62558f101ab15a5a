//! Repeated games: `scoresheet dedupe`, and `--unique` of convert.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use commands::Dedupe;
use pages::clean::clean;
use pages::numbers::games;
use scoresheet::chess_core::Header;
use scoresheet::dedupe::{Deduper, Duplicates, Kind, Merged, Pair, Place, Taken, merge_duplicates};
use scoresheet::{Base, Filter, Format, OpenOptions, Progress, RawGames, Scanner, is_pipe};
use serde_json::json;

use crate::convert;
use crate::exit::{Done, Failure, Verbosity, say};
use crate::inputs::{self, is_stdio, with_from};
use crate::interrupt;
use crate::json;
use crate::output::Stdout;
use crate::progress::Bar;
use crate::select;

/// Why a search for repeated games takes no sample.
pub(crate) const NO_SAMPLE: &str = "a game of a sample is compared only with the other games of the \
    sample, so most repeated games would be missed; remove them first, then take a sample with \
    `convert --sample`";

pub(crate) fn run(arguments: &Dedupe, verbosity: Verbosity) -> Result<Done, Failure> {
    if !arguments.dry_run && !arguments.near {
        return convert::dedupe(arguments, verbosity);
    }
    arguments.sampling.check(NO_SAMPLE)?;
    let named = arguments.files.inputs();
    let inputs = inputs::expand(named)?;
    let sources = Sources {
        inputs: &inputs,
        not_in: &[],
        unique: true,
        from: arguments.from,
        options: &arguments.reading.options(),
        filter: &arguments.selection.filter()?,
        contained: arguments.contained,
        threads: arguments.writing.threads,
        copied_to: None,
        verbosity,
    };
    let found = sources.find()?;
    sources.tell(&found, arguments.near, arguments.json)?;
    verbosity.say(format_args!("{}; nothing was written", found.words()));
    select::report_undecided(&found.filter, verbosity);
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
    /// Bases whose games count as known. None of their games is written.
    pub(crate) not_in: &'a [PathBuf],
    /// Whether repeated games are left out.
    pub(crate) unique: bool,
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
    /// The games of each base that may be copied as text.
    raw_games: Vec<RawGames>,
    not_in: usize,
    unique: bool,
    /// The base of each input, if it could be opened.
    bases: Vec<Option<usize>>,
    /// The filter, with its count of undecided games.
    filter: Filter,
}

impl Found {
    /// Returns the numbers of the games of an input that repeat other games.
    pub(crate) fn of_input(&self, input: usize) -> Arc<[u64]> {
        let Some(base) = self.bases.get(input).copied().flatten() else { return Arc::default() };
        if self.not_in == 0 {
            return self.duplicates.of_base(base);
        }
        let mut numbers = self.duplicates.also_in(self.not_in, base);
        if self.unique {
            numbers.extend(self.duplicates.of_base(base).iter());
            numbers.sort_unstable();
            numbers.dedup();
        }
        numbers.into()
    }

    /// Returns the texts from which the games of an input may be copied.
    pub(crate) fn take_raw_games(&mut self, input: usize) -> RawGames {
        let base = self.bases.get(input).copied().flatten();
        let raw_games = base.and_then(|base| self.raw_games.get_mut(base));
        raw_games.map(std::mem::take).unwrap_or_default()
    }

    /// Formats `100 games, of which 10 repeat others, 2 as the beginning of a longer game`.
    pub(crate) fn words(&self) -> String {
        if self.not_in > 0 {
            let inputs = 0..self.bases.len();
            let left_out = inputs.map(|input| self.of_input(input).len() as u64).sum();
            return format!("left out {} that another base has", games(left_out));
        }
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
        let near = self.duplicates.near.len();
        if near > 0 {
            words.push_str(&format!("; {near} nearly repeat others (--near lists them)"));
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
        let mut everything = Filter::default();
        everything.spelling.clone_from(&filter.spelling);
        let mut deduper = Deduper::new().filter(everything);
        if let Some(threads) = self.threads {
            deduper = deduper.threads(usize::from(threads));
        }
        if let Some(format) = self.copied_to {
            deduper = deduper.copied_to(format);
        }
        for path in self.not_in {
            let mut base = inputs::open(path, None, &OpenOptions::default())?;
            self.follow(|each| deduper.add(&mut base, each))?;
        }
        deduper = deduper.filter(filter.clone());
        let (mut bases, mut next) = (Vec::new(), self.not_in.len());
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
            for path in self.not_in {
                let mut base = inputs::open(path, None, &OpenOptions::default())?;
                self.follow(|each| deduper.look_within(&mut base, each))?;
            }
            for (path, _) in self.inputs.iter().zip(&bases).filter(|(_, base)| base.is_some()) {
                let mut base = self.open(path)?;
                self.follow(|each| deduper.look_within(&mut base, each))?;
            }
        }
        let (not_in, unique) = (self.not_in.len(), self.unique);
        let raw_games = deduper.take_raw_games();
        let duplicates = deduper.finish();
        Ok(Found { duplicates, raw_games, not_in, unique, bases, filter })
    }

    /// Completes the games that stay, and tells what they take.
    pub(crate) fn merge(&self, found: &Found) -> Result<Merged, Failure> {
        let inputs = self.inputs.iter().zip(&found.bases);
        let paths: Vec<&PathBuf> = inputs.filter_map(|(path, base)| base.map(|_| path)).collect();
        let mut open = |number: usize| {
            let path = paths.get(number).map_or(Path::new(""), |path| path.as_path());
            self.open(path)
        };
        let named = |place: Place| match paths.get(place.base) {
            Some(path) if paths.len() > 1 => {
                format!("game {} of {}", place.number + 1, path.display())
            }
            _ => format!("game {}", place.number + 1),
        };
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        let mut each = |game: Place, other: Place, taken: &[Taken]| {
            for taken in taken {
                let what = match taken {
                    Taken::Tag { name, .. } => name.clone(),
                    Taken::Annotations(_) => "annotations".to_owned(),
                    _ => "moves".to_owned(),
                };
                *counts.entry(what).or_default() += 1;
                let (game, other) = (named(game), named(other));
                self.verbosity.detail(format_args!("{game} takes from {other}: {taken}"));
            }
        };
        let merged = merge_duplicates(&found.duplicates, paths.len(), &mut open, &mut each)?;
        if !counts.is_empty() {
            let counts: Vec<String> =
                counts.iter().map(|(what, count)| format!("{what} ({count})")).collect();
            self.verbosity.say(format_args!("taken from repeated games: {}", counts.join(", ")));
        }
        Ok(merged)
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

    /// Reports which game each repeated game repeats, or nearly repeats.
    fn tell(&self, found: &Found, near: bool, json: bool) -> Result<(), Failure> {
        let Duplicates { pairs, near: nearly, .. } = &found.duplicates;
        let pairs = if near { nearly } else { pairs };
        let paths: Vec<&Path> = self
            .inputs
            .iter()
            .zip(&found.bases)
            .filter_map(|(path, base)| base.map(|_| path.as_path()))
            .collect();
        let mut out = Stdout.data();
        let mut pairs = pairs.iter().peekable();
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
                    let header = &scanned.game.header;
                    report_pair(&mut out, pair, near, (path, stays), header, json)?;
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

fn report_pair(
    out: &mut dyn Write,
    pair: &Pair,
    near: bool,
    (path, stays): (&Path, &Path),
    header: &Header,
    json: bool,
) -> io::Result<()> {
    let (game, other) = (pair.game.number + 1, pair.stays.number + 1);
    if json {
        let kind = match pair.kind {
            Kind::Contained => "contained",
            Kind::Similar => "similar",
            _ => "same",
        };
        let line = json!({
            "base": path.display().to_string(),
            "game": game,
            "kind": kind,
            "stays": { "base": stays.display().to_string(), "game": other },
            "white": header.white,
            "black": header.black,
            "date": header.date.to_string(),
            "result": header.result.as_str(),
            "differs": pair.differences.to_string(),
        });
        return json::line(out, &line);
    }
    let (path_text, stays_text) = (path.display().to_string(), stays.display().to_string());
    let (white, black) = (clean(&header.white), clean(&header.black));
    let date = if header.date.is_unknown() { String::new() } else { format!(", {}", header.date) };
    let verb = match pair.kind {
        _ if near => "nearly repeats",
        Kind::Contained => "is the beginning of",
        _ => "repeats",
    };
    let differs = match pair.differences.is_empty() {
        true => String::new(),
        false => format!("; differs: {}", pair.differences),
    };
    let place = if path == stays { String::new() } else { format!(" of {}", clean(&stays_text)) };
    writeln!(
        out,
        "{}: game {game}, {white} – {black}{date}: {verb} game {other}{place}{differs}",
        clean(&path_text)
    )
}
