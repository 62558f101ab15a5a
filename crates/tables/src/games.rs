//! A game as a row.

use std::fmt::Write as _;

use chess_core::{Elo, Game, Header, Position};
use chess_store::{Loss, LossKind};
use memchr::memchr;
use pgn::Exporter;

use crate::column::Column;
use crate::columns::{Columns, Selection};
use crate::schema::{Field, Of, has_column};
use crate::tags::{parse_days, parse_signed, parse_time, write_days, write_time};
use crate::uci::uci_code;
use crate::zobrist::zobrist;

/// Makes rows of games, keeping the memory that takes.
#[derive(Debug)]
pub(crate) struct GameRows {
    exporter: Exporter,
    /// Whether there is a column of movetext, and one that needs the positions of the main line.
    exports: bool,
    replays: bool,
    /// The position at the end of the main line, if any column needs it.
    end: Position,
    movetext: Vec<u8>,
    text: String,
}

impl GameRows {
    pub(crate) fn new(selection: &Selection) -> GameRows {
        GameRows {
            exporter: Exporter::new(),
            exports: selection.has(&[Of::Movetext]),
            replays: selection.has(&[Of::Moves, Of::FinalHash]),
            end: Position::start(),
            movetext: Vec::new(),
            text: String::new(),
        }
    }

    pub(crate) fn encode(&mut self, game: &Game, into: &mut Columns, losses: &mut Vec<Loss>) {
        if self.exports || self.replays {
            self.replay_moves(game, into);
        }
        for (field, column) in into.iter_mut() {
            self.fill(game, field, column, losses);
        }
        into.end_rows(1);
    }

    fn fill(&mut self, game: &Game, field: &Field, column: &mut Column, losses: &mut Vec<Loss>) {
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
            Of::Date => {
                self.display((!header.date.is_unknown()).then_some(header.date), column);
            }
            Of::Year => column.or_null(header.date.year().and_then(small), Column::int16),
            Of::Month => column.or_null(header.date.month().map(i16::from), Column::int16),
            Of::Day => column.or_null(header.date.day().map(i16::from), Column::int16),
            Of::Tag => column.or_null(header.tags.get(field.name), Column::text),
            Of::SignedTag => column.or_null(tag(header, field, parse_signed), Column::int16),
            Of::DateTag => column.or_null(tag(header, field, parse_days), Column::int32),
            Of::TimeTag => column.or_null(tag(header, field, parse_time), Column::int32),
            Of::Movetext => self.push_movetext(column),
            Of::Fen => column.or_null(game.setup().map(|setup| setup.fen()), Column::text),
            Of::Plies => column.int32(i32::try_from(game.ply_count()).unwrap_or(i32::MAX)),
            Of::MoveCodes => {
                game.main_line().for_each(|m| column.code(m.bits()));
                column.end_list();
            }
            Of::FinalHash => column.uint64(zobrist(&self.end)),
            Of::OtherTags => self.write_tags(header, column, losses),
            // `Of::Moves` is filled already; the rest only the origin of the game tells.
            _ => {}
        }
    }

    /// Goes to the end of the main line once for all columns: writes the movetext and the moves, if
    /// they are wanted.
    fn replay_moves(&mut self, game: &Game, into: &mut Columns) {
        let mut moves = into.iter_mut().find(|(field, _)| field.of == Of::Moves);
        let mut push = |position: &Position, m| {
            if let Some((_, column)) = &mut moves {
                column.code(uci_code(position, m));
            }
        };
        if self.exports {
            self.movetext.clear();
            self.end = *self.exporter.write_movetext_with(game, &mut self.movetext, push);
        } else {
            self.end = game.start_position();
            for m in game.main_line() {
                push(&self.end, m);
                self.end.apply(m);
            }
        }
        if let Some((_, column)) = moves {
            column.end_list();
        }
    }

    /// As export format, but on one line: only the line breaks that a comment holds stay.
    fn push_movetext(&mut self, column: &mut Column) {
        let end = self.movetext.trim_ascii_end().len();
        self.movetext.truncate(end);
        let mut rest = self.movetext.as_mut_slice();
        while let Some(at) = memchr(b'\n', rest) {
            let (_, found) = rest.split_at_mut(at);
            let breaks = found.iter().take_while(|byte| **byte == b'\n').count();
            if breaks == 1
                && let Some(place) = found.first_mut()
            {
                *place = b' ';
            }
            rest = found.split_at_mut(breaks).1;
        }
        column.text(std::str::from_utf8(&self.movetext).unwrap_or_default());
    }

    fn display(&mut self, value: Option<impl std::fmt::Display>, column: &mut Column) {
        let Some(value) = value else { return column.null() };
        self.text.clear();
        let _ = write!(self.text, "{value}");
        column.text(&self.text);
    }

    /// What no other column says, each name once.
    fn write_tags(&mut self, header: &Header, column: &mut Column, losses: &mut Vec<Loss>) {
        for (place, (name, value)) in header.tags.iter().enumerate() {
            let first = !header.tags.iter().take(place).any(|(other, _)| other == name);
            if !first {
                losses.push(Loss::new(LossKind::Tag, format!("{name}, given again")));
            } else if !has_column(name) || !self.is_told(name, value) {
                column.map_item(name, value);
            }
        }
        let typed = |name: &str| header.tags.get(name).is_none();
        for (name, elo) in [("WhiteElo", header.white_elo), ("BlackElo", header.black_elo)] {
            if rating(elo).is_none() && typed(name) && elo.is_some() {
                self.display_item(name, elo, column);
            }
        }
        if typed("EventDate") {
            self.display_item("EventDate", header.event_date, column);
        }
        if typed("Deleted") {
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

    /// Whether the column of a tag gives back just this spelling.
    fn is_told(&mut self, name: &str, value: &str) -> bool {
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
            _ => return true,
        }
        self.text == value
    }
}

/// As Lichess spells it.
pub(crate) fn write_signed(number: i16, out: &mut String) {
    let _ = write!(out, "{number:+}");
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
