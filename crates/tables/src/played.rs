//! Writes columns of moves as SAN.

use arrow_array::Array;
use chess_core::{Move, Position};

use crate::cell::{items, string, whole};
use crate::error::{Error, ErrorKind, location};

/// Appends the moves of a list of codes.
///
/// # Errors
/// [`ErrorKind::Row`] for the first illegal move; the moves before it are written.
pub(crate) fn write_codes(
    array: &dyn Array,
    row: usize,
    start: Position,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let Some(items) = items(array, row) else { return Ok(()) };
    let codes = (0..items.len()).map(|item| whole(&items, item).filter(|_| items.is_valid(item)));
    write_moves(codes, start, out, |position, code| {
        let m = Move::from_bits(u16::try_from(*code).ok()?)?;
        (m.is_null() || position.is_legal(m)).then_some(m)
    })
}

/// Appends the moves of a list of names, or of one text, in UCI notation or as in PGN.
///
/// # Errors
/// [`ErrorKind::Row`] for the first name in a list that is not a legal move; the moves before it
/// are written.
pub(crate) fn write_names(
    array: &dyn Array,
    row: usize,
    start: Position,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    if let Some(text) = string(array, row) {
        if text.split_whitespace().all(|name| name.parse::<Move>().is_ok()) {
            return write_moves(text.split_whitespace().map(Some), start, out, named);
        }
        out.extend_from_slice(text.as_bytes());
        out.push(b' ');
        return Ok(());
    }
    let Some(items) = items(array, row) else { return Ok(()) };
    let names = (0..items.len()).map(|item| string(&items, item).filter(|_| items.is_valid(item)));
    write_moves(names, start, out, named)
}

fn named(position: &Position, name: &&str) -> Option<Move> {
    match *name {
        "0000" => Some(Move::NULL),
        name => pgn::parse_san(position, name).ok(),
    }
}

fn write_moves<T: std::fmt::Display>(
    moves: impl Iterator<Item = Option<T>>,
    mut position: Position,
    out: &mut Vec<u8>,
    find: impl Fn(&Position, &T) -> Option<Move>,
) -> Result<(), Error> {
    for item in moves {
        let Some(m) = item.as_ref().and_then(|item| find(&position, item)) else {
            let item = item.map_or_else(|| "null".to_owned(), |item| shown(&item));
            let text = format!("{item} is no legal move; the rest of the game is left out");
            return Err(Error::new(ErrorKind::Row(text.into()), location()));
        };
        out.extend_from_slice(pgn::San::new(&position, m).as_bytes());
        out.push(b' ');
        position.apply(m);
    }
    Ok(())
}

/// Returns the item for an error message, truncated to the length of a move.
fn shown(item: &impl std::fmt::Display) -> String {
    let text = item.to_string();
    let start: String = text.chars().take(16).collect();
    format!("{start:?}{}", if start.len() < text.len() { "..." } else { "" })
}
