//! What a base tells searches, held against its headers and games.

use chess_core::{Bitboard, Color, Game, Header, Move, Position, Role};
use chess_store::seam::{Database, GameReader};
use chess_store::{Diagnostics, NameField, Outcome, Summaries, Summary, Targets, follow};

use crate::games::Random;

/// Fails unless what a base tells of its games without reading them is what reading them tells:
/// summaries and names, the main line that is followed, and what candidates and glances rule out.
/// Says how often a glance ruled a game out.
pub fn assert_searches_tell_the_truth(name: &str, base: &dyn Database, random: &mut Random) -> u32 {
    let mut reader = base.reader();
    assert_summaries_are_headers(name, base, &mut *reader);
    let mut lines = Vec::new();
    for number in 0..base.len() {
        let mut game = Game::new();
        let read = reader.game(number, &mut game, &mut Diagnostics::lenient());
        assert_follows(&mut *reader, number, &game, read.is_ok());
        let line = line_of(&game);
        let enough = random.below(line.len().max(1)) + 1;
        assert_shows(&mut *reader, number, &line[..enough], enough);
        lines.push(line);
    }
    if lines.is_empty() {
        return 0;
    }
    let lines: Vec<Vec<Position>> = lines
        .into_iter()
        .map(|line| line.into_iter().map(|(position, _)| position).collect())
        .collect();
    let one_of = |random: &mut Random, first: usize| {
        let line = &lines[random.below(lines.len())];
        line[random.below(line.len().min(first))]
    };
    let mut ruled_out = 0;
    for _ in 0..40 {
        let one = one_of(random, usize::MAX);
        let other = one_of(random, 8);
        for sought in [&[one][..], &[one, other]] {
            ruled_out += assert_nothing_is_missed(name, &mut *reader, &lines, sought);
        }
    }
    ruled_out
}

/// Fails unless following a game shows the main line that reading it gave, and does not fail where
/// that read to its end, `whole`.
pub fn assert_follows(reader: &mut dyn GameReader, number: u64, game: &Game, whole: bool) {
    let followed = assert_shows(reader, number, &line_of(game), usize::MAX);
    assert!(followed || !whole, "game {number}");
    let (mut values, mut scratch) = (Header::default(), Game::new());
    let _ = reader.header(number, &mut values, &mut Diagnostics::lenient());
    let of = |header: &Header| (header.result, header.date, header.white_elo, header.black_elo);
    let expected = [of(&values), of(&game.header)];
    let _ = reader.follow(number, &mut scratch, &mut |header, _, _| {
        assert!(expected.contains(&of(header)), "game {number}");
        false
    });
}

/// Fails unless following a game shows just this, if so much is enough; whether it read.
fn assert_shows(reader: &mut dyn GameReader, number: u64, line: &[Shown], enough: usize) -> bool {
    let (mut scratch, mut shown) = (Game::new(), Vec::new());
    let followed = reader.follow(number, &mut scratch, &mut |_, position, m| {
        shown.push((*position, m));
        shown.len() < enough
    });
    assert_eq!(shown, line, "game {number}");
    followed.is_ok()
}

type Shown = (Position, Option<Move>);

fn line_of(game: &Game) -> Vec<Shown> {
    let mut line = Vec::new();
    follow(game, &mut |_, position, m| {
        line.push((*position, m));
        true
    });
    line
}

fn assert_summaries_are_headers(name: &str, base: &dyn Database, reader: &mut dyn GameReader) {
    let (mut all, mut outcomes) = (Summaries::new(), Vec::new());
    reader.summaries(0..base.len(), &[], &mut all);
    reader.outcomes(0..base.len(), &[], &mut outcomes);
    assert_eq!([all.len(), outcomes.len()].map(|len| len as u64), [base.len(); 2], "{name}");
    for (place, ((number, found), outcome)) in (0..).zip(all.into_iter().zip(outcomes)) {
        assert_eq!((number, outcome.game), (place, place), "{name}");
        let opening = found.as_ref().map_or(0, |summary| summary.opening);
        assert_eq!(outcome.opening, opening, "{name}: {number}");
        if let Some(found) = found.filter(|found| found.opening != 0) {
            assert_eq!(outcome, Outcome::of(number, &found), "{name}: {number}");
            assert!(!reader.opening(found.opening).is_empty(), "{name}: {number}");
        }
        let mut summary = Summary::default();
        let told = reader.summary(number, &mut summary);
        assert_eq!(told.then_some(summary), found, "{name}: game {number}");
        let mut header = Header::default();
        if !told || reader.header(number, &mut header, &mut Diagnostics::lenient()).is_err() {
            continue;
        }
        let mut filled = Header::default();
        summary.fill(&mut filled);
        for (field, text) in [
            (NameField::White, &mut filled.white),
            (NameField::Black, &mut filled.black),
            (NameField::Event, &mut filled.event),
            (NameField::Site, &mut filled.site),
            (NameField::Round, &mut filled.round),
        ] {
            reader.name(field, summary.name(field), text);
        }
        filled.event_date = header.event_date;
        filled.tags.clone_from(&header.tags);
        assert_eq!(filled, header, "{name}: game {number}");
    }
}

fn same_pieces(one: &Position, other: &Position) -> bool {
    Color::ALL.iter().all(|color| one.color(*color) == other.color(*color))
        && Role::ALL.iter().all(|role| one.role(*role) == other.role(*role))
}

/// A pawn that comes home is against the rules, and not foreseen.
fn pawn_comes_home(line: &[Position]) -> bool {
    let at_home = |position: &Position, color: Color| {
        position.pieces(Role::Pawn, color) & Bitboard::rank(color.pawn_rank())
    };
    line.windows(2).any(|pair| {
        let [before, after] = pair else { return false };
        let comes = |color: &Color| (at_home(after, *color) & !at_home(before, *color)).has_any();
        Color::ALL.iter().any(comes)
    })
}

fn assert_nothing_is_missed(
    name: &str,
    reader: &mut dyn GameReader,
    lines: &[Vec<Position>],
    sought: &[Position],
) -> u32 {
    let (mut found, mut ruled_out) = (Vec::new(), 0);
    let targets = Targets::new(sought);
    reader.candidates(0..lines.len() as u64, sought, &mut found);
    for (number, line) in (0..).zip(lines) {
        let comes = line.iter().any(|at| sought.iter().any(|one| same_pieces(one, at)));
        let seen = reader.glance(number, &targets);
        let foreseen = comes && !pawn_comes_home(line);
        let fen = sought[0].to_fen();
        assert!(!foreseen || found.contains(&number), "{name}: index, game {number}: {fen}");
        assert!(!foreseen || seen, "{name}: glance, game {number}: {fen}");
        ruled_out += u32::from(!seen);
    }
    ruled_out
}
