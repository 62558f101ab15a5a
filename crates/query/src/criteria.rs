//! The criteria of a filter, one row each: the form of its values, and the test of a game.

use std::ops::RangeInclusive;
use std::sync::Arc;

use chess_core::{Color, Date, Eco, Game, GameResult};
use time_control::TimeControl;

use crate::filter::{Count, HeaderMatch, Values, any, both_in, in_any, in_codes, is_annotated};
use crate::spelling::Spelling;
use crate::{
    BoardPattern, CommentTest, CqlTest, Line, Material, Mirrored, MissingTag, OpeningTest, Outcome,
    PositionPattern, QueryError, RepertoireTest, TagTest, Text, TimeClass, motifs, ranges,
    time_classes,
};

/// A criterion: an option of the program, an argument of the bindings, a field of a [`Filter`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Criterion {
    /// The name, as of the program's option: `elo-diff`.
    pub name: &'static str,
    /// The form of the value.
    pub value: Value,
    /// The help of the option: one line, with examples of values.
    pub help: &'static str,
    pub(crate) read: fn(&mut Filter, &str, bool) -> Result<(), QueryError>,
    pub(crate) is_set: fn(&Filter) -> bool,
    pub(crate) test: Test,
}

/// The form of the value of a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// Ranges and lists of them with commas: `1990..1995,2001`.
    Ranges,
    /// Words with commas, described by the placeholder.
    Words(&'static str),
    /// Words with commas, described by the placeholder. `yes` stands for all of them, and so does the
    /// option of the program without a value.
    OptionalWords(&'static str),
    /// The name of a person or a text, which can be asked for exactly.
    Text(&'static str),
    /// Another form, described by the placeholder.
    Other(&'static str),
    /// `yes` or `no`.
    YesOrNo,
    /// The content of a file, described by the placeholder. The program takes the name of the file.
    File(&'static str),
    /// Nothing: the criterion is given or not.
    Flag,
}

impl Value {
    /// Returns the placeholder of the value in help; empty for a flag.
    #[must_use]
    pub const fn placeholder(self) -> &'static str {
        match self {
            Value::Ranges => "RANGES",
            Value::Words(form)
            | Value::OptionalWords(form)
            | Value::Text(form)
            | Value::Other(form)
            | Value::File(form) => form,
            Value::YesOrNo => "YES|NO",
            Value::Flag => "",
        }
    }
}

/// How a game is tested, and so what must be read of it. From the cheapest stage on.
#[derive(Debug)]
pub(crate) enum Test {
    /// The number of the game, which [`Filter::has_number`] tests for every entry of an index.
    Number,
    /// A name. An index has its id, and the [`Prefilter`](crate::Prefilter) compares each name once.
    Name,
    /// Fields that an index or else the header has.
    Header(fn(&Filter, &Values) -> HeaderMatch),
    /// Tags: of the header if each tag has a field there, or else of the game.
    Tags,
    /// The length, which some indexes have.
    Length,
    /// Whole positions: of the main line, for which some indexes have bounds, or of the game.
    Position,
    /// Positions of the main line: [`MainLine`](crate::main_line::MainLine).
    Line,
    /// The whole game.
    Game(fn(&Filter, &Game) -> bool),
    /// Changes how another criterion is tested.
    Modifier,
}

/// Whether the field of a criterion selects by anything.
trait Set {
    fn is_set(&self) -> bool;
}

impl<T> Set for Vec<T> {
    fn is_set(&self) -> bool {
        !self.is_empty()
    }
}

impl Set for Option<bool> {
    fn is_set(&self) -> bool {
        self.is_some()
    }
}

impl Set for Mirrored {
    fn is_set(&self) -> bool {
        Mirrored::is_set(self)
    }
}

impl Set for bool {
    fn is_set(&self) -> bool {
        *self
    }
}

/// Declares [`Filter`] and [`CRITERIA`]. A row is a field, the name, value and help of the option, how a
/// value is added to the field, and the test of a game.
macro_rules! criteria {
    ($(
        $(#[doc = $doc:literal])+
        $field:ident: $type:ty, $name:literal, $value:expr, $help:literal,
        $read:expr, $stage:ident $(($test:expr))?;
    )+) => {
        /// Criteria by which games are selected. The default selects all games.
        ///
        /// Every criterion that is set must hold. A list holds if it is empty or if one of its entries
        /// holds.
        ///
        /// ```
        /// use query::Filter;
        ///
        /// let filter = Filter::new().with("player", "carlsen m")?.with("date", "2019-05..2021")?;
        /// assert_eq!(filter.player.len(), 1);
        /// # Ok::<(), query::NamedError>(())
        /// ```
        #[derive(Clone, Debug, Default)]
        #[non_exhaustive]
        pub struct Filter {
            $($(#[doc = $doc])+ pub $field: $type,)+
            /// Zero-based game numbers to exclude, in rising order.
            pub without: Arc<[u64]>,
            /// The only zero-based game numbers to select, in rising order.
            pub only: Option<Arc<[u64]>>,
            /// The spelling file of [`spelt`](Filter::spelt).
            pub spelling: Option<Arc<Spelling>>,
            pub(crate) undecided: Count,
        }

        /// All criteria, in the order of the program's help.
        pub static CRITERIA: &[Criterion] = &[$(Criterion {
            name: $name,
            value: $value,
            help: $help,
            read: |filter, text, exact| {
                let read: fn(&mut $type, &str, bool) -> Result<(), QueryError> = $read;
                read(&mut filter.$field, text, exact)
            },
            is_set: |filter| filter.$field.is_set(),
            test: criteria!(@$stage $field: $type $(, $test)?),
        },)+];
    };
    (@Header $field:ident: $type:ty, $test:expr) => {
        Test::Header(|filter, values| {
            let test: fn(&$type, &Values) -> HeaderMatch = $test;
            test(&filter.$field, values)
        })
    };
    (@Game $field:ident: $type:ty, $test:expr) => {
        Test::Game(|filter, game| {
            let test: fn(&$type, &Game) -> bool = $test;
            test(&filter.$field, game)
        })
    };
    (@$stage:ident $field:ident: $type:ty) => { Test::$stage };
}

criteria! {
    /// Zero-based game numbers.
    games: Vec<RangeInclusive<u64>>, "games", Value::Ranges, "Numbers from 1: 1-100,205",
        |to, text, _| add(to, ranges::games(text)), Number;
    /// Name of either player.
    player: Vec<Text>, "player", Value::Text("NAME"),
        "Name of either player: 'Adams, M' finds Michael Adams, not Adamson, M",
        add_name, Name;
    /// The opponent of [`player`](Filter::player), who can have either colour.
    against: Vec<Text>, "against", Value::Text("NAME"),
        "Name of the player's opponent: two players against each other",
        add_name, Name;
    /// The name of White.
    white: Vec<Text>, "white", Value::Text("NAME"), "Name of White", add_name, Name;
    /// The name of Black.
    black: Vec<Text>, "black", Value::Text("NAME"), "Name of Black", add_name, Name;
    /// The event.
    event: Vec<Text>, "event", Value::Text("TEXT"), "Part of the event", add_text, Name;
    /// The site.
    site: Vec<Text>, "site", Value::Text("TEXT"), "Part of the site", add_text, Name;
    /// Date of the game. A partly known date is in a range that contains every day it can be:
    /// `1995.??.??` is in 1990 to 1999, but not in 1995-06 to 1999. A date that can be inside or
    /// outside is [undecided](Filter::undecided). Unknown parts in the end of a range include
    /// everything.
    date: Vec<RangeInclusive<Date>>, "date", Value::Ranges,
        "Date: 1990, 1990-05..1995, ..2000; all days that it can mean",
        |to, text, _| add(to, ranges::dates(text)),
        Header(|dates, values| in_any(dates, values.date));
    /// ECO codes. The extension of a code (`B90a`) is compared only if the range is a single
    /// extended code.
    eco: Vec<RangeInclusive<Eco>>, "eco", Value::Ranges, "ECO codes: B90..B99, C, D8, B20/03",
        |to, text, _| add(to, ranges::ecos(text)),
        Header(|codes, values| {
            HeaderMatch::of(any(codes, |range| values.eco.is_some_and(|eco| in_codes(range, eco))))
        });
    /// Openings, by the moves of the game.
    openings: Vec<OpeningTest>, "opening", Value::Other("WORDS"),
        "Opening by the moves: najdorf, 'english attack', E97..E99",
        |to, text, _| push(to, OpeningTest::parse(text)), Line;
    /// Rating range that both players must be in.
    elo: Vec<RangeInclusive<u16>>, "elo", Value::Ranges,
        "Elo of both players: 2500.., 2000-2200, 2800+",
        |to, text, _| add(to, ranges::ratings(text)),
        Header(|ranges, values| {
            HeaderMatch::of(any(ranges, |range| both_in(range, values.white_elo, values.black_elo)))
        });
    /// Absolute difference between the ratings of both players.
    elo_difference: Vec<RangeInclusive<u16>>, "elo-diff", Value::Ranges,
        "Difference between both ratings: 200.., ..50",
        |to, text, _| add(to, ranges::differences(text)),
        Header(|ranges, values| {
            let elos = values.white_elo.zip(values.black_elo);
            let difference = elos.map(|(white, black)| white.get().abs_diff(black.get()));
            HeaderMatch::of(any(ranges, |range| difference.is_some_and(|it| range.contains(&it))))
        });
    /// How fast the game was played.
    time_classes: Vec<TimeClass>, "time-class", Value::Words("CLASSES"),
        "bullet, blitz, rapid, classical, correspondence, unknown",
        |to, text, _| add(to, time_classes(text)),
        Game(|classes, game| any(classes, |class| *class == TimeClass::of(game)));
    /// The time at the start in seconds, in the first period of the time control.
    base_seconds: Vec<RangeInclusive<f64>>, "base-seconds", Value::Ranges,
        "Seconds of a player at the start: 180, 60..300, ..179",
        |to, text, _| add(to, ranges::seconds(text)),
        Game(|ranges, game| any(ranges, |range| {
            TimeControl::of(game).is_some_and(|control| range.contains(&control.base))
        }));
    /// The time that is added for each move in seconds, in the first period of the time control.
    increments: Vec<RangeInclusive<f64>>, "increment", Value::Ranges,
        "Seconds added for each move: 0, 2, 1..",
        |to, text, _| add(to, ranges::seconds(text)),
        Game(|ranges, game| any(ranges, |range| {
            TimeControl::of(game).is_some_and(|control| range.contains(&control.increment))
        }));
    /// Game results.
    results: Vec<GameResult>, "result", Value::Words("RESULTS"),
        "Results: 1-0, 0-1, 1/2-1/2, *, or white, black, draw, unknown",
        |to, text, _| add(to, ranges::results(text)),
        Header(|results, values| HeaderMatch::of(any(results, |result| *result == values.result)));
    /// How the game ended for the [`player`](Filter::player), with either colour.
    outcomes: Vec<Outcome>, "outcome", Value::Words("OUTCOMES"),
        "How the game ended for the player: won, drew, lost",
        |to, text, _| add(to, Outcome::list(text)),
        Header(|outcomes, values| {
            let is_of = |outcome: &Outcome| {
                Color::ALL.iter().any(|color| outcome.result(*color) == values.result)
            };
            HeaderMatch::of(any(outcomes, is_of))
        });
    /// Length of the main line in full moves: a move of White and a move of Black count as one.
    length: Vec<RangeInclusive<u32>>, "length", Value::Ranges, "Number of moves: 20..40",
        |to, text, _| add(to, ranges::lengths(text)), Length;
    /// Tests of tag values. Unlike other lists, all tests must hold.
    tags: Vec<TagTest>, "where", Value::Other("TEST"),
        "Tag: 'Event!=blitz', 'TimeControl==180+2', 'Round<5'; repeated: \"and\"",
        |to, text, _| push(to, TagTest::parse(text)), Tags;
    /// Tags. At least one of them is unknown in the game.
    missing_tags: Vec<MissingTag>, "tag-missing", Value::Other("TAG"),
        "Tag that is not there, or unknown",
        |to, text, _| push(to, MissingTag::parse(text)), Tags;
    /// First moves of the main line.
    lines: Vec<Line>, "moves", Value::Other("MOVES"), "First moves: '1. e4 c5 2. Nf3'",
        |to, text, _| push(to, Line::parse(text)),
        Game(|lines, game| any(lines, |line| line.begins(game)));
    /// Positions that the game reaches.
    positions: Vec<PositionPattern>, "position", Value::Other("FEN"),
        "Position on the main line; missing fields may be anything",
        |to, text, _| push(to, PositionPattern::parse(text)), Position;
    /// Searches variations for the positions too.
    in_variations: bool, "variations", Value::Flag, "Search variations for the position too",
        |to, text, _| { *to = yes_or_no(text)?; Ok(()) }, Modifier;
    /// Material that is on the board in the main line.
    materials: Vec<Material>, "material", Value::Other("PIECES"),
        "Material: KRP-KR, QP*-RR, w:KBN-K, KRP-KR:8 (for 8 half-moves)",
        |to, text, _| push(to, Material::parse(text)), Line;
    /// Boards with wildcards, which the main line reaches.
    patterns: Vec<BoardPattern>, "pattern", Value::Other("SQUARES"),
        "Squares: 'Pd4 pd5 .e4 [NB]c3 Rd? !Pc? @20..'",
        |to, text, _| push(to, BoardPattern::parse(text)), Line;
    /// Whether positions, materials and patterns are found mirrored too. They are then queries in CQL, and
    /// no longer in their lists.
    mirrored: Mirrored, "mirrored", Value::OptionalWords("WAYS"),
        "Find position, pattern and material mirrored too: colors, files",
        |to, text, _| to.add(text), Game(Mirrored::holds);
    /// Regular expressions that a comment matches.
    comments: Vec<CommentTest>, "comment", Value::Other("REGEX"),
        "Comment that matches a regular expression",
        |to, text, _| push(to, CommentTest::parse(text)),
        Game(|tests, game| any(tests, |test| test.holds(game)));
    /// Whether the game is marked as deleted.
    deleted: Option<bool>, "deleted", Value::YesOrNo,
        "Games marked as deleted: only these, or none",
        |to, text, _| { *to = Some(yes_or_no(text)?); Ok(()) },
        Header(|wanted, values| HeaderMatch::of(wanted.is_none_or(|it| values.deleted == it)));
    /// Whether the game has a comment, a NAG or a variation.
    annotated: Option<bool>, "annotated", Value::YesOrNo,
        "Games with comments, glyphs or variations: only these, or none",
        |to, text, _| { *to = Some(yes_or_no(text)?); Ok(()) },
        Game(|wanted, game| wanted.is_none_or(|it| is_annotated(game) == it));
    /// How the game ends on the board: words that stand for queries in CQL.
    ends: Vec<CqlTest>, "ends", Value::Words("ENDS"), "Last position: mate, stalemate, check, bare-kings, neither",
        |to, text, _| add(to, motifs::ends(text)),
        Game(|tests, game| any(tests, |test| test.holds(game)));
    /// Motifs of the game: words that stand for queries in CQL.
    motifs: Vec<CqlTest>, "has", Value::Words("MOTIFS"),
        "Motif: underpromotion, double-check, ...; a wrong word lists all",
        |to, text, _| add(to, motifs::motifs(text)),
        Game(|tests, game| any(tests, |test| test.holds(game)));
    /// Queries in CQL. A position of the game matches one of them.
    queries: Vec<CqlTest>, "cql", Value::Other("QUERY"),
        "Query in CQL: 'line --> check --> mate', 'flipcolor B[x]ph7'",
        |to, text, _| push(to, CqlTest::parse(text)),
        Game(|tests, game| any(tests, |test| test.holds(game)));
    /// Repertoires. The main line follows one of them to the end, or beyond the end of a line.
    in_repertoire: Vec<RepertoireTest>, "in-repertoire", Value::File("PGN"),
        "Games that follow the lines of a file to their end",
        |to, text, _| push(to, RepertoireTest::parse(text)),
        Game(|tests, game| any(tests, |test| test.stays(game)));
    /// Repertoires. The main line leaves one of them.
    leaves_repertoire: Vec<RepertoireTest>, "leaves-repertoire", Value::File("PGN"),
        "Games that leave the lines of a file by another move",
        |to, text, _| push(to, RepertoireTest::parse(text)),
        Game(|tests, game| any(tests, |test| test.leaves(game)));
}

fn add<T>(to: &mut Vec<T>, values: Result<Vec<T>, QueryError>) -> Result<(), QueryError> {
    to.extend(values?);
    Ok(())
}

fn push<T>(to: &mut Vec<T>, value: Result<T, QueryError>) -> Result<(), QueryError> {
    to.push(value?);
    Ok(())
}

fn add_name(to: &mut Vec<Text>, text: &str, exact: bool) -> Result<(), QueryError> {
    to.push(if exact { Text::exact(text) } else { Text::name(text) }?);
    Ok(())
}

fn add_text(to: &mut Vec<Text>, text: &str, exact: bool) -> Result<(), QueryError> {
    to.push(if exact { Text::exact(text) } else { Text::part(text) }?);
    Ok(())
}

pub(crate) fn yes_or_no(text: &str) -> Result<bool, QueryError> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        "" => Err(QueryError::Empty),
        _ => Err(QueryError::unreadable(text, "yes or no")),
    }
}

impl Criterion {
    /// Returns the criterion of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Criterion> {
        CRITERIA.iter().find(|criterion| criterion.name == name)
    }

    /// Adds a value to the criterion of `filter`. With `exact`, names and texts are compared as they are.
    ///
    /// # Errors
    /// [`QueryError`] if the value cannot be read.
    pub fn add(&self, filter: &mut Filter, value: &str, exact: bool) -> Result<(), QueryError> {
        (self.read)(filter, value, exact)?;
        filter.mirror()
    }
}

/// The criteria that are set in a filter, a bit each. A game is tested by them without asking each field
/// again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given(u64);

impl Given {
    pub(crate) fn iter(self) -> impl Iterator<Item = &'static Criterion> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let criterion = CRITERIA.get(bits.trailing_zeros() as usize);
            bits &= bits.wrapping_sub(1);
            criterion
        })
    }

    pub(crate) fn any(self, is_of: impl Fn(&Test) -> bool) -> bool {
        self.iter().any(|criterion| is_of(&criterion.test))
    }
}

impl Filter {
    /// Returns the criteria that are set.
    pub(crate) fn given(&self) -> Given {
        let bit =
            |(place, criterion): (u32, &Criterion)| u64::from((criterion.is_set)(self)) << place;
        Given((0..u64::BITS).zip(CRITERIA).map(bit).fold(0, |bits, bit| bits | bit))
    }

    pub(crate) fn asks(&self, is_of: impl Fn(&Test) -> bool) -> bool {
        self.given().any(is_of)
    }
}
