//! Compares what a base answers to searches with its headers and games.

use chess_core::{Bitboard, Color, Game, Header, Move, Position, Role, Token};
use chess_store::erased::{Database, GameReader};
use chess_store::{
    Diagnostics, IndexRows, IndexSummary, MaterialLimit, NameField, Query, StatRow, Word,
    visit_game,
};

use crate::games::Random;

/// Asserts that the index of a base answers as its decoded games do: summaries and names, the
/// positions of main lines, and the games that prefilters drop. Returns how often the moves ruled a
/// game out.
pub fn assert_searches_are_right(name: &str, base: &dyn Database, random: &mut Random) -> u32 {
    let mut reader = base.reader();
    assert_summaries_are_headers(name, base, &mut *reader);
    let mut lines = Vec::new();
    for number in 0..base.len() {
        let mut game = Game::new();
        let read = reader.game(number, &mut game, &mut Diagnostics::lenient());
        assert_visits(&mut *reader, number, &game, read.is_ok());
        assert_words_are_possible(name, &mut *reader, number, &game);
        // A wrong entry may tell another length.
        let stale = reader.verify(number, &game).unwrap_or_default();
        let moves = reader.summarize(number).and_then(|summary| summary.moves);
        if let (Some(moves), true) = (moves, read.is_ok() && stale.is_empty()) {
            assert_eq!(moves as usize, game.ply_count().div_ceil(2), "{name}: game {number}");
        }
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
    for (number, line) in (0..).zip(&lines).filter(|(_, line)| !pawn_comes_home(line)) {
        assert_material_is_possible(name, &mut *reader, number, line);
    }
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

/// Asserts that visiting the main line shows the line of the decoded `game`. If `whole` is true,
/// the game was decoded to its end, and visiting it must not fail.
pub fn assert_visits(reader: &mut dyn GameReader, number: u64, game: &Game, whole: bool) {
    let visited = assert_shows(reader, number, &line_of(game), usize::MAX);
    assert!(visited || !whole, "game {number}");
    let (mut values, mut scratch) = (Header::default(), Game::new());
    let _ = reader.header(number, &mut values, &mut Diagnostics::lenient());
    let of = |header: &Header| (header.result, header.date, header.white_elo, header.black_elo);
    let expected = [of(&values), of(&game.header)];
    let _ = reader.visit_main_line(number, &Query::default(), &mut scratch, &mut |header, _, _| {
        assert!(expected.contains(&of(header)), "game {number}");
        false
    });
}

/// Asserts that visiting a game, until `enough` positions are shown, shows `line`. Returns whether
/// the visit succeeded.
fn assert_shows(reader: &mut dyn GameReader, number: u64, line: &[Shown], enough: usize) -> bool {
    let (mut scratch, mut shown) = (Game::new(), Vec::new());
    let visited =
        reader.visit_main_line(number, &Query::default(), &mut scratch, &mut |_, position, m| {
            shown.push((*position, m));
            shown.len() < enough
        });
    assert_eq!(shown, line, "game {number}");
    visited.is_ok()
}

type Shown = (Position, Option<Move>);

fn line_of(game: &Game) -> Vec<Shown> {
    let mut line = Vec::new();
    visit_game(game, &Query::default(), &mut |_, position, m| {
        line.push((*position, m));
        true
    });
    line
}

fn assert_summaries_are_headers(name: &str, base: &dyn Database, reader: &mut dyn GameReader) {
    let mut rows = [
        IndexRows::Summaries(Vec::new()),
        IndexRows::Stats(Vec::new()),
        IndexRows::Names(Vec::new()),
    ];
    for rows in &mut rows {
        reader.prefilter(0..base.len(), &Query::default(), rows);
        assert!(rows.numbers().into_iter().eq(0..base.len()), "{name}");
    }
    let [summaries, stats, names] = rows;
    let ids = |(number, found): &(u64, Option<_>)| {
        (*number, found.as_ref().map(|summary: &IndexSummary| summary.names))
    };
    assert!(summaries.summaries().iter().map(ids).eq(names.names().iter().copied()), "{name}");
    for ((number, found), row) in summaries.summaries().iter().zip(stats.stats()) {
        let (number, found) = (*number, *found);
        let opening = found.as_ref().map_or(0, |summary| summary.opening);
        assert_eq!(row.opening, opening, "{name}: {number}");
        if let Some(found) = found.filter(|found| found.opening != 0) {
            assert_eq!(*row, StatRow::of(number, &found), "{name}: {number}");
            assert!(!reader.opening_moves(found.opening).is_empty(), "{name}: {number}");
        }
        assert_eq!(reader.summarize(number), found, "{name}: game {number}");
        let mut header = Header::default();
        let read = reader.header(number, &mut header, &mut Diagnostics::lenient());
        let Some(summary) = found.filter(|_| read.is_ok()) else { continue };
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
            if [NameField::White, NameField::Black].contains(&field) {
                let mut player = String::new();
                let other =
                    if field == NameField::White { NameField::Black } else { NameField::White };
                reader.name(other, summary.name(field), &mut player);
                assert_eq!(player, *text, "{name}: White and Black have one list");
            }
        }
        let has_elo = |name| header.tags.get(name).is_some();
        let is_complete = !has_elo("WhiteElo") && !has_elo("BlackElo");
        assert!(!summary.has_every_elo || is_complete, "{name}: game {number}");
        filled.event_date = header.event_date;
        filled.tags.clone_from(&header.tags);
        assert_eq!(filled, header, "{name}: game {number}");
    }
}

fn same_pieces(one: &Position, other: &Position) -> bool {
    Color::ALL.iter().all(|color| one.color(*color) == other.color(*color))
        && Role::ALL.iter().all(|role| one.role(*role) == other.role(*role))
}

/// Returns whether a pawn returns to its first rank. This is against the rules, and the formats do
/// not provide for it.
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

/// Asserts that no search for the material of a position of a game misses the game.
fn assert_material_is_possible(
    name: &str,
    reader: &mut dyn GameReader,
    number: u64,
    line: &[Position],
) {
    for position in line {
        let count = |color, role| position.pieces(role, color).count();
        let most = Color::ALL.map(|color| MaterialLimit::ROLES.map(|role| count(color, role)));
        for limit in [MaterialLimit::new(most), MaterialLimit::new(most).at_least(most)] {
            let query = Query::default().with_material(vec![limit]);
            assert!(reader.may_match(number, &query), "{name}: game {number}: {limit:?}");
        }
    }
}

/// Asserts that no search for a word of a comment misses the game.
fn assert_words_are_possible(name: &str, reader: &mut dyn GameReader, number: u64, game: &Game) {
    for token in game.tokens() {
        let Token::Comment(text) = token else { continue };
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        for word in words.filter_map(|word| Word::new(&word.to_uppercase())) {
            let query = Query::default().with_words(vec![word]);
            assert!(reader.may_match(number, &query), "{name}: game {number}: {query:?}");
        }
    }
}

fn assert_nothing_is_missed(
    name: &str,
    reader: &mut dyn GameReader,
    lines: &[Vec<Position>],
    sought: &[Position],
) -> u32 {
    let (mut found, mut ruled_out) = (IndexRows::Numbers(Vec::new()), 0);
    let query = Query::new(sought);
    reader.prefilter(0..lines.len() as u64, &query, &mut found);
    let (found, mut scratch) = (found.numbers(), Game::new());
    for (number, line) in (0..).zip(lines) {
        let comes = line.iter().any(|at| sought.iter().any(|one| same_pieces(one, at)));
        let mut seen = false;
        let visit = &mut |_: &Header, _: &Position, _| {
            seen = true;
            false
        };
        let read = reader.visit_main_line(number, &query, &mut scratch, visit);
        seen |= read.is_err();
        let foreseen = comes && !pawn_comes_home(line);
        let fen = sought[0].to_fen();
        assert!(!foreseen || found.contains(&number), "{name}: index, game {number}: {fen}");
        assert!(!foreseen || seen, "{name}: moves, game {number}: {fen}");
        ruled_out += u32::from(!seen);
    }
    ruled_out
}
