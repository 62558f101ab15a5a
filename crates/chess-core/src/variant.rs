//! The rules of a game: chess, Chess960, or another variant.

use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::fen::is_check_count;
use crate::game::{Game, Setup, Token};
use crate::piece::Color;
use crate::position::Position;
use crate::replay::Replay;

/// The rules of a game, as stated by its `Variant` tag and its FEN.
///
/// Only chess and Chess960 are supported. Moves of other variants are read by the rules of chess,
/// as far as they are legal; see [`keeps_boards`](Variant::keeps_boards).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Variant<'a> {
    /// Chess, from the standard start position or any other.
    Standard,
    /// Chess960, also called Fischer Random or Freestyle Chess.
    Chess960,
    /// Another variant, with the name given by the game.
    Unsupported(&'a str),
}

/// Values of a `Variant` tag that mean chess, in lower case and without punctuation.
const STANDARD: [&str; 57] = [
    "",
    "standard",
    "standardchess",
    "chess",
    "chessstandard",
    "standardrules",
    "normal",
    "normalchess",
    "regular",
    "regularchess",
    "classic",
    "classical",
    "classicalchess",
    "classicchess",
    "orthodox",
    "orthodoxchess",
    "orthochess",
    "international",
    "internationalchess",
    "westernchess",
    "fide",
    "fidechess",
    "std",
    "none",
    "no",
    "default",
    "unknown",
    "blitz",
    "bullet",
    "rapid",
    "lightning",
    "untimed",
    "correspondence",
    // Chess from another start position.
    "fromposition",
    "position",
    "setup",
    "setupposition",
    "customposition",
    "custom",
    "startposition",
    "endgame",
    "puzzle",
    "thematic",
    "odds",
    "handicap",
    // Chess in other languages.
    "schach",
    "ajedrez",
    "xadrez",
    "scacchi",
    "échecs",
    "echecs",
    "szachy",
    "schaken",
    "sjakk",
    "schack",
    "šachy",
    "шахматы",
];

/// The `wild` types of chess servers (`wild/5`, `w19`) that are chess from another start position.
const STANDARD_WILD: [&str; 19] = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "8a", "10", "11", "12", "13", "14", "15", "18",
    "19", "20",
];

/// Beginnings of the names of Chess960, in lower case and without punctuation. The number of the
/// start position may follow.
const CHESS960: [&str; 12] = [
    "chess960",
    "960",
    "fischerandom",
    "fischerrandom",
    "fischer",
    "freestyle",
    "chess9lx",
    "doublechess960",
    "doublefischerrandom",
    "dfrc",
    "frc",
    "wildfr",
];

/// Variants in which every move that is legal in chess changes the board as in chess.
const SAME_BOARDS: [&str; 30] = [
    "kingofthehill",
    "koth",
    "threecheck",
    "3check",
    "threechecks",
    "3checks",
    "fivecheck",
    "5check",
    "wild25",
    "antichess",
    "giveaway",
    "suicide",
    "losers",
    "loserschess",
    "losingchess",
    "losalamos",
    "wild17",
    "wild26",
    "horde",
    "hordechess",
    "dunsany",
    "racingkings",
    "crazyhouse",
    "zh",
    "bughouse",
    "wild23",
    "wild24",
    "nocastle",
    "nocastling",
    "racingking",
];

impl<'a> Variant<'a> {
    /// Parses the value of a `Variant` tag, ignoring case, blanks and punctuation: `Chess960`,
    /// `fischerandom`, `chess 960`; `Standard`, `From Position`, `wild/5`. A second name may follow
    /// in parentheses, `Chess 960 (Fischer)`: the value is supported if both names are.
    #[must_use]
    pub fn from_tag(value: &'a str) -> Variant<'a> {
        let Some((name, remark)) = value.split_once('(') else { return Variant::from_name(value) };
        match (Variant::from_name(name), Variant::from_name(remark)) {
            (Variant::Unsupported(_), _) | (_, Variant::Unsupported(_)) => {
                Variant::Unsupported(value)
            }
            (Variant::Standard, other) | (other, _) => other,
        }
    }

    fn from_name(value: &'a str) -> Variant<'a> {
        if STANDARD.iter().any(|name| is_named(value, name)) {
            return Variant::Standard;
        }
        if CHESS960.iter().any(|name| begins_with_name(value, name)) || is_named(value, "wild22") {
            return Variant::Chess960;
        }
        let is_wild = |number: &&str| {
            let of = |prefix: &str| letters(value).eq(prefix.chars().chain(number.chars()));
            of("wild") || of("w")
        };
        if STANDARD_WILD.iter().any(is_wild) {
            return Variant::Standard;
        }
        Variant::Unsupported(value)
    }

    /// Detects a variant from parts of a FEN that chess does not have: pieces in hand, marks of
    /// promoted pieces, check counts.
    #[must_use]
    pub fn from_fen(fen: &str) -> Option<Variant<'static>> {
        let mut fields = fen.split_ascii_whitespace();
        let board = fields.next().unwrap_or_default();
        // A slash at the end of the board is no pocket; some programs write it.
        let pocket = crate::fen::pocket_rank(board).is_some() && !board.ends_with('/');
        if pocket || board.contains(['[', '~']) {
            return Some(Variant::Unsupported("Crazyhouse"));
        }
        fields.any(crate::fen::is_check_count).then_some(Variant::Unsupported("Three-check"))
    }

    /// Returns whether a move that is legal in chess always changes the board as in chess. In a
    /// variant such as Atomic it does not. There the positions are reliable only up to the first
    /// capture.
    #[must_use]
    pub fn keeps_boards(self) -> bool {
        match self {
            Variant::Standard | Variant::Chess960 => true,
            Variant::Unsupported(name) => SAME_BOARDS.iter().any(|known| is_named(name, known)),
        }
    }
}

/// Returns the letters and digits of a text in lower case.
fn letters(text: &str) -> impl Iterator<Item = char> + Clone + '_ {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase)
}

fn is_named(text: &str, name: &str) -> bool {
    letters(text).eq(name.chars())
}

/// Returns whether the letters of a text are a name, or a name and a number.
fn begins_with_name(text: &str, name: &str) -> bool {
    let mut letters = letters(text);
    if !name.chars().all(|letter| letters.next() == Some(letter)) {
        return false;
    }
    let rest = letters;
    let words = ["chess", "position", "sp", "no", "nr", "n"];
    rest.clone().all(|letter| letter.is_ascii_digit())
        || words.iter().any(|word| {
            let mut rest = rest.clone();
            word.chars().all(|letter| rest.next() == Some(letter))
                && rest.all(|letter| letter.is_ascii_digit())
        })
}

/// Returns whether a FEN specifies castling rights by the file of the rook, such as `HAha`. Only
/// Chess960 needs this.
#[must_use]
pub fn names_castling_files(fen: &str) -> bool {
    let castling = fen.split_ascii_whitespace().nth(2).unwrap_or_default();
    castling.bytes().any(|letter| matches!(letter.to_ascii_lowercase(), b'a'..=b'h'))
}

/// Returns whether a FEN has a whole number above 65535 as its move number. [`Position`] numbers the
/// moves from 1 then.
#[must_use]
pub fn exceeds_move_numbers(fen: &str) -> bool {
    let mut counters = fen.split_ascii_whitespace().skip(4).filter(|field| !is_check_count(field));
    let Some(number) = counters.nth(1) else { return false };
    number.bytes().all(|byte| byte.is_ascii_digit()) && number.parse::<u16>().is_err()
}

impl Setup {
    /// Returns whether the FEN has a castling right that the position does not have.
    #[must_use]
    pub fn lacks_castling_rights(&self) -> bool {
        let castling = self.fen().split_ascii_whitespace().nth(2).unwrap_or_default();
        let given = castling.bytes().filter(|letter| *letter != b'-').count();
        given > self.position().castling_right_count() as usize
    }

    /// Returns whether the position has everything that the FEN states. It does not if the FEN has
    /// an invalid castling right, an impossible en passant square, a counter that is not a number
    /// up to 65535, or a field that chess does not have.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        let position = self.position();
        let mut fields = self.fen().split_ascii_whitespace().skip(2);
        let _castling = fields.next();
        let en_passant = fields.next().unwrap_or("-");
        let square = if en_passant == "-" { None } else { Some(en_passant.parse()) };
        let counter = |field: Option<&str>, value: u16, least: u64| {
            field.is_none_or(|field| field.parse().map(|n: u64| n.max(least)) == Ok(value.into()))
        };
        !self.lacks_castling_rights()
            && square == position.en_passant().map(Ok)
            && counter(fields.next(), position.halfmove_clock(), 0)
            && counter(fields.next(), position.fullmove_number(), 1)
            && fields.next().is_none()
    }
}

impl Game {
    /// Returns the rules of the game. The `Variant` tag decides. If it does not name another
    /// variant, the FEN may.
    #[must_use]
    pub fn variant(&self) -> Variant<'_> {
        let mut variant = Variant::Standard;
        for (name, value) in self.header.tags.iter() {
            if name.len() == 7 && name.eq_ignore_ascii_case("Variant") {
                match Variant::from_tag(value) {
                    Variant::Standard => {}
                    Variant::Chess960 => variant = Variant::Chess960,
                    unsupported @ Variant::Unsupported(_) => return unsupported,
                }
            }
        }
        let fen = self.setup().map(Setup::fen).or_else(|| self.header.tags.get("FEN"));
        fen.and_then(Variant::from_fen).unwrap_or(variant)
    }

    /// Removes castling rights that only Chess960 allows, unless the game is Chess960. Every reader
    /// calls this after reading the tags and moves of a game. Returns whether the FEN then has a
    /// right that the position does not have. The text of the FEN is kept.
    ///
    /// A game is Chess960 in three cases: its `Variant` tag says so, its FEN specifies rooks by
    /// their files, or it castles legally with such a right, on any line. `KQkq` alone is no
    /// evidence. Many programs leave it in the FEN of a position whose kings have castled.
    pub fn drop_stray_castling(&mut self) -> bool {
        if self.has_stray_castling() {
            self.forbid_stray_castling();
        }
        self.setup().is_some_and(Setup::lacks_castling_rights)
    }

    /// Returns whether the game has castling rights that
    /// [`drop_stray_castling`](Game::drop_stray_castling) removes.
    #[must_use]
    pub fn has_stray_castling(&self) -> bool {
        self.setup().is_some_and(|setup| {
            setup.position().is_chess960() && !names_castling_files(setup.fen())
        }) && self.variant() != Variant::Chess960
            && !self.castles_as_in_chess960()
    }

    fn castles_as_in_chess960(&self) -> bool {
        let mut replay = Replay::new(self);
        self.tokens().any(|token| {
            let position = replay.position();
            let castles = matches!(token, Token::Move(m)
                if position.castling_side(m).is_some()
                    && position.stray_castling_rooks().contains(m.to())
                    && position.is_legal(m));
            replay.step(token);
            castles
        })
    }
}

impl Position {
    /// Returns the rooks with castling rights that only Chess960 allows: with the king off the
    /// e-file, or the rook outside the corners.
    ///
    /// Unusable rights are not included. They belong to a side without exactly one king, or to a
    /// king that has been moved to another rank. A FEN does not show them either.
    #[must_use]
    pub fn stray_castling_rooks(&self) -> Bitboard {
        let corners = Bitboard(0x8100_0000_0000_0081);
        Color::ALL.into_iter().fold(Bitboard::EMPTY, |rooks, color| {
            let Some(king) = self.king(color) else { return rooks };
            let usual = if king == color.king_home() { corners } else { Bitboard::EMPTY };
            rooks | self.rooks_in_line(king, color) & !usual
        })
    }

    /// Returns how many castling rights a FEN of the position shows.
    fn castling_right_count(&self) -> u32 {
        let mut count = 0u32;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let has = self.castling_rook(color, side).is_some();
                count = count.wrapping_add(u32::from(has));
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fen_move_number_above_limit_exceeds() {
        let fen = |counters: &str| alloc::format!("4k3/8/8/8/8/8/8/4K3 w - - {counters}");
        for (counters, exceeds) in [
            ("0 65535", false),
            ("0 65536", true),
            ("0 99999999999999999999999", true),
            ("0 0", false),
            ("0", false),
            ("", false),
            ("0 -", false),
            ("0 -5", false),
            ("70000 1", false),
            ("3+3 0 70000", true),
            ("3+3 0 1", false),
        ] {
            assert_eq!(exceeds_move_numbers(&fen(counters)), exceeds, "{counters}");
        }
    }

    #[test]
    fn variant_tag_spellings_are_recognised() {
        for value in [
            "",
            "?",
            "-",
            "Standard",
            "standard",
            "From Position",
            "fromPosition",
            "Normal",
            "chess",
            "Orthodox",
            "wild/5",
            "w19",
            "Wild 8a",
            "Classical chess",
        ] {
            assert_eq!(Variant::from_tag(value), Variant::Standard, "{value}");
        }
        for value in [
            "Chess960",
            "chess 960",
            "960",
            "Fischerandom",
            "Fischer Random",
            "fischerrandom chess",
            "Chess-960",
            "Chess960 518",
            "Chess960, SP 518",
            "Chess 960 (Fischer)",
            "Standard (Chess960)",
            "wild/fr",
            "Freestyle Chess",
            "wild 22",
            "FRC",
            "chess9LX",
            "Fischer",
            "Fischer chess",
        ] {
            assert_eq!(Variant::from_tag(value), Variant::Chess960, "{value}");
        }
        for value in [
            "Atomic",
            "Crazyhouse",
            "crazyhouse960",
            "Bughouse",
            "Antichess",
            "suicide",
            "giveaway",
            "losers",
            "Horde",
            "Racing Kings",
            "Three-check",
            "3check",
            "King of the Hill",
            "janggi",
            "Xiangqi",
            "shogi",
            "Chess 5x5",
            "Chess960Atomic",
            "Chess960 (Atomic)",
            "Atomic (Chess960)",
            "wild/9",
            "wild/27",
            "wild/16",
            "Kriegspiel",
            "Capablanca",
            "4 Player Chess",
            "Seirawan",
        ] {
            assert_eq!(Variant::from_tag(value), Variant::Unsupported(value), "{value}");
        }
        assert!(Variant::from_tag("king-of-the-hill").keeps_boards());
        assert!(!Variant::from_tag("Atomic").keeps_boards());
    }

    #[test]
    fn variant_shown_by_fen_needs_no_tag() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for (fen, name) in [
            ("[] w KQkq - 0 1", Some("Crazyhouse")),
            ("[Qp] w KQkq - 0 1", Some("Crazyhouse")),
            ("/Qp w KQkq - 0 1", Some("Crazyhouse")),
            ("/ w KQkq - 0 1", None),
            (" w KQkq - 3+3 0 1", Some("Three-check")),
            (" w KQkq - 0 1 +0+2", Some("Three-check")),
            (" w KQkq - 0 1", None),
            (" w KQkq - 0 1 x", None),
        ] {
            let mut game = Game::new();
            game.set_start_fen(&alloc::format!("{start}{fen}")).unwrap();
            let expected = name.map_or(Variant::Standard, Variant::Unsupported);
            assert_eq!(game.variant(), expected, "{fen}");
            assert!(game.start_position().same_position(&Position::start()), "{fen}");
        }
        let mut game = Game::new();
        game.set_start_fen("4k3/8/8/8/8/8/8/Q~3K3[] b - - 0 1").unwrap();
        assert_eq!(game.start_position().to_fen(), "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1");
    }

    fn settled(fen: &str, variant: &str, moves: &str) -> (bool, alloc::string::String) {
        let mut game = Game::new();
        game.set_start_fen(fen).unwrap();
        if !variant.is_empty() {
            game.header.set("Variant", variant);
        }
        for m in moves.split_terminator(' ') {
            game.push_move(m.parse().unwrap());
        }
        let dropped = game.drop_stray_castling();
        assert_eq!(game.setup().map(Setup::fen), Some(fen));
        let fen = game.start_position().to_fen();
        (dropped, fen.split(' ').nth(2).unwrap().into())
    }

    #[test]
    fn castling_rights_off_home_need_proof_of_chess960() {
        let kings_castled = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w KQkq - 0 1";
        let king_f1 = "r3k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1";
        for (fen, variant, moves, dropped, rights) in [
            (kings_castled, "", "d1d8", true, "-"),
            (kings_castled, "Standard", "", true, "-"),
            (kings_castled, "From Position", "", true, "-"),
            // The FEN also gives rights that no king and rook can have.
            (kings_castled, "Fischerandom", "", true, "Q"),
            (king_f1, "", "f1e2", true, "kq"),
            (king_f1, "", "f1h1 e8h8", false, "KQkq"),
            // King and rook are not in place.
            ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "", "", true, "-"),
            // Illegal, because the king passes an attacked square.
            ("5r2/4k3/8/8/8/8/8/R4K1R w KQ - 0 1", "", "f1h1", true, "-"),
            ("r3k2r/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "", "", true, "kq"),
            ("r3k2r/8/8/8/8/8/8/1R2K1R1 w GBkq - 0 1", "", "", false, "KQkq"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "", "", false, "KQkq"),
            ("1k5r/8/8/8/8/8/8/R1K4R b KQkq - 0 1", "", "", true, "-"),
        ] {
            let found = settled(fen, variant, moves);
            assert_eq!(found, (dropped, rights.into()), "{fen} {variant} {moves}");
        }
    }

    #[test]
    fn is_exact_compares_fen_with_position() {
        for (fen, exact) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", true),
            ("r3k2r/8/8/8/8/8/8/R3K2R w HAha -", true),
            ("4k3/8/8/8/8/8/8/4K3 w", true),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", true),
            ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", false),
            ("4k3/8/8/8/8/8/8/4K3 w - e4 0 1", false),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 70000", false),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", false),
            ("4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1", false),
        ] {
            let mut game = Game::new();
            game.set_start_fen(fen).unwrap();
            assert_eq!(game.setup().unwrap().is_exact(), exact, "{fen}");
        }
    }

    #[test]
    fn variant_names_match_specification() {
        let table = include_str!("../../../docs/formats/tables/variants.tsv");
        for row in table.lines().filter(|row| !row.starts_with('#')) {
            let mut cells = row.split('\t');
            let [game, compared, name] = [(); 3].map(|()| cells.next().unwrap());
            let variant = Variant::from_tag(name);
            let expected = if game == "chess" { Variant::Standard } else { Variant::Chess960 };
            assert_eq!(variant, expected, "{name}");
            let numbered = alloc::format!("{name}518");
            let variant = Variant::from_tag(&numbered);
            assert_eq!(variant == Variant::Chess960, compared == "begins", "{numbered}");
        }
    }

    #[test]
    fn variant_names_of_code_are_specified() {
        let table = include_str!("../../../docs/formats/tables/variants.tsv");
        for name in STANDARD.iter().chain(&CHESS960) {
            assert!(table.lines().any(|row| row.rsplit('\t').next() == Some(name)), "{name}");
        }
    }
}
