//! Positions, one a line: EPD (four fields of a FEN, then operations) and lists of FENs. A line is a
//! game without moves. An operation is a tag: `bm Nf3;` is `Epd_bm`.

use chess_core::{Game, Header, Token, is_implied};
use chess_store::{Loss, LossKind, Losses};

use super::ErrorKind;
use super::write::LineOf;

/// The start of the tags that hold operations.
const PREFIX: &str = "Epd_";

/// The operations whose operand is a string: `id`, comments and variable names.
fn is_string(opcode: &str) -> bool {
    let numbered =
        |letter| opcode.strip_prefix(letter).is_some_and(|rest| rest.len() == 1 && is_number(rest));
    opcode == "id" || numbered('c') || numbered('v')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the first word and the rest.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once([' ', '\t']).unwrap_or((text, ""))
}

/// Reads a line. Returns `false` for a comment, which begins with `#`.
pub(super) fn read_line(line: &[u8], into: &mut Game) -> Result<bool, ErrorKind> {
    let line = String::from_utf8_lossy(line);
    let text = line.trim();
    if text.starts_with('#') {
        return Ok(false);
    }
    let (board, rest) = word(text);
    let (turn, rest) = word(rest);
    let (castling, rest) = word(rest);
    let (en_passant, mut rest) = word(rest);
    if board.matches('/').count() != 7 || !matches!(turn, "w" | "b") {
        return Err(ErrorKind::Position(
            "a board of eight ranks and w or b must come first".into(),
        ));
    }
    let mut clocks = ["0", "1"];
    let (first, after) = word(rest);
    let (second, after) = word(after);
    if is_number(first) && is_number(second.trim_end_matches(';')) {
        clocks = [first, second.trim_end_matches(';')];
        rest = after;
    }
    let mut clocks = clocks.map(str::to_owned);
    let mut operations = Vec::new();
    while let Some((opcode, operand, after)) = operation(rest)? {
        rest = after;
        match opcode {
            "hmvc" => clocks[0] = operand,
            "fmvn" => clocks[1] = operand,
            _ => operations.push((opcode, operand)),
        }
    }
    let [halfmoves, moves] = clocks;
    let fields = [board, turn, castling, en_passant, &*halfmoves, &*moves];
    let fen =
        fields.iter().filter(|field| !field.is_empty()).copied().collect::<Vec<_>>().join(" ");
    into.set_start_fen(&fen).map_err(|error| ErrorKind::Position(error.to_string()))?;
    for (opcode, operand) in operations {
        into.header.tags.push(&format!("{PREFIX}{opcode}"), &operand);
    }
    Ok(true)
}

/// Returns the next operation, and the text after it.
fn operation(text: &str) -> Result<Option<(&str, String, &str)>, ErrorKind> {
    let text = text.trim_start_matches([' ', '\t', ';']);
    if text.is_empty() {
        return Ok(None);
    }
    let mut is_quoted = false;
    let end = text.find(|letter| {
        is_quoted ^= letter == '"';
        letter == ';' && !is_quoted
    });
    let (operation, after) = text.split_at(end.unwrap_or(text.len()));
    let (opcode, operand) = word(operation);
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !opcode.starts_with(|letter: char| letter.is_ascii_alphabetic())
        || !opcode.bytes().all(is_name)
    {
        let message = format!("{opcode:?} is no operation; an operation ends with a semicolon");
        return Err(ErrorKind::Position(message));
    }
    let operand = operand.trim();
    let unquoted = operand.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let operand = unquoted.filter(|_| is_string(opcode)).unwrap_or(operand);
    Ok(Some((opcode, operand.to_owned(), after)))
}

/// EPD, or FENs without operations.
#[derive(Clone)]
pub(super) struct Epd {
    pub(super) is_fen: bool,
}

impl LineOf for Epd {
    fn head(&self) -> String {
        String::new()
    }

    /// Writes the position after the main line.
    fn line(&self, game: &Game, out: &mut Vec<u8>, losses: &mut Losses) -> Result<(), ErrorKind> {
        if !game.variant().keeps_boards() {
            return Err(ErrorKind::Position("the boards of this variant are not known".into()));
        }
        let mut position = game.start_position();
        game.main_line().for_each(|m| position.apply(m));
        let fen = position.to_fen();
        if self.is_fen {
            out.extend_from_slice(fen.as_bytes());
        } else {
            let mut fields = fen.split(' ');
            let board: Vec<&str> = fields.by_ref().take(4).collect();
            out.extend_from_slice(board.join(" ").as_bytes());
            for (name, usual) in [("hmvc", "0"), ("fmvn", "1")] {
                if let Some(count) = fields.next().filter(|count| *count != usual) {
                    out.extend_from_slice(format!(" {name} {count};").as_bytes());
                }
            }
            push_operations(&game.header, out, losses);
        }
        out.push(b'\n');
        lose(game, self.is_fen, losses);
        Ok(())
    }
}

fn push_operations(header: &Header, out: &mut Vec<u8>, losses: &mut Losses) {
    let mut has_id = false;
    for (name, value) in header.untyped_tags() {
        let Some(opcode) = name.strip_prefix(PREFIX) else { continue };
        has_id |= opcode == "id";
        push_operation(opcode, value, out, losses);
    }
    if !has_id && let Some(id) = id(header) {
        push_operation("id", &id, out, losses);
    }
}

fn push_operation(opcode: &str, value: &str, out: &mut Vec<u8>, losses: &mut Losses) {
    let is_string = is_string(opcode);
    let is_odd = |letter: char| letter.is_control() || letter == '"' && is_string;
    let mut text = value.to_owned();
    if text.contains(is_odd) {
        text = text.replace('"', "'").replace(char::is_control, " ");
        losses.push(Loss::new(LossKind::Characters, opcode));
    }
    let written = match (is_string, text.is_empty()) {
        (true, _) => format!(" {opcode} \"{text}\";"),
        (_, true) => format!(" {opcode};"),
        _ => format!(" {opcode} {text};"),
    };
    out.extend_from_slice(written.as_bytes());
}

/// The tags that `id` shows.
const IN_ID: [&str; 4] = ["Event", "Date", "White", "Black"];

/// Returns the players, event and date of a game.
fn id(header: &Header) -> Option<String> {
    let known = |name| header.get(name).filter(|text| is_known(name, text));
    let players = match (known("White"), known("Black")) {
        (None, None) => None,
        (white, black) => {
            let name = |player: Option<String>| player.unwrap_or_else(|| "?".to_owned());
            Some(format!("{} - {}", name(white), name(black)))
        }
    };
    let parts: Vec<String> =
        [players, known("Event"), known("Date")].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn is_known(name: &str, text: &str) -> bool {
    !(text.is_empty() || text == "?" || text == "*" || name == "Date" && text == "????.??.??")
}

/// Losses: what is not in the line.
fn lose(game: &Game, is_fen: bool, losses: &mut Losses) {
    let has_own_id = game.header.tags.get("Epd_id").is_some();
    game.header.for_each_tag(|name, value| {
        let value = value.to_string();
        let is_kept = !is_fen && (name.starts_with(PREFIX) || !has_own_id && IN_ID.contains(&name));
        if !is_kept && is_known(name, &value) && !is_implied(name, &value) {
            losses.push(Loss::new(LossKind::Tag, name));
        }
    });
    for token in game.tokens() {
        let kind = match token {
            Token::Comment(_) => LossKind::Comment,
            Token::Nag(_) => LossKind::Nag,
            Token::VariationStart => LossKind::Variation,
            Token::Move(_) | Token::VariationEnd => continue,
        };
        losses.push(Loss::new(kind, ""));
    }
    if game.ply_count() > 0 {
        losses.push(Loss::new(LossKind::Move, "the moves before the position"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Game, String> {
        let mut game = Game::new();
        read_line(line.as_bytes(), &mut game).map_err(|error| error.to_string())?;
        Ok(game)
    }

    fn written(game: &Game) -> (String, Losses) {
        let (mut out, mut losses) = (Vec::new(), Losses::new());
        Epd { is_fen: false }.line(game, &mut out, &mut losses).unwrap();
        (String::from_utf8(out).unwrap(), losses)
    }

    #[test]
    fn read_line_of_epd_writes_it_again() {
        for line in [
            "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK; 01\";\n",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 3; fmvn 9; acd 12; noop;\n",
            "8/8/8/8/8/8/8/K1k5 w - - c0 \"a b\"; pv Ka2 Kc2;\n",
        ] {
            let (text, losses) = written(&read(line).unwrap());
            assert_eq!((text.as_str(), losses.total()), (line, 0));
        }
    }

    #[test]
    fn read_line_of_fen_has_clocks() {
        for (line, fen) in [
            ("8/8/8/8/8/8/8/K1k5 w - - 12 40", "8/8/8/8/8/8/8/K1k5 w - - 12 40"),
            ("8/8/8/8/8/8/8/K1k5 b - -", "8/8/8/8/8/8/8/K1k5 b - - 0 1"),
            ("8/8/8/8/8/8/8/K1k5 w", "8/8/8/8/8/8/8/K1k5 w - - 0 1"),
            ("8/8/8/8/8/8/8/K1k5 w - - 12 40; id \"x\"", "8/8/8/8/8/8/8/K1k5 w - - 12 40"),
        ] {
            let game = read(line).unwrap();
            assert_eq!(game.start_position().to_fen(), fen, "{line}");
        }
    }

    #[test]
    fn read_line_without_position_is_error() {
        for line in ["1. e4 e5", "8/8/8/8/8/8/8 w - -", "8/8/8/8/8/8/8/K1k5 x - -"] {
            assert!(read(line).is_err(), "{line}");
        }
        let error = read("8/8/8/8/8/8/8/K1k5 w - - - Nf3").unwrap_err();
        assert!(error.contains("no operation"), "{error}");
        assert!(!read_line(b"# openings", &mut Game::new()).unwrap());
    }

    #[test]
    fn write_game_is_its_last_position_and_tells_what_is_lost() {
        let mut game = Game::new();
        game.header.set("White", "Tal \"Misha\"");
        game.header.set("Result", "1-0");
        game.push_move("e2e4".parse().unwrap());
        let (text, losses) = written(&game);
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
        assert_eq!(text, format!("{fen} id \"Tal 'Misha' - ?\";\n"));
        let kinds: Vec<LossKind> = losses.iter().map(|loss| loss.kind).collect();
        assert_eq!(kinds, [LossKind::Characters, LossKind::Tag, LossKind::Move]);
    }
}
