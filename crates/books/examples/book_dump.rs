//! Prints what a book has: its counts, then a line for each move.
//!
//! ```console
//! $ cargo run --example book_dump crates/books/fixtures/polyglot/weights/base.bin
//! # base.bin: entries=4 positions=1 trailing_bytes=0 sorted_by_key=yes duplicate_key_move=0 zero_weight=1 nonzero_learn=3 max_weight=65535
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -	463b96181691fc9c	e2e4	65535	196612
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -	463b96181691fc9c	0000	5	0	ILLEGAL
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -	463b96181691fc9c	d2d4	1	4294967295
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -	463b96181691fc9c	c2c4	0	7
//! # polyglot-null-move
//! ```

#![allow(clippy::tabs_in_doc_comments, reason = "the output has tabs")]

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use books::{
    Diagnostics, Move, Position, ReadBook, Summary, WalkOptions, Warning, abk, ctg, obk, polyglot,
    zobrist,
};
use chess_core::{Role, Square};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("usage: book_dump BOOK [MAX_PLY [GAMES.pgn]]")?;
    let max_ply = args.next().map_or(Ok(u32::MAX), |text| text.parse())?;
    let games = args.next();
    print!("{}", dump(path.as_ref(), max_ply, games.as_ref().map(Path::new))?);
    Ok(())
}

/// Returns the text for a book. Positions of `games` and of a list of FENs beside a Polyglot book
/// are added to those that a walk from the start position finds.
pub(crate) fn dump(
    path: &Path,
    max_ply: u32,
    games: Option<&Path>,
) -> Result<String, Box<dyn Error>> {
    let mut out = format!("# {}: ", path.file_name().unwrap_or_default().to_string_lossy());
    let mut options = WalkOptions::default();
    options.max_ply = max_ply;
    let mut diagnostics = Diagnostics::lenient();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("bin") => dump_bin(path, options, games, &mut out, &mut diagnostics)?,
        Some("ctg") => dump_ctg(path, options, &mut out, &mut diagnostics)?,
        Some("abk") => dump_abk(path, options, &mut out, &mut diagnostics)?,
        Some("obk") => dump_obk(path, &mut out, &mut diagnostics)?,
        _ => return Err("the extension of a book is bin, ctg, abk or obk".into()),
    }
    let names: BTreeSet<_> =
        diagnostics.warnings().iter().map(|warning: &Warning| warning.name).collect();
    names.iter().try_for_each(|name| writeln!(out, "# {name}"))?;
    Ok(out)
}

fn dump_bin(
    path: &Path,
    options: WalkOptions,
    games: Option<&Path>,
    out: &mut String,
    diagnostics: &mut Diagnostics,
) -> Result<(), Box<dyn Error>> {
    let bytes = fs::read(path)?;
    let mut book = polyglot::Book::new(bytes.as_slice())?;
    let summary = book.check(options, diagnostics)?;
    let is_sorted = !has(diagnostics, "polyglot-unsorted");
    let mut keys: Vec<u64> = Vec::new();
    for item in book.entries() {
        keys.push(item?.1.key);
    }
    keys.sort_unstable();
    keys.dedup();
    if !is_sorted {
        book = book.scanning();
    }
    let Summary { entries, duplicates, unplayed, learned, max_weight, .. } = summary;
    let (positions, tail) = (keys.len(), bytes.len() % 16);
    let sorted = if is_sorted { "yes" } else { "no" };
    writeln!(
        out,
        "entries={entries} positions={positions} trailing_bytes={tail} sorted_by_key={sorted} duplicate_key_move={duplicates} zero_weight={unplayed} nonzero_learn={learned} max_weight={max_weight}"
    )?;
    let mut known = BTreeSet::new();
    let mut print = |position: &Position| {
        let key = zobrist(position);
        if !known.insert(key) {
            return;
        }
        let entries = book.entries_of(key, &mut Diagnostics::lenient()).unwrap_or_default();
        for (_, entry) in entries {
            let m = entry.decode(position);
            let text = match m {
                Some(m) => uci(position, m),
                None => format!("{}{}?", square(entry.code >> 6), square(entry.code)),
            };
            let is_legal = m.is_some_and(|m| !m.is_null() && position.is_legal(m));
            let mark = if is_legal { "" } else { "\tILLEGAL" };
            let (weight, learn) = (entry.weight, entry.learn);
            let _ = writeln!(out, "{}\t{key:016x}\t{text}\t{weight}\t{learn}{mark}", fen(position));
        }
    };
    let mut visit = |visited: books::Visited<'_>| {
        print(visited.position);
        ControlFlow::Continue(())
    };
    book.walk(options, &mut visit, &mut Diagnostics::lenient())?;
    if let Ok(fens) = fs::read_to_string(path.with_extension("fens")) {
        for line in fens.lines() {
            print(&Position::from_fen(line)?);
        }
    }
    if let Some(games) = games {
        for game in pgn::read_all(fs::read(games)?)? {
            let mut position = game.start_position();
            print(&position);
            for m in game.main_line() {
                position.apply(m);
                print(&position);
            }
        }
    }
    Ok(())
}

fn dump_ctg(
    path: &Path,
    options: WalkOptions,
    out: &mut String,
    diagnostics: &mut Diagnostics,
) -> Result<(), Box<dyn Error>> {
    let book = ctg::Book::open(path)?;
    let summary = book.check(options, diagnostics)?;
    let (header, positions, reached) = (book.header(), summary.positions, summary.reached);
    let bounds = book
        .bounds()
        .map_or("low=- high=-".to_owned(), |(low, high)| format!("low={low} high={high}"));
    let (pages, stated, games) = (book.pages(), header.positions, header.games);
    writeln!(
        out,
        "pages={pages} positions={positions} header_positions={stated} header_games={games} {bounds} reached_from_start={reached}"
    )?;
    let mut visit = |visited: books::Visited<'_>| {
        let position = visited.position;
        let Ok(Some((record, form, _))) = book.record(position, &mut Diagnostics::lenient()) else {
            return ControlFlow::Continue(());
        };
        let numbers = record.statistics;
        let stored = match (form.swapped, form.mirrored) {
            (false, false) => "-",
            (true, false) => "swapped",
            (false, true) => "-+mirrored",
            (true, true) => "swapped+mirrored",
        };
        let (rating, performance) = (numbers.rating, numbers.performance);
        let _ = writeln!(
            out,
            "P\t{}\t{}\t{}\t{}\t{}\t{}/{}\t{}/{}\t0x{:02x}\t0x{:02x}\t{}\t0x{:02x}\t{stored}",
            fen(position),
            numbers.games,
            numbers.wins,
            numbers.losses,
            numbers.draws,
            rating.0,
            rating.1,
            performance.0,
            performance.1,
            numbers.recommendation,
            numbers.commentary,
            numbers.unknown_0c,
            numbers.unknown_1f,
        );
        for [code, annotation] in &record.moves {
            let Ok(m) = ctg::decode_move(*code, position) else {
                let _ = writeln!(out, "M\t{}\t?\t0x{code:02x}\t0x{annotation:02x}", fen(position));
                continue;
            };
            let mut after = *position;
            after.apply(m);
            let reached = book.record(&after, &mut Diagnostics::lenient()).unwrap_or_default();
            let reached = reached.map(|(record, ..)| record.statistics).unwrap_or_default();
            let _ = writeln!(
                out,
                "M\t{}\t{}\t0x{code:02x}\t0x{annotation:02x}\t{}\t{}\t{}\t{}\t0x{:02x}",
                fen(position),
                uci(position, m),
                reached.games,
                reached.losses,
                reached.wins,
                reached.draws,
                reached.recommendation,
            );
        }
        ControlFlow::Continue(())
    };
    book.walk(options, &mut visit, &mut Diagnostics::lenient())?;
    Ok(())
}

fn dump_abk(
    path: &Path,
    options: WalkOptions,
    out: &mut String,
    diagnostics: &mut Diagnostics,
) -> Result<(), Box<dyn Error>> {
    let book = abk::Book::open(path)?;
    let header = book.header();
    book.check(options, diagnostics)?;
    writeln!(
        out,
        "magic=ABK entries={} moves_field={} depth={} comment='{}' author='{}' min_games={} min_wins={} pct_white={} pct_black={} w_priority={} w_games={} w_score={} max_ply={}",
        book.len(),
        header.moves,
        header.depth,
        header.comment,
        header.author,
        header.min_games,
        header.min_wins,
        header.win_percent_white,
        header.win_percent_black,
        header.by_priority,
        header.by_games,
        header.by_score,
        header.max_plies,
    )?;
    let mut visit = |line: books::Line<'_, abk::Entry>| {
        if line.moves.len() as u32 >= options.max_ply {
            return ControlFlow::Continue(());
        }
        let text = line_text(line.moves);
        for node in line.nodes {
            let entry = node.entry;
            let m = match node.m {
                Some(m) => uci(line.position, m),
                None => format!("{}-{} ILLEGAL", entry.from, entry.to),
            };
            let _ = writeln!(
                out,
                "{text}\t{}\t{m}\t{}\t{}\t{}\t{}\t0x{:08x}",
                fen(line.position),
                entry.priority,
                entry.games,
                entry.white,
                entry.black,
                entry.flags,
            );
        }
        ControlFlow::Continue(())
    };
    book.lines(&mut visit, &mut Diagnostics::lenient())?;
    Ok(())
}

fn dump_obk(
    path: &Path,
    out: &mut String,
    diagnostics: &mut Diagnostics,
) -> Result<(), Box<dyn Error>> {
    let book = obk::Book::open(path)?;
    book.check(WalkOptions::default(), diagnostics)?;
    let mut lines = Vec::new();
    let mut visit = |line: books::Line<'_, obk::Entry>| {
        for node in line.nodes {
            let entry = node.entry;
            let m = match node.m {
                Some(m) => uci(line.position, m),
                None => format!("{}{} ILLEGAL", entry.from(), entry.to()),
            };
            let leaf = if entry.is_leaf() { "leaf" } else { "-" };
            let last = if entry.is_last() { "last" } else { "-" };
            let class = entry.class();
            lines.push((
                node.number,
                format!("{}\t{m}\t{class}\t{leaf}\t{last}", fen(line.position)),
            ));
        }
        ControlFlow::Continue(())
    };
    book.lines(&mut visit, &mut Diagnostics::lenient())?;
    lines.sort();
    let mut notes = Vec::new();
    let mut note = |note: &obk::Note| {
        notes.push(format!("# note\t{}\t{}\t{}", note.index, note.kind, note.text));
    };
    book.notes(&mut note, &mut Diagnostics::lenient())?;
    let version = if book.has_notes() { 2 } else { 1 };
    writeln!(out, "version={version} moves={} notes={}", book.len(), notes.len())?;
    lines.iter().try_for_each(|(number, line)| writeln!(out, "{number}\t{line}"))?;
    notes.iter().try_for_each(|note| writeln!(out, "{note}"))?;
    Ok(())
}

/// Returns whether a warning was noted.
fn has(diagnostics: &Diagnostics, name: &str) -> bool {
    diagnostics.warnings().iter().any(|warning| warning.name == name)
        || diagnostics.unlisted().iter().any(|(unlisted, ..)| unlisted == name)
}

/// Returns the first four fields of a FEN, with the en passant square only if a capture is legal.
fn fen(position: &Position) -> String {
    let fen = position.without_clocks().to_fen();
    fen.strip_suffix(" 0 1").unwrap_or(&fen).to_owned()
}

/// Returns a move as engines write it, castling as two steps of the king.
fn uci(position: &Position, m: Move) -> String {
    let king = position.pieces(Role::King, position.turn());
    match position.castling_side(m).filter(|_| king.contains(m.from())) {
        Some(side) => {
            let to = Square::at(side.king_file(), m.from().rank()).unwrap_or(m.to());
            Move::new(m.from(), to).to_string()
        }
        None => m.to_string(),
    }
}

/// Returns the moves of a line, castling as two steps of the king.
fn line_text(moves: &[Move]) -> String {
    let mut position = Position::start();
    let mut texts = Vec::new();
    for m in moves {
        texts.push(uci(&position, *m));
        position.apply(*m);
    }
    if texts.is_empty() { "-".to_owned() } else { texts.join(" ") }
}

fn square(bits: u16) -> Square {
    Square::from_low_bits((bits & 63) as u8)
}
