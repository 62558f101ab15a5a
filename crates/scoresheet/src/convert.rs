//! Games from a base to an output, with everything that was lost on the way added up.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

use chess_core::Game;
use chess_store::erased::{Encoded, Encoder, Origin};
use chess_store::{About, AnyError, Fact, Loss, LossKind, Scope, Warning};

use crate::base::{Base, Progress};
use crate::create::Output;
use crate::filter::Filter;
use crate::pipeline::{
    Batch, BatchGame, ReadBy, Scan, Transform, TransformOutput, available_threads, run,
};
use crate::raw_games::RawGames;

/// Copies games, adding up over as many bases as it is [run](Converter::run) on.
///
/// A game that reads with an error is written as far as it goes and counted as damaged. One the
/// target refuses is left out and counted. Errors that concern a whole base stop the run.
#[derive(Debug)]
pub struct Converter {
    filter: Filter,
    strict: bool,
    drop_damaged: bool,
    threads: usize,
    apart: bool,
    raw_games: RawGames,
    summary: Summary,
    about: About,
    /// Facts of bases that could not be kept beside those of others.
    unmerged: Vec<Loss>,
}

/// Is told what happens in a conversion, in order. `()` does not care.
pub trait Watch {
    /// A game has been dealt with. Breaking ends the run as if there were no more games.
    fn outcome(&mut self, outcome: &Outcome<'_>) -> ControlFlow<()> {
        let _ = outcome;
        ControlFlow::Continue(())
    }

    /// Some more games have been dealt with.
    fn progress(&mut self, progress: Progress) {
        let _ = progress;
    }
}

impl Watch for () {}

/// What became of one game.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome<'a> {
    /// Number in its base, from zero.
    pub number: u64,
    /// Whether the [`Filter`] chose it.
    pub selected: bool,
    /// Whether the source marks it as deleted; only told of games that were chosen.
    pub deleted: bool,
    /// Tolerated deviations met on reading.
    pub warnings: &'a [Warning],
    /// Why it did not read to its end.
    pub damage: Option<&'a AnyError>,
    /// What the target could not hold.
    pub losses: &'a [Loss],
    /// Why the target did not take it at all.
    pub refusal: Option<&'a AnyError>,
}

/// What happened in a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Games the sources listed.
    pub read: u64,
    /// Games written, whole or not.
    pub written: u64,
    /// Games not chosen.
    pub passed_over: u64,
    /// Games that did not read to their end; written as far as they go.
    pub damaged: u64,
    /// Games the target refused.
    pub refused: u64,
    /// Games written of which the target could not hold everything.
    pub lossy: u64,
    /// What the target, or the target after several sources, could not hold of the bases' facts.
    pub base_losses: Vec<Loss>,
    /// Games written that the source marks as deleted.
    pub deleted: u64,
    /// Losses of games by kind.
    pub losses: BTreeMap<LossKind, u64>,
    /// Tolerated deviations by name.
    pub warnings: BTreeMap<&'static str, u64>,
}

impl Summary {
    /// Whether every chosen game was read whole and written whole.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.damaged == 0 && self.refused == 0 && self.lossy == 0 && self.base_losses.is_empty()
    }
}

impl fmt::Display for Summary {
    /// One line: `103 games read, 102 written, 1 refused`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = if self.read == 1 { "game" } else { "games" };
        write!(f, "{} {games} read, {} written", self.read, self.written)?;
        let more = [
            (self.passed_over, "not chosen"),
            (self.damaged, "damaged"),
            (self.refused, "refused"),
            (self.lossy, "with losses"),
        ];
        for (count, word) in more {
            if count > 0 {
                write!(f, ", {count} {word}")?;
            }
        }
        Ok(())
    }
}

impl Default for Converter {
    fn default() -> Converter {
        Converter::new()
    }
}

impl Converter {
    /// Takes all games, tolerates deviations, damage and losses, and uses every core.
    #[must_use]
    pub fn new() -> Converter {
        Converter {
            filter: Filter::default(),
            strict: false,
            drop_damaged: false,
            threads: available_threads(),
            apart: false,
            raw_games: RawGames::default(),
            summary: Summary::default(),
            about: About::default(),
            unmerged: Vec::new(),
        }
    }

    /// Stops at the first deviation, damage, refusal or loss.
    #[must_use]
    pub fn strict(self, strict: bool) -> Converter {
        Converter { strict, ..self }
    }

    /// Leaves damaged games out instead of writing them as far as they go.
    #[must_use]
    pub fn drop_damaged(self, drop_damaged: bool) -> Converter {
        Converter { drop_damaged, ..self }
    }

    /// Takes only games the filter chooses.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Converter {
        Converter { filter, ..self }
    }

    /// As [`filter`](Converter::filter), between two runs.
    pub fn set_filter(&mut self, filter: Filter) {
        self.filter = filter;
    }

    /// Copies games of the next bases in the format of the output by their texts, without reading
    /// them again. Of these games only those are left out whose numbers the filter does not have.
    pub fn set_raw_games(&mut self, raw_games: RawGames) {
        self.raw_games = raw_games;
    }

    /// Uses so many threads; the order of games is kept, and what is written is the same.
    #[must_use]
    pub fn threads(self, threads: usize) -> Converter {
        Converter { threads, ..self }
    }

    /// With `true`, the thread that calls does only what must be done in order, and so many others
    /// do the rest. Otherwise the thread that calls is one of those, and helps while it would wait.
    #[must_use]
    pub fn apart(self, apart: bool) -> Converter {
        Converter { apart, ..self }
    }

    /// What has happened so far, over all runs.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Copies the games of a base, or what a stream still has. The output is not finished: more
    /// may follow.
    ///
    /// # Errors
    /// What makes the base or the output of no more use; when strict, the first thing that
    /// would have been counted.
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
            raw_games: Some(&self.raw_games).filter(|raw| is_same && !raw.is_empty()),
            apart: self.apart,
        };
        let transforms = (0..self.threads.max(1)).map(|_| Encode(output.encoder())).collect();
        let default_game = DefaultGame::new(&base.about(), self.summary.written);
        let source = base.path().display().to_string();
        let (summary, strict) = (&mut self.summary, self.strict);
        let mut sink = Sink { source, summary, strict, output, watch, default_game };
        run(base, &scan, transforms, |batch, progress| sink.take(batch, progress))?;
        let default_game = sink.default_game;
        self.carry_facts(base.about(), &default_game, output)
    }

    /// States the facts of all bases so far in the output. Only now is it known which games are
    /// there.
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
        match self.summary.base_losses.first() {
            Some(loss) if self.strict => Err(ConvertError::BaseLoss(loss.clone())),
            _ => Ok(()),
        }
    }
}

/// Encodes games for the output.
struct Encode(Box<dyn Encoder + Send>);

/// A game as the output stores it, or why it cannot.
#[derive(Default)]
struct EncodedGame {
    deleted: bool,
    encoded: Encoded,
    refusal: Option<AnyError>,
}

/// Memory of an encoded game that is kept for the next.
const USUAL: usize = 8 << 10;

impl TransformOutput for EncodedGame {
    fn clear(&mut self) {
        self.encoded.trim(USUAL);
        self.refusal = None;
    }
}

impl Transform for Encode {
    type Output = EncodedGame;

    fn apply(&mut self, game: &mut Game, _: Option<ReadBy<'_>>, output: &mut EncodedGame) {
        output.deleted = game.header.deleted;
        output.refusal = self.0.encode(game, &mut output.encoded).err();
    }

    fn apply_to_text(&mut self, text: &[u8], output: &mut EncodedGame) -> bool {
        output.deleted = false;
        self.0.encode_text(text, &mut output.encoded)
    }
}

/// Follows the game of a base that is to be shown first.
struct DefaultGame {
    /// Its number in the source, where that is known before the games are read.
    wanted: Option<u64>,
    /// How many games the output had before.
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

    /// A game was written, as this one of the output, or was not.
    fn pass(&mut self, number: u64, written: Option<u64>) {
        if written.is_none() {
            self.gap = self.gap.or(Some(number));
        } else if self.wanted == Some(number) {
            self.found = written;
        }
    }

    /// What the fact becomes in the output; `None` if the game is not there. Zero stays: it says
    /// that no game is shown.
    fn new_number(&self, value: &str) -> Option<String> {
        let Some(number) = from_zero(value) else { return Some(value.to_owned()) };
        let shifted = || self.before.checked_add(number);
        let new = match self.wanted {
            Some(_) => self.found?,
            // A stream states it last.
            None => shifted().filter(|_| self.gap.is_none_or(|gap| number < gap))?,
        };
        new.checked_add(1).map(|new| new.to_string())
    }
}

/// The number of a game, from zero, of one that counts from 1.
fn from_zero(value: &str) -> Option<u64> {
    value.parse().ok().and_then(|number: u64| number.checked_sub(1))
}

/// Where batches go.
struct Sink<'a> {
    /// The base the games come from.
    source: String,
    default_game: DefaultGame,
    summary: &'a mut Summary,
    strict: bool,
    output: &'a mut Output,
    watch: &'a mut dyn Watch,
}

impl Sink<'_> {
    /// Writes and counts a batch, game by game, so that a watch that breaks finds just those
    /// written that it was told of; whether more are wanted.
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
        let BatchGame { number, damage, output: encoded, .. } = game;
        if encoded.refusal.is_none() {
            let origin = Origin { source: &self.source, number: *number, damage: damage.as_ref() };
            encoded.refusal = self.output.append(&mut encoded.encoded, &origin).err();
        }
        if let Some(error) = encoded.refusal.take_if(|error| error.scope() == Scope::Base) {
            return Err(ConvertError::Write(error));
        }
        Ok(())
    }
}

/// Returns the first damage, refusal or loss of `game` as an error.
fn check_strict(game: &mut BatchGame<EncodedGame>) -> Result<(), ConvertError> {
    let number = game.number;
    if let Some(error) = game.damage.take() {
        return Err(ConvertError::Read(error));
    }
    if !game.selected {
        return Ok(());
    }
    if let Some(error) = game.output.refusal.take() {
        return Err(ConvertError::Write(error));
    }
    let losses = &mut game.output.encoded.losses;
    losses.drain(..).next().map_or(Ok(()), |loss| Err(ConvertError::Loss { number, loss }))
}

impl BatchGame<EncodedGame> {
    fn outcome(&self) -> Outcome<'_> {
        let EncodedGame { deleted, encoded, refusal } = &self.output;
        Outcome {
            deleted: *deleted && self.selected,
            number: self.number,
            selected: self.selected,
            warnings: &self.warnings,
            damage: self.damage.as_ref(),
            losses: if self.selected { &encoded.losses } else { &[] },
            refusal: refusal.as_ref().filter(|_| self.selected),
        }
    }
}

impl Summary {
    /// Counts a game.
    fn add(&mut self, outcome: &Outcome<'_>) {
        let count = |counter: &mut u64, when: bool| {
            *counter = counter.saturating_add(u64::from(when));
        };
        let written = outcome.selected && outcome.refusal.is_none();
        count(&mut self.read, true);
        count(&mut self.written, written);
        count(&mut self.passed_over, !outcome.selected);
        count(&mut self.damaged, outcome.damage.is_some());
        count(&mut self.refused, outcome.refusal.is_some());
        count(&mut self.deleted, written && outcome.deleted);
        count(&mut self.lossy, written && !outcome.losses.is_empty());
        for loss in outcome.losses {
            count(self.losses.entry(loss.kind).or_default(), true);
        }
        for warning in outcome.warnings {
            count(self.warnings.entry(warning.name).or_default(), true);
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
    /// Strict, and the target cannot hold all facts of the base.
    #[error("the target cannot hold everything: {0}")]
    BaseLoss(Loss),
    /// Strict, and the target cannot hold everything.
    #[error("game {}: the target cannot hold everything: {loss}", number.saturating_add(1))]
    Loss {
        /// Number of the game in its source, from zero.
        number: u64,
        /// The first thing lost.
        loss: Loss,
    },
}
