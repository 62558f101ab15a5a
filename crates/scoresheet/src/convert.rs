//! Copies games from bases to an output and counts losses.

use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;

use changes::{At, Changes, Lines, Repeated, Sizes};
use chess_core::Game;
use chess_store::erased::{Encoded, Encoder, Origin};
use chess_store::{
    About, AnyError, Error, Fact, Location, Loss, Losses, Scope, Warning, WarningCounts,
};
use dedupe::Merged;
use query::spelling::Speller;
use query::{Filter, Matcher};

use crate::base::{Base, Kind, Progress};
use crate::create::Output;
use crate::error::describe;
use crate::pipeline::{
    Batch, BatchGame, ReadBy, Scan, Transform, TransformOutput, available_threads, run,
};
use crate::raw_games::RawGames;
use crate::text_copier::TextCopier;

mod summary;

pub use summary::Summary;

/// Copies games from one or more bases to an output. Each call of [`run`](Converter::run) adds a
/// base.
///
/// A damaged game is written up to the damage and counted. A game that the target refuses is left
/// out and counted. Errors that concern a whole base stop the run.
#[derive(Debug)]
pub struct Converter {
    filter: Filter,
    changes: Arc<Changes>,
    marks: Option<Filter>,
    strict: bool,
    drop_damaged: bool,
    threads: usize,
    apart: bool,
    skips_moves: bool,
    raw_games: RawGames,
    merged: Arc<Merged>,
    summary: Summary,
    about: About,
    /// Losses of the bases: facts that conflict with facts of other bases, guiding texts.
    unmerged: Losses,
    /// The size of the repeated parts of split games so far.
    repeated: Repeated,
}

/// Observes a conversion, in order. `()` ignores everything.
pub trait Watch {
    /// Called after each game. `Break` ends the run as if there were no more games.
    fn outcome(&mut self, outcome: &Outcome<'_>) -> ControlFlow<()> {
        let _ = outcome;
        ControlFlow::Continue(())
    }

    /// Called at the end of a run for each new [warning](Output::warnings) of the output.
    fn output_warning(&mut self, warning: &Warning) {
        let _ = warning;
    }

    /// Called after each batch of games.
    fn progress(&mut self, progress: Progress) {
        let _ = progress;
    }
}

impl Watch for () {}

/// The outcome of one game.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome<'a> {
    /// Zero-based number in its base.
    pub number: u64,
    /// Whether the [`Filter`] selected the game.
    pub selected: bool,
    /// Whether the source marks the game as deleted. Set only for selected games.
    pub deleted: bool,
    /// Deviations that were tolerated while reading.
    pub warnings: &'a [Warning],
    /// Further deviations, by name, if there are more than [`Diagnostics::KEPT`].
    ///
    /// [`Diagnostics::KEPT`]: chess_store::Diagnostics::KEPT
    pub unlisted: &'a WarningCounts,
    /// The error that ended the reading of a damaged game.
    pub damage: Option<&'a AnyError>,
    /// Losses: parts of the game that the target cannot hold.
    pub losses: &'a Losses,
    /// The error with which the target refused the game, or one of its lines.
    pub refusal: Option<&'a AnyError>,
    /// The number of games written: several if the game was split into its lines.
    pub written: u64,
}

impl Default for Converter {
    fn default() -> Converter {
        Converter::new()
    }
}

impl Converter {
    /// Creates a converter that selects all games, tolerates deviations, damage and losses, and
    /// uses every core.
    #[must_use]
    pub fn new() -> Converter {
        Converter {
            filter: Filter::default(),
            changes: Arc::default(),
            marks: None,
            strict: false,
            drop_damaged: false,
            threads: available_threads(),
            apart: false,
            skips_moves: false,
            raw_games: RawGames::default(),
            merged: Arc::default(),
            summary: Summary::default(),
            about: About::default(),
            unmerged: Losses::new(),
            repeated: Repeated::default(),
        }
    }

    /// Stops at the first deviation, damage, refusal or loss.
    #[must_use]
    pub fn strict(self, strict: bool) -> Converter {
        Converter { strict, ..self }
    }

    /// Leaves damaged games out instead of writing them up to the damage.
    #[must_use]
    pub fn drop_damaged(self, drop_damaged: bool) -> Converter {
        Converter { drop_damaged, ..self }
    }

    /// Copies only the games that `filter` selects.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Converter {
        Converter { filter, ..self }
    }

    /// Changes each game before it is written.
    #[must_use]
    pub fn changes(self, changes: Changes) -> Converter {
        Converter { changes: Arc::new(changes), ..self }
    }

    /// Adds a comment to each position that matches `filter`, before other changes. The text is the
    /// comment of a query in CQL, or else `match`.
    #[must_use]
    pub fn mark_matches(self, filter: Filter) -> Converter {
        Converter { marks: Some(filter), ..self }
    }

    /// Like [`filter`](Converter::filter), for use between two runs.
    pub fn set_filter(&mut self, filter: Filter) {
        self.filter = filter;
    }

    /// Copies `raw_games` of the next bases as text, without parsing them, if input and output have
    /// the same format. The filter then tests only the numbers of these games.
    pub fn set_raw_games(&mut self, raw_games: RawGames) {
        self.raw_games = raw_games;
    }

    /// Writes the games of the next bases as they are after a [merge](crate::dedupe::merge_duplicates)
    /// with their duplicates.
    pub fn set_merged(&mut self, merged: Merged) {
        self.merged = Arc::new(merged);
    }

    /// Uses `threads` threads. The order of games and the output do not depend on it.
    #[must_use]
    pub fn threads(self, threads: usize) -> Converter {
        Converter { threads, ..self }
    }

    /// If `apart` is set, the calling thread only writes, and [`threads`](Converter::threads) other
    /// threads do the rest. Otherwise the calling thread is one of these and works while it would
    /// wait.
    #[must_use]
    pub fn apart(self, apart: bool) -> Converter {
        Converter { apart, ..self }
    }

    /// If set, the games may be written without their moves, and without the damage and deviations
    /// in the moves, where reading them so is faster.
    #[cfg(feature = "tables")]
    pub(crate) fn skips_moves(self, skips_moves: bool) -> Converter {
        Converter { skips_moves, ..self }
    }

    /// The counts so far, over all runs.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Copies the games of `base`, or the rest of a stream. Does not finish the output: more bases
    /// may follow.
    ///
    /// # Errors
    /// Errors that concern the base or the output as a whole. If strict, also the first deviation,
    /// damage, refusal or loss.
    pub fn run(
        &mut self,
        base: &mut Base,
        output: &mut Output,
        watch: &mut dyn Watch,
    ) -> Result<(), ConvertError> {
        let is_same = base.format().name == output.format().name;
        let scan = Scan {
            filter: &self.filter,
            strict: self.strict,
            drop_damaged: self.drop_damaged,
            raw_games: Some(&self.raw_games).filter(|raw| {
                is_same && (self.merged.is_empty() || raw.leaves_out()) && !raw.is_empty()
            }),
            skips: false,
            apart: self.apart,
            skips_moves: self.skips_moves,
        };
        let encode = |_| Encode {
            encoder: output.encoder(),
            changes: Arc::clone(&self.changes),
            speller: self.changes.speller(),
            merged: Arc::clone(&self.merged),
            matcher: self.marks.as_ref().map(Matcher::new),
            finder: self.changes.at.as_ref().and_then(At::matcher),
            lines: Lines::default(),
            line: Game::new(),
        };
        let transforms = (0..self.threads.max(1)).map(encode).collect();
        let encode = self.changes.split_variations.then(|| encode(0));
        let default_game = DefaultGame::new(&base.about(), self.summary.written);
        let path = base.path().to_path_buf();
        let source = path.display().to_string();
        let texts = TextCopier::new(base, self.filter.is_open(), output);
        let (summary, strict, repeated) = (&mut self.summary, self.strict, &mut self.repeated);
        let has_offsets = matches!(base.kind(), Kind::Stream(stream) if stream.is_text());
        let mut sink = Sink {
            path: &path,
            source,
            has_offsets,
            summary,
            strict,
            output,
            watch,
            default_game,
            texts,
            encode,
            repeated,
        };
        let mut ended = true;
        run(base, &scan, transforms, |batch, progress| {
            ended = sink.take(batch, progress)?;
            Ok(ended)
        })?;
        let Sink { default_game, mut texts, .. } = sink;
        if ended {
            texts.write_before(u64::MAX, output).map_err(ConvertError::Write)?;
        }
        self.unmerged.append(&mut texts.into_losses());
        self.carry_facts(base.about(), &default_game, output)?;
        let warnings = output.new_warnings();
        if let (true, Some(first)) = (self.strict, warnings.first()) {
            return Err(ConvertError::Output(*first));
        }
        for warning in &warnings {
            watch.output_warning(warning);
            let count = self.summary.warnings.entry(warning.name).or_default();
            *count += 1;
        }
        Ok(())
    }

    /// Writes the facts of all bases so far to the output. Called after the games, because the
    /// facts depend on which games were written.
    fn carry_facts(
        &mut self,
        mut about: About,
        default_game: &DefaultGame,
        output: &mut Output,
    ) -> Result<(), ConvertError> {
        if let Some(value) = about.get(Fact::DefaultGame).map(str::to_owned) {
            let new = default_game.new_number(&value);
            if new.is_none() {
                about.lose(&mut self.unmerged, |fact| fact != Fact::DefaultGame);
            }
            about.set(Fact::DefaultGame, new.unwrap_or_default());
        }
        self.about.merge(&about, &mut self.unmerged);
        self.summary.base_losses.clone_from(&self.unmerged);
        output.set_about(&self.about, &mut self.summary.base_losses);
        match self.summary.base_losses.listed().first() {
            Some(loss) if self.strict => Err(ConvertError::BaseLoss(loss.clone())),
            _ => Ok(()),
        }
    }
}

/// Encodes games for the output.
struct Encode {
    encoder: Box<dyn Encoder + Send>,
    changes: Arc<Changes>,
    speller: Option<Speller>,
    merged: Arc<Merged>,
    /// Finds the positions to mark.
    matcher: Option<Matcher>,
    /// Finds the position that a game becomes.
    finder: Option<Matcher>,
    /// For games that are split into their lines.
    lines: Lines,
    line: Game,
}

impl Encode {
    /// Changes and encodes a game. The first error is kept; `into` is then not written.
    fn encode(
        &mut self,
        game: &mut Game,
        into: &mut Encoded,
        refusal: &mut Option<AnyError>,
    ) -> bool {
        self.changes.apply_to_spelt(game);
        let done = match self.changes.take_position(game, self.finder.as_mut()) {
            Ok(()) => self.encoder.encode(game, into),
            Err(kind) => Err(Error::new(kind, Location::default()).into()),
        };
        let is_encoded = done.is_ok();
        *refusal = refusal.take().or(done.err());
        is_encoded
    }

    /// Encodes the lines of `game` from `start` on until they have [`LINES`] bytes, each as a game, and
    /// returns the number of the next one. The losses of all lines go to `losses`.
    fn encode_lines(
        &mut self,
        game: &Game,
        numbers: Range<usize>,
        into: &mut Vec<Encoded>,
        refusal: &mut Option<AnyError>,
    ) -> usize {
        let (mut line, mut size) = (std::mem::take(&mut self.line), 0usize);
        let mut next = numbers.start;
        while next < numbers.end && size < LINES {
            self.lines.write(next, game, &mut line);
            size = size.saturating_add(line.size()).saturating_add(size_of::<Encoded>());
            let mut encoded = Encoded::default();
            if self.encode(&mut line, &mut encoded, refusal) {
                into.push(encoded);
            }
            next += 1;
        }
        line.trim(USUAL);
        self.line = line;
        next
    }
}

/// An encoded game, or the error with which the encoder refused it.
#[derive(Default)]
struct EncodedGame {
    deleted: bool,
    /// Whether `encoded` is to be written.
    is_encoded: bool,
    encoded: Encoded,
    /// A game that is split.
    split: Option<Box<SplitGame>>,
    refusal: Option<AnyError>,
    /// The number of games that were written.
    written: u64,
}

/// A game that is split, and its lines as far as they are encoded.
struct SplitGame {
    sizes: Sizes,
    encoded: Vec<Encoded>,
    /// The game, if there are more lines than memory should hold, and the number of the next one.
    rest: Option<(Game, usize)>,
}

/// The size of the lines of a game that are in memory at one time.
const LINES: usize = 256 << 10;

/// Buffer size of an encoded game that is kept for reuse.
const USUAL: usize = 8 << 10;

impl TransformOutput for EncodedGame {
    fn clear(&mut self) {
        self.encoded.trim(USUAL);
        self.split = None;
        self.refusal = None;
        self.is_encoded = false;
        self.written = 0;
    }
}

impl Transform for Encode {
    type Output = EncodedGame;

    fn apply(&mut self, game: &mut Game, _: Option<ReadBy<'_>>, output: &mut EncodedGame) {
        output.deleted = game.header.deleted;
        if !self.merged.is_empty() {
            self.merged.complete(game);
        }
        if let Some(speller) = &mut self.speller {
            speller.correct(&mut game.header, |_| {});
        }
        if let Some(Err(error)) = self.matcher.as_mut().map(|it| changes::mark(game, it)) {
            output.refusal =
                Some(Error::new(changes::ErrorKind::from(error), Location::default()).into());
            return;
        }
        if self.changes.split_variations {
            match self.lines.find(game) {
                Ok(Sizes { lines: 1, .. }) => {}
                Ok(sizes) => {
                    let mut encoded = Vec::new();
                    let lines = 0..sizes.lines;
                    let next = self.encode_lines(game, lines, &mut encoded, &mut output.refusal);
                    for line in &mut encoded {
                        output.encoded.losses.append(&mut line.losses);
                    }
                    let rest = (next < sizes.lines).then(|| (std::mem::take(game), next));
                    output.split = Some(Box::new(SplitGame { sizes, encoded, rest }));
                    return;
                }
                Err(error) => {
                    let kind = changes::ErrorKind::from(error);
                    output.refusal = Some(Error::new(kind, Location::default()).into());
                    return;
                }
            }
        }
        output.is_encoded = self.encode(game, &mut output.encoded, &mut output.refusal);
    }

    fn can_wait(&self) -> bool {
        true
    }

    fn apply_to_text(&mut self, text: &[u8], output: &mut EncodedGame) -> bool {
        output.deleted = false;
        // A text is copied as it is, so it cannot be changed.
        output.is_encoded = self.matcher.is_none()
            && self.changes.is_empty()
            && self.encoder.encode_text(text, &mut output.encoded);
        output.is_encoded
    }
}

/// Tracks where the default game of a base (the game to show first) ends up in the output.
struct DefaultGame {
    /// Its number in the source, if known before the games are read.
    wanted: Option<u64>,
    /// Games in the output before this base.
    before: u64,
    /// Its number in the output.
    found: Option<u64>,
    /// The first game of the source that was not written.
    gap: Option<u64>,
}

impl DefaultGame {
    fn new(about: &About, before: u64) -> DefaultGame {
        let wanted = about.get(Fact::DefaultGame).and_then(from_zero);
        DefaultGame { wanted, before, found: None, gap: None }
    }

    /// Records that game `number` was written as game `written` of the output, or was not written.
    fn pass(&mut self, number: u64, written: Option<u64>) {
        if written.is_none() {
            self.gap = self.gap.or(Some(number));
        } else if self.wanted == Some(number) {
            self.found = written;
        }
    }

    /// Returns the value of the fact in the output; `None` if the game was not written. Zero, which
    /// means that no game is shown, stays.
    fn new_number(&self, value: &str) -> Option<String> {
        let Some(number) = from_zero(value) else { return Some(value.to_owned()) };
        let shifted = || self.before.checked_add(number);
        let new = match self.wanted {
            Some(_) => self.found?,
            // A stream has this fact at its end.
            None => shifted().filter(|_| self.gap.is_none_or(|gap| number < gap))?,
        };
        new.checked_add(1).map(|new| new.to_string())
    }
}

/// Converts a one-based game number to a zero-based one.
fn from_zero(value: &str) -> Option<u64> {
    value.parse().ok().and_then(|number: u64| number.checked_sub(1))
}

/// Writes and counts batches.
struct Sink<'a> {
    /// The path of the base that the games come from.
    path: &'a Path,
    /// The path as text.
    source: String,
    /// Whether the games have offsets: the base is a text, and not a database or a table.
    has_offsets: bool,
    default_game: DefaultGame,
    summary: &'a mut Summary,
    strict: bool,
    output: &'a mut Output,
    watch: &'a mut dyn Watch,
    texts: TextCopier,
    /// Encodes the lines of games that have too many for memory.
    encode: Option<Encode>,
    repeated: &'a mut Repeated,
}

impl Sink<'_> {
    /// Writes and counts a batch game by game. If the watch breaks, exactly the games that it has
    /// seen are written. Returns whether to continue.
    fn take(
        &mut self,
        batch: &mut Batch<EncodedGame>,
        progress: Progress,
    ) -> Result<bool, ConvertError> {
        for game in &mut batch.games {
            if self.strict {
                check_strict(game)?;
            }
            if game.selected {
                let texts = self.texts.write_before(game.number, self.output);
                texts.map_err(ConvertError::Write)?;
                self.append(game)?;
            }
            if self.strict {
                check_strict(game)?;
            }
            let outcome = game.outcome();
            let number = self.summary.written;
            self.summary.add(&outcome);
            let written = (self.summary.written > number).then_some(number);
            self.default_game.pass(outcome.number, written);
            if self.watch.outcome(&outcome).is_break() {
                return Ok(false);
            }
        }
        self.watch.progress(progress);
        batch.failure.take().map_or(Ok(true), |error| Err(ConvertError::Read(error)))
    }

    fn append(&mut self, game: &mut BatchGame<EncodedGame>) -> Result<(), ConvertError> {
        let BatchGame { number, findings, offset, output, .. } = game;
        let damage = findings.damage().map(|error| describe(self.path, error).to_string());
        let deviations = findings.names();
        let origin = Origin::new(&self.source, *number).with_damage(damage.as_deref());
        let origin = origin.with_deviations(&deviations);
        let origin = origin.with_offset(offset.filter(|_| self.has_offsets));
        let EncodedGame { is_encoded, encoded, split, refusal, written, .. } = output;
        let mut append = |encoded: &mut Encoded, refusal: &mut Option<AnyError>| {
            let error = self.output.append(encoded, &origin).err();
            *written += u64::from(error.is_none());
            *refusal = refusal.take().or(error);
            match refusal.take_if(|error| error.scope() == Scope::Base) {
                Some(error) => Err(ConvertError::Write(error)),
                None => Ok(()),
            }
        };
        if *is_encoded {
            append(encoded, refusal)?;
        }
        if let Some(split) = split.take() {
            let SplitGame { sizes, encoded: mut lines, rest } = *split;
            if let Err(error) = self.repeated.add(sizes) {
                let kind = changes::ErrorKind::from(error);
                *refusal = Some(Error::new(kind, Location::default()).into());
                return Ok(());
            }
            let mut rest = rest.zip(self.encode.as_mut()).map(|((game, next), encode)| {
                // The lines were found before, on another thread.
                let _ = encode.lines.find(&game);
                (game, next, encode)
            });
            loop {
                for mut line in lines.drain(..) {
                    append(&mut line, refusal)?;
                    encoded.losses.append(&mut line.losses);
                }
                let Some((game, next, encode)) = &mut rest else { break };
                if *next >= sizes.lines {
                    break;
                }
                *next = encode.encode_lines(game, *next..sizes.lines, &mut lines, refusal);
            }
        }
        if let Some(error) = refusal.take_if(|error| error.scope() == Scope::Base) {
            return Err(ConvertError::Write(error));
        }
        Ok(())
    }
}

/// Returns the first damage, refusal or loss of `game` as an error.
fn check_strict(game: &mut BatchGame<EncodedGame>) -> Result<(), ConvertError> {
    let number = game.number;
    if let Some(error) = game.findings.take_damage() {
        return Err(ConvertError::Read(error));
    }
    if !game.selected {
        return Ok(());
    }
    if let Some(error) = game.output.refusal.take() {
        return Err(ConvertError::Write(error));
    }
    let losses = &game.output.encoded.losses;
    losses
        .listed()
        .first()
        .map_or(Ok(()), |loss| Err(ConvertError::Loss { number, loss: loss.clone() }))
}

/// The losses of a game that was not selected.
static NO_LOSSES: Losses = Losses::new();

impl BatchGame<EncodedGame> {
    fn outcome(&self) -> Outcome<'_> {
        let EncodedGame { deleted, encoded, refusal, written, .. } = &self.output;
        Outcome {
            deleted: *deleted && self.selected,
            number: self.number,
            selected: self.selected,
            warnings: self.findings.warnings(),
            unlisted: self.findings.unlisted(),
            damage: self.findings.damage(),
            losses: if self.selected { &encoded.losses } else { &NO_LOSSES },
            refusal: refusal.as_ref().filter(|_| self.selected),
            written: *written,
        }
    }
}

/// Why a conversion stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The source failed.
    #[error("{0}")]
    Read(AnyError),
    /// The writer failed.
    #[error("{0}")]
    Write(AnyError),
    /// In strict mode: a warning about the output.
    #[error("{0}")]
    Output(Warning),
    /// In strict mode: the target cannot hold all facts of the base.
    #[error("the target cannot hold everything: {0}")]
    BaseLoss(Loss),
    /// In strict mode: the target cannot hold everything of a game.
    #[error("game {}: the target cannot hold everything: {loss}", number + 1)]
    Loss {
        /// Zero-based number of the game in its source.
        number: u64,
        /// The first loss.
        loss: Loss,
    },
}
