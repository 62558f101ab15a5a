//! Options that choose games.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use scoresheet::chess_core::{Date, Eco, GameResult};
use scoresheet::filter::{
    BoardPattern, CommentTest, Filter, Line, Material, MissingTag, OpeningTest, PositionPattern,
    QueryError, TagTest, Text, TimeClass, ranges, time_classes,
};

use scoresheet::spelling::Spelling;

use crate::exit::{Failure, Verbosity};

/// The heading above the options, in help and manual.
pub(crate) const CHOOSING: &str =
    "Choosing games (repeat an option to mean \"or\"; different options must all hold)";

/// Options that choose games. A repeated option chooses what any of its values chooses; different
/// options must all hold. Ranges are a..b, a-b, a.., ..b, and lists of them with commas.
#[derive(Debug, Args)]
#[command(next_help_heading = CHOOSING)]
pub(crate) struct Selection {
    /// Numbers from 1: 1-100,205
    #[arg(long, value_name = "RANGES", value_parser = many(ranges::games))]
    games: Vec<Many<RangeInclusive<u64>>>,
    /// Name of either player: 'Adams, M' finds Michael Adams, not Adamson, M
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// Name of the player's opponent: two players against each other
    #[arg(long, value_name = "NAME")]
    against: Vec<String>,
    /// Name of White
    #[arg(long, value_name = "NAME")]
    white: Vec<String>,
    /// Name of Black
    #[arg(long, value_name = "NAME")]
    black: Vec<String>,
    /// Part of the event
    #[arg(long, value_name = "TEXT")]
    event: Vec<String>,
    /// Part of the site
    #[arg(long, value_name = "TEXT")]
    site: Vec<String>,
    /// Match whole names and texts exactly; upper and lower case differ
    #[arg(long)]
    exact: bool,
    /// Spelling file of Scid: all spellings of a name in it are one name
    #[arg(long, value_name = "FILE")]
    spelling: Option<PathBuf>,
    /// Date: 1990, 1990-05..1995, ..2000; all days that it can mean
    #[arg(long, value_name = "RANGES", value_parser = many(ranges::dates), allow_hyphen_values = true)]
    date: Vec<Many<RangeInclusive<Date>>>,
    /// ECO codes: B90..B99, C, D8, B20/03
    #[arg(long, value_name = "RANGES", value_parser = many(ranges::ecos), allow_hyphen_values = true)]
    eco: Vec<Many<RangeInclusive<Eco>>>,
    /// Opening by the moves: najdorf, 'english attack', E97..E99
    #[arg(long, value_name = "WORDS", value_parser = OpeningTest::parse)]
    opening: Vec<OpeningTest>,
    /// Elo of both players: 2500.., 2000-2200, 2800+
    #[arg(long, value_name = "RANGES", value_parser = many(ranges::ratings), allow_hyphen_values = true)]
    elo: Vec<Many<RangeInclusive<u16>>>,
    /// Difference between both ratings: 200.., ..50
    #[arg(long, value_name = "RANGES", value_parser = many(ranges::differences), allow_hyphen_values = true)]
    elo_diff: Vec<Many<RangeInclusive<u16>>>,
    /// bullet, blitz, rapid, classical, correspondence, unknown
    #[arg(long, value_name = "CLASSES", value_parser = many(time_classes))]
    time_class: Vec<Many<TimeClass>>,
    /// Results: 1-0, 0-1, 1/2-1/2, *, or white, black, draw, unknown
    #[arg(long, value_name = "RESULTS", value_parser = many(ranges::results))]
    result: Vec<Many<GameResult>>,
    /// Number of moves: 20..40
    #[arg(long, value_name = "RANGES", value_parser = many(ranges::lengths), allow_hyphen_values = true)]
    length: Vec<Many<RangeInclusive<u32>>>,
    /// Tag: 'TimeControl=^180', 'Event!=blitz', 'Round<5'; if repeated, "and"
    #[arg(long = "where", value_name = "TEST", value_parser = TagTest::parse)]
    tags: Vec<TagTest>,
    /// Tag that is not there, or unknown
    #[arg(long, value_name = "TAG", value_parser = MissingTag::parse)]
    tag_missing: Vec<MissingTag>,
    /// First moves: '1. e4 c5 2. Nf3'
    #[arg(long, value_name = "MOVES", value_parser = Line::parse)]
    moves: Vec<Line>,
    /// Position on the main line; missing fields may be anything
    #[arg(long, value_name = "FEN", value_parser = PositionPattern::parse)]
    position: Vec<PositionPattern>,
    /// Search variations for the position too
    #[arg(long, requires = "position")]
    variations: bool,
    /// Material: KRP-KR, QP*-RR, w:KBN-K, KRP-KR:8 (for 8 half-moves)
    #[arg(long, value_name = "PIECES", value_parser = Material::parse)]
    material: Vec<Material>,
    /// Squares: 'Pd4 pd5 .e4 [NB]c3 Rd? !Pc? @20..'
    #[arg(long, value_name = "SQUARES", value_parser = BoardPattern::parse)]
    pattern: Vec<BoardPattern>,
    /// Comment that matches a regular expression
    #[arg(long, value_name = "REGEX", value_parser = CommentTest::parse)]
    comment: Vec<CommentTest>,
    /// Games marked as deleted: only these, or none
    #[arg(long, value_name = "YES|NO", num_args = 0..=1, require_equals = true,
        default_missing_value = "yes", hide_possible_values = true)]
    deleted: Option<YesNo>,
    /// Games with comments, glyphs or variations: only these, or none
    #[arg(long, value_name = "YES|NO", num_args = 0..=1, require_equals = true,
        default_missing_value = "yes", hide_possible_values = true)]
    annotated: Option<YesNo>,
}

/// Reads a spelling file.
pub(crate) fn spelling(path: &Path) -> Result<Arc<Spelling>, Failure> {
    let read = Spelling::open(path);
    read.map(Arc::new).map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
}

/// Reports how many games were left out because their date is only partly known.
pub(crate) fn tell_undecided(filter: &Filter, verbosity: Verbosity) {
    let note = match filter.undecided() {
        0 => return,
        1 => "note: 1 game is left out: its date is partly unknown, and can be inside or outside \
              the range"
            .to_owned(),
        games => format!(
            "note: {} games are left out: their dates are partly unknown, and can be inside or \
             outside the range",
            grouped(games)
        ),
    };
    verbosity.say(note);
}

/// Reports the numbers of `--games` that exceed the number of games.
pub(crate) fn tell_missing(filter: &Filter, games: u64, verbosity: Verbosity) {
    let missing = filter.missing_numbers(games);
    if missing.is_empty() {
        return;
    }
    let range = |range: &RangeInclusive<u64>| match (*range.start(), *range.end()) {
        (first, u64::MAX) => format!("{}..", first.saturating_add(1)),
        (first, last) if first == last => first.saturating_add(1).to_string(),
        (first, last) => format!("{}-{}", first.saturating_add(1), last.saturating_add(1)),
    };
    let missing: Vec<String> = missing.iter().map(range).collect();
    let are = if games == 1 { "is 1 game" } else { &*format!("are {} games", grouped(games)) };
    verbosity.say(format_args!("note: --games {} is not there: there {are}", missing.join(",")));
}

/// Formats `103,087`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len().saturating_add(8));
    for (place, digit) in (0..digits.len()).rev().zip(digits.chars()) {
        text.push(digit);
        if place > 0 && place.is_multiple_of(3) {
            text.push(',');
        }
    }
    text
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum YesNo {
    Yes,
    No,
}

impl YesNo {
    fn is_yes(self) -> bool {
        matches!(self, YesNo::Yes)
    }
}

/// The values of one option.
#[derive(Clone, Debug)]
struct Many<T>(Vec<T>);

/// Adapts a list parser of the library to the command line.
fn many<T>(
    read: fn(&str) -> Result<Vec<T>, QueryError>,
) -> impl Fn(&str) -> Result<Many<T>, QueryError> + Clone {
    move |text| read(text).map(Many)
}

fn all<T: Clone>(lists: &[Many<T>]) -> Vec<T> {
    lists.iter().flat_map(|list| list.0.iter().cloned()).collect()
}

impl Selection {
    /// Returns the filter of the library.
    pub(crate) fn filter(&self) -> Result<Filter, Failure> {
        if self.player.is_empty() && !self.against.is_empty() {
            let message = "--against needs --player <NAME>: both are players of one game";
            return Err(Failure::Usage(message.to_owned()));
        }
        self.criteria(None)
    }

    /// Returns the filter for the games of a player. `name` and the values of `--player` are names of
    /// the player.
    pub(crate) fn filter_of_player(&self, name: &str) -> Result<Filter, Failure> {
        self.criteria(Some(name))
    }

    fn criteria(&self, name: Option<&str>) -> Result<Filter, Failure> {
        let mut filter = Filter::default();
        filter.games = all(&self.games);
        let names: Vec<String> = name.map(str::to_owned).into_iter().collect();
        let names = [names, self.player.clone()].concat();
        filter.player = self.texts("player", &names, Text::name)?;
        filter.against = self.texts("against", &self.against, Text::name)?;
        filter.white = self.texts("white", &self.white, Text::name)?;
        filter.black = self.texts("black", &self.black, Text::name)?;
        filter.event = self.texts("event", &self.event, Text::part)?;
        filter.site = self.texts("site", &self.site, Text::part)?;
        filter.date = all(&self.date);
        filter.eco = all(&self.eco);
        filter.elo = all(&self.elo);
        filter.openings.clone_from(&self.opening);
        filter.elo_difference = all(&self.elo_diff);
        filter.time_classes = all(&self.time_class);
        filter.missing_tags.clone_from(&self.tag_missing);
        filter.materials.clone_from(&self.material);
        filter.patterns.clone_from(&self.pattern);
        filter.comments.clone_from(&self.comment);
        filter.results = all(&self.result);
        filter.length = all(&self.length);
        filter.tags.clone_from(&self.tags);
        filter.lines.clone_from(&self.moves);
        filter.positions.clone_from(&self.position);
        filter.in_variations = self.variations;
        filter.deleted = self.deleted.map(YesNo::is_yes);
        filter.annotated = self.annotated.map(YesNo::is_yes);
        match &self.spelling {
            Some(path) => Ok(filter.spelt(&spelling(path)?)),
            None => Ok(filter),
        }
    }

    fn texts(
        &self,
        option: &str,
        given: &[String],
        read: fn(&str) -> Result<Text, QueryError>,
    ) -> Result<Vec<Text>, Failure> {
        let read = if self.exact { Text::exact } else { read };
        let texts = given.iter().map(|text| read(text)).collect::<Result<_, _>>();
        texts.map_err(|error| Failure::option(option, &error))
    }
}
