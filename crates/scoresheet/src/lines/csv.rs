//! Writes a game as a row: the usual tags, and the main line in UCI and SAN.

use chess_core::{Game, Token};
use chess_store::{Loss, LossKind};

use super::ErrorKind;
use super::write::LineOf;
use crate::cells::{self, csv_cell};

const TAGS: [&str; 11] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO",
    "Deleted",
];

/// RFC 4180, with line feeds.
#[derive(Clone)]
pub(super) struct Csv;

impl LineOf for Csv {
    const HEAD: &'static str = "Event,Site,Date,Round,White,Black,Result,WhiteElo,BlackElo,ECO,Deleted,FEN,Plies,UCI,SAN\n";

    fn line(
        &self,
        game: &Game,
        out: &mut Vec<u8>,
        losses: &mut Vec<Loss>,
    ) -> Result<(), ErrorKind> {
        for tag in TAGS {
            let text = game.header.get(tag).unwrap_or_default();
            out.extend_from_slice(csv_cell(&text).as_bytes());
            out.push(b',');
        }
        let fen = game.setup().map_or("", |setup| setup.fen());
        out.extend_from_slice(csv_cell(fen).as_bytes());
        let (uci, san) = (cells::uci(game), cells::san(game));
        let plies = game.ply_count();
        out.extend_from_slice(format!(",{plies},{uci},{san}\n").as_bytes());
        lose(game, losses);
        Ok(())
    }
}

/// Losses: data without a column.
fn lose(game: &Game, losses: &mut Vec<Loss>) {
    for (name, _) in game.header.untyped_tags() {
        if !chess_core::is_implied(name, "1") {
            losses.push(Loss::new(LossKind::Tag, name));
        }
    }
    if game.header.event_date.is_some() {
        losses.push(Loss::new(LossKind::Tag, "EventDate"));
    }
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
        let (mut out, mut losses) = (Vec::new(), Vec::new());
        Csv.line(&game, &mut out, &mut losses).unwrap();
        let row = String::from_utf8(out).unwrap();
        assert_eq!(
            row,
            "?,'=1+1,????.??.??,?,\"Alder, \"\"Nora\"\"\",?,*,,,,,,7,e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 \
            e1g1,e4 e5 Nf3 Nc6 Bc4 Bc5 O-O\n"
        );
        assert_eq!(Csv::HEAD.split(',').count(), row.replace("Alder, ", "").split(',').count());
        let kinds: Vec<LossKind> = losses.iter().map(|loss| loss.kind).collect();
        assert_eq!(kinds, [LossKind::Tag, LossKind::Comment]);
    }
}
