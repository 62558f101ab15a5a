//! Encodes a game as one row.

use std::collections::HashSet;
use std::fmt::Write as _;

use chess_core::{Elo, Game, Header, Move, Position, Variant, zobrist};
use chess_store::{Loss, LossKind, Losses};
use openings::Opening;
use pgn::Exporter;
use time_control::{TimeClass, TimeControl};

use crate::column::Column;
use crate::columns::{Columns, Selection};
use crate::schema::{Field, Of, has_column};
use crate::tags::{parse_days, parse_signed, parse_time, write_days, write_time};
use crate::uci::{UciLine, may_castle, uci_code};

/// Up to this number of tags, comparing all names costs less than hashing them.
const FEW_TAGS: usize = 32;

/// Encodes games as rows, and reuses its memory.
#[derive(Debug)]
pub(crate) struct GameRows {
    exporter: Exporter,
    /// Whether a column needs the last position of the main line.
    replays: bool,
    /// Finds the UCI codes if a column needs them and `replays` is false.
    uci: Option<UciLine>,
    /// The moves of the main line, and the moves with a different UCI code.
    codes: Vec<u16>,
    castled: Vec<(usize, u16)>,
    /// The position at the end of the main line, if a column needs it.
    end: Position,
    text: String,
}

impl GameRows {
    pub(crate) fn new(selection: &Selection) -> GameRows {
        let replays = selection.has(&[Of::FinalHash]);
        let uci = !replays && selection.has(&[Of::Moves]);
        GameRows {
            exporter: Exporter::new(),
            replays,
            uci: uci.then(UciLine::new),
            codes: Vec::new(),
            castled: Vec::new(),
            end: Position::start(),
            text: String::new(),
        }
    }

    pub(crate) fn encode(&mut self, game: &Game, into: &mut Columns, losses: &mut Losses) {
        self.follow_moves(game, into);
        for (field, column) in into.iter_mut() {
            self.fill(game, field, column, losses);
        }
        into.end_rows(1);
    }

    fn fill(&mut self, game: &Game, field: &Field, column: &mut Column, losses: &mut Losses) {
        let header = &game.header;
        match field.of {
            Of::Event => known(&header.event, column),
            Of::Site => known(&header.site, column),
            Of::White => known(&header.white, column),
            Of::Black => known(&header.black, column),
            Of::Round => known(&header.round, column),
            Of::Result => column.text(header.result.as_str()),
            Of::WhiteElo => column.or_null(rating(header.white_elo), Column::int16),
            Of::BlackElo => column.or_null(rating(header.black_elo), Column::int16),
            Of::Eco => self.display(header.eco, column),
            Of::Date if header.date.is_unknown() => column.null(),
            Of::Date => column.utf8(&header.date.spelt()),
            Of::Year => column.or_null(header.date.year().and_then(small), Column::int16),
            Of::Month => column.or_null(header.date.month().map(i16::from), Column::int16),
            Of::Day => column.or_null(header.date.day().map(i16::from), Column::int16),
            Of::Tag => column.or_null(header.tags.get(field.name), Column::text),
            Of::SignedTag => column.or_null(tag(header, field, parse_signed), Column::int16),
            Of::DateTag => column.or_null(tag(header, field, parse_days), Column::int32),
            Of::TimeTag => column.or_null(tag(header, field, parse_time), Column::int32),
            // The text has been written already.
            Of::Movetext => column.end_text(),
            Of::Fen => column.or_null(game.setup().map(|setup| setup.fen()), Column::text),
            Of::Plies => column.int32(i32::try_from(self.codes.len()).unwrap_or(i32::MAX)),
            Of::Moves => column.codes_but(&self.codes, &self.castled),
            Of::MoveCodes => column.codes(&self.codes),
            Of::FinalHash => column.uint64(zobrist(&self.end)),
            Of::OtherTags => self.write_tags(header, column, losses),
            Of::AnyTag | Of::BaseSeconds | Of::Increment => of_game(game, field, column),
            Of::TimeClass | Of::OpeningName | Of::Variant => of_game(game, field, column),
            // These columns depend only on the origin of the game.
            _ => {}
        }
    }

    /// Plays the main line once for all columns.
    fn follow_moves(&mut self, game: &Game, into: &mut Columns) {
        let (codes, castled) = (&mut self.codes, &mut self.castled);
        codes.clear();
        castled.clear();
        let mut each = |position: &Position, m: Move| {
            if may_castle(m) {
                castled.extend(castling(position, m).map(|code| (codes.len(), code)));
            }
            codes.push(m.bits());
        };
        if let Some(text) = into.text_of(Of::Movetext) {
            self.end = *self.exporter.write_movetext_line(game, text, each);
        } else if self.replays {
            self.end = game.start_position();
            for m in game.main_line() {
                each(&self.end, m);
                self.end.apply(m);
            }
        } else if let Some(uci) = &mut self.uci {
            uci.restart(game);
            for m in game.main_line() {
                let code = uci.push(m);
                if code != m.bits() {
                    castled.push((codes.len(), code));
                }
                codes.push(m.bits());
            }
        } else {
            codes.extend(game.main_line().map(Move::bits));
        }
    }

    fn display(&mut self, value: Option<impl std::fmt::Display>, column: &mut Column) {
        let Some(value) = value else { return column.null() };
        self.text.clear();
        let _ = write!(self.text, "{value}");
        column.text(&self.text);
    }

    /// Adds the tags that no other column holds, each name once.
    fn write_tags(&mut self, header: &Header, column: &mut Column, losses: &mut Losses) {
        let (many, mut names) = (header.tags.len() > FEW_TAGS, HashSet::new());
        for (place, (name, value)) in header.tags.iter().enumerate() {
            let is_repeated = match many {
                true => !names.insert(name),
                false => header.tags.iter().take(place).any(|(other, _)| other == name),
            };
            if is_repeated {
                losses.push(Loss::new(LossKind::Tag, format!("{name}, given again")));
            } else if !has_column(name) || !self.restores_spelling(header, name, value) {
                column.map_item(name, value);
            }
        }
        let typed = |name: &str| header.tags.get(name).is_none();
        for (name, elo) in [("WhiteElo", header.white_elo), ("BlackElo", header.black_elo)] {
            if rating(elo).is_none() && elo.is_some() && typed(name) {
                self.display_item(name, elo, column);
            }
        }
        if header.event_date.is_some() && typed("EventDate") {
            self.display_item("EventDate", header.event_date, column);
        }
        if header.deleted && typed("Deleted") {
            self.display_item("Deleted", header.deleted.then_some(1), column);
        }
        column.end_list();
    }

    fn display_item(
        &mut self,
        name: &str,
        value: Option<impl std::fmt::Display>,
        column: &mut Column,
    ) {
        let Some(value) = value else { return };
        self.text.clear();
        let _ = write!(self.text, "{value}");
        column.map_item(name, &self.text);
    }

    /// Returns whether the column of a tag restores exactly this spelling.
    fn restores_spelling(&mut self, header: &Header, name: &str, value: &str) -> bool {
        let Some(field) = crate::Rows::Games.field(name) else { return false };
        self.text.clear();
        match field.of {
            Of::SignedTag => {
                let Some(number) = parse_signed(value) else { return false };
                write_signed(number, &mut self.text);
            }
            Of::DateTag => {
                let Some(days) = parse_days(value) else { return false };
                write_days(days, &mut self.text);
            }
            Of::TimeTag => {
                let Some(time) = parse_time(value) else { return false };
                write_time(time, &mut self.text);
            }
            Of::WhiteElo => self.text.extend(header.white_elo.map(|elo| elo.to_string())),
            Of::BlackElo => self.text.extend(header.black_elo.map(|elo| elo.to_string())),
            _ => return true,
        }
        self.text == value
    }
}

/// Returns the UCI code of a castling move if it differs from the code of the move.
#[inline(never)]
fn castling(position: &Position, m: Move) -> Option<u16> {
    Some(uci_code(position, m)).filter(|code| *code != m.bits())
}

/// Writes a signed number as Lichess does.
pub(crate) fn write_signed(number: i16, out: &mut String) {
    let _ = write!(out, "{number:+}");
}

/// Fills a column whose value follows from the whole game, in both kinds of rows.
pub(crate) fn of_game(game: &Game, field: &Field, column: &mut Column) {
    let header = &game.header;
    let control = || TimeControl::of(game);
    match field.of {
        Of::AnyTag => column.or_null(header.get(field.name).as_deref(), Column::text),
        Of::BaseSeconds => column.or_null(control().map(|control| control.base), Column::float64),
        Of::Increment => column.or_null(control().map(|c| c.increment), Column::float64),
        Of::TimeClass => column.text(TimeClass::of(game).name()),
        Of::OpeningName => column.or_null(Opening::of(game).map(Opening::name), Column::text),
        Of::Result => column.text(header.result.as_str()),
        Of::WhiteElo => column.or_null(rating(header.white_elo), Column::int16),
        Of::BlackElo => column.or_null(rating(header.black_elo), Column::int16),
        Of::Year => column.or_null(header.date.year().and_then(small), Column::int16),
        Of::Variant => column.text(match game.variant() {
            Variant::Standard if game.start_position().is_chess960() => "chess960",
            Variant::Standard => "standard",
            Variant::Chess960 => "chess960",
            Variant::Unsupported(name) => name,
            _ => "",
        }),
        _ => {}
    }
}

fn known(text: &str, column: &mut Column) {
    column.or_null((text != "?").then_some(text), Column::text);
}

fn small(number: u16) -> Option<i16> {
    i16::try_from(number).ok()
}

fn rating(elo: Option<Elo>) -> Option<i16> {
    elo.and_then(|elo| small(elo.get()))
}

fn tag<T>(header: &Header, field: &Field, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
    header.tags.get(field.name).and_then(parse)
}
