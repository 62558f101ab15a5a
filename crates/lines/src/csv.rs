//! Writes a game as a row: the usual tags, and the main line in UCI and SAN, or chosen columns.

use std::path::Path;
use std::sync::Arc;

use chess_core::{Game, Token};
use chess_store::{Loss, LossKind, Losses, OptionInfo, TypedOptions};

use super::ErrorKind;
use super::write::LineOf;
use query::QueryError;
use query::columns::{self, Column, Row, csv_cell};

const TAGS: [&str; 11] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO",
    "Deleted",
];

/// Options of writing comma-separated values.
#[derive(Clone, Debug, Default)]
pub(super) struct CsvOptions {
    pub(super) columns: String,
}

impl TypedOptions for CsvOptions {
    const LIST: &'static [OptionInfo] = &[OptionInfo::new(
        "columns",
        &[],
        "columns of `list` or names of tags, with commas between them: white,black,TimeControl,san",
    )];

    fn set(&mut self, name: &str, value: &str) -> bool {
        // An empty variable in a script is no choice of columns.
        if name != "columns" || value.trim().is_empty() {
            return false;
        }
        value.clone_into(&mut self.columns);
        true
    }
}

/// RFC 4180, with line feeds.
#[derive(Clone)]
pub(super) struct Csv {
    /// The chosen columns. Without any, the usual ones are written.
    columns: Arc<[Column]>,
}

impl Csv {
    /// Creates the format with columns that have commas between them.
    pub(super) fn with_columns(columns: &str) -> Result<Csv, QueryError> {
        let names = columns.split(',').map(str::trim).filter(|_| !columns.is_empty());
        let column = |name| match Column::parse(name)? {
            Column::Number | Column::File => Err(QueryError::Unreadable {
                text: String::from(name),
                what: "a column of a copy; `list --csv` has the numbers and files of games",
            }),
            column => Ok(column),
        };
        Ok(Csv { columns: names.map(column).collect::<Result<_, _>>()? })
    }

    fn chosen(&self, game: &Game, out: &mut Vec<u8>, losses: &mut Losses) {
        let row = Row::new(0, Path::new(""), &game.header).with_game(Some(game));
        for (place, column) in self.columns.iter().enumerate() {
            if place > 0 {
                out.push(b',');
            }
            out.extend_from_slice(csv_cell(&column.text(&row)).as_bytes());
        }
        out.push(b'\n');
        lose_annotations(game, losses);
    }
}

impl LineOf for Csv {
    fn head(&self) -> String {
        if self.columns.is_empty() {
            let tags = TAGS.join(",");
            return format!("{tags},FEN,Plies,UCI,SAN\n");
        }
        let names: Vec<_> = self.columns.iter().map(|column| csv_cell(column.name())).collect();
        names.join(",") + "\n"
    }

    fn line(&self, game: &Game, out: &mut Vec<u8>, losses: &mut Losses) -> Result<(), ErrorKind> {
        if !self.columns.is_empty() {
            self.chosen(game, out, losses);
            return Ok(());
        }
        for tag in TAGS {
            let text = game.header.get(tag).unwrap_or_default();
            out.extend_from_slice(csv_cell(&text).as_bytes());
            out.push(b',');
        }
        let fen = game.setup().map_or("", |setup| setup.fen());
        out.extend_from_slice(csv_cell(fen).as_bytes());
        let (uci, san) = (columns::uci(game), columns::san(game));
        let plies = game.ply_count();
        out.extend_from_slice(format!(",{plies},{uci},{san}\n").as_bytes());
        lose(game, losses);
        Ok(())
    }
}

/// Losses: data without a column.
fn lose(game: &Game, losses: &mut Losses) {
    for (name, _) in game.header.untyped_tags() {
        if !chess_core::is_implied(name, "1") {
            losses.push(Loss::new(LossKind::Tag, name));
        }
    }
    if game.header.event_date.is_some() {
        losses.push(Loss::new(LossKind::Tag, "EventDate"));
    }
    lose_annotations(game, losses);
}

/// Losses: annotations, for which there is no column.
fn lose_annotations(game: &Game, losses: &mut Losses) {
    let (mut comments, mut nags, mut variations) = (0u32, 0u32, 0u32);
    for token in game.tokens() {
        match token {
            Token::Comment(_) => comments += 1,
            Token::Nag(_) => nags += 1,
            Token::VariationStart => variations += 1,
            _ => {}
        }
    }
    let counts =
        [(LossKind::Comment, comments), (LossKind::Nag, nags), (LossKind::Variation, variations)];
    for (kind, count) in counts {
        for _ in 0..count {
            losses.push(Loss::new(kind, ""));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_row_has_tags_uci_and_san() {
        let mut game = Game::new();
        game.header.set("White", "Alder, \"Nora\"");
        game.header.set("Annotator", "B");
        game.header.set("Site", "=1+1");
        for m in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1h1"] {
            game.push_move(m.parse().unwrap());
        }
        game.push_comment("fine").unwrap();
        let (mut out, mut losses) = (Vec::new(), Losses::new());
        let csv = Csv::with_columns("").unwrap();
        csv.line(&game, &mut out, &mut losses).unwrap();
        let row = String::from_utf8(out).unwrap();
        assert_eq!(
            row,
            "?,'=1+1,????.??.??,?,\"Alder, \"\"Nora\"\"\",?,*,,,,,,7,e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 \
            e1g1,e4 e5 Nf3 Nc6 Bc4 Bc5 O-O\n"
        );
        assert_eq!(csv.head().split(',').count(), row.replace("Alder, ", "").split(',').count());
        let kinds: Vec<LossKind> = losses.iter().map(|loss| loss.kind).collect();
        assert_eq!(kinds, [LossKind::Tag, LossKind::Comment]);
    }

    #[test]
    fn csv_chosen_columns_are_tags_and_moves() {
        let mut game = Game::new();
        game.header.set("White", "Tal");
        game.header.set("TimeControl", "=180");
        game.push_move("e2e4".parse().unwrap());
        let csv = Csv::with_columns("white, timecontrol,san,fen").unwrap();
        let (mut out, mut losses) = (Vec::new(), Losses::new());
        csv.line(&game, &mut out, &mut losses).unwrap();
        assert_eq!(csv.head(), "White,TimeControl,SAN,FEN\n");
        assert_eq!(String::from_utf8(out).unwrap(), "Tal,'=180,e4,\n");
        assert!(losses.is_empty());
        assert!(Csv::with_columns("number").is_err() && Csv::with_columns("colour").is_err());
    }
}
