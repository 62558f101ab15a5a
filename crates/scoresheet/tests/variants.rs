//! Games of other variants, and castling rights left over in a FEN, in every format.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use scoresheet::chess_core::Position;
use scoresheet::chess_store::{LossKind, Losses};
use scoresheet::filter::PositionPattern;
use scoresheet::{Converter, CreateOptions, Filter, Outcome, Scanner, Watch};

/// The same moves by the rules of several variants.
const VARIANTS: &str = "[White \"a\"]\n[Variant \"Atomic\"]\n\n1. e4 d5 2. exd5 *\n\n\
    [White \"b\"]\n[Variant \"King of the Hill\"]\n\n1. e4 d5 2. exd5 *\n\n\
    [White \"c\"]\n[Variant \"Standard\"]\n\n1. e4 d5 2. exd5 *\n\n\
    [White \"d\"]\n[Variant \"Gothic\"]\n\n1. e4 d5 2. exd5 *\n";

/// Kings that have castled, and rights that were left.
const RIGHTS_LEFT_OVER: &str = "[White \"a\"]\n[FEN \"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w KQkq - 0 1\"]\n\n1. Rd8# *\n\n\
     [White \"b\"]\n[Variant \"Standard\"]\n[FEN \"1k5r/8/8/8/8/8/8/R1K4R b KQkq - 0 1\"]\n\n1... Kc7 *\n\n\
     [White \"c\"]\n[FEN \"r3k2r/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1\"]\n\n1. Rb2 *\n";

#[derive(Default)]
struct Reported {
    losses: Vec<Losses>,
    refused: usize,
    damaged: usize,
}

impl Watch for Reported {
    fn outcome(&mut self, outcome: &Outcome<'_>) -> ControlFlow<()> {
        self.losses.push(outcome.losses.clone());
        self.refused += usize::from(outcome.refusal.is_some());
        self.damaged += usize::from(outcome.damage.is_some());
        ControlFlow::Continue(())
    }
}

fn convert(text: &str, to: &Path) -> Reported {
    let from = to.with_file_name("source.pgn");
    fs::write(&from, text).unwrap();
    let mut input = scoresheet::open(&from).unwrap();
    let mut output = scoresheet::create(to, &CreateOptions::default()).unwrap();
    let mut told = Reported::default();
    Converter::new().run(&mut input, &mut output, &mut told).unwrap();
    output.finish().unwrap();
    told
}

/// White's names of the games that come to a position.
fn found(path: &Path, fen: &str) -> String {
    let mut filter = Filter::default();
    filter.positions.push(PositionPattern::parse(fen).unwrap());
    let mut base = scoresheet::open(path).unwrap();
    let mut names = String::new();
    let scanner = Scanner::new().filter(filter);
    scanner.for_each(&mut base, |scanned| names.push_str(&scanned.game.header.white)).unwrap();
    names
}

fn path(folder: &tempfile::TempDir, extension: &str) -> PathBuf {
    folder.path().join("base").with_extension(extension)
}

#[test]
fn read_unsupported_variant_is_damage_in_every_format_with_tags() {
    for extension in ["pgn", "si4", "si5", "jose", "jsonl"] {
        let folder = tempfile::tempdir().unwrap();
        let path = path(&folder, extension);
        let told = convert(VARIANTS, &path);
        assert_eq!((told.damaged, told.refused), (3, 0), "{extension}");
        let read: Vec<_> = scoresheet::open(&path).unwrap().games().collect();
        assert_eq!(read.len(), 4, "{extension}");
        for (game, name) in read.iter().zip(["Atomic", "King of the Hill", "", "Gothic"]) {
            match game {
                Ok(_) => assert!(name.is_empty(), "{extension}: {name} is sound"),
                Err(error) => {
                    let said = format!("variant {name:?} is not supported");
                    assert!(error.to_string().contains(&said), "{extension}: {error}");
                }
            }
        }
    }
}

#[test]
fn search_position_after_capture_misses_only_variants_with_other_boards() {
    let before = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq";
    let after = "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq";
    for extension in ["pgn", "si4", "si5", "jose", "jsonl"] {
        let folder = tempfile::tempdir().unwrap();
        let path = path(&folder, extension);
        convert(VARIANTS, &path);
        assert_eq!(found(&path, before), "abcd", "{extension}");
        assert_eq!(found(&path, after), "bc", "{extension}");
    }
}

#[test]
fn write_castling_rights_left_over_refuses_no_game_and_reports_them() {
    for extension in ["si4", "si5", "dci", "cdp", "cbf", "cbh", "2cbh"] {
        let folder = tempfile::tempdir().unwrap();
        let path = path(&folder, extension);
        let told = convert(RIGHTS_LEFT_OVER, &path);
        assert_eq!(told.refused, 0, "{extension}");
        for losses in &told.losses {
            let setup = losses.iter().any(|loss| loss.kind == LossKind::Setup);
            assert!(setup, "{extension}: {losses:?}");
        }
        for game in scoresheet::open(&path).unwrap().games() {
            let game = game.unwrap();
            assert!(!game.start_position().is_chess960(), "{extension}");
            assert_eq!(game.header.tags.get("Variant").filter(|name| *name != "Standard"), None);
        }
    }
}

#[test]
fn search_position_finds_castling_rights_left_over() {
    for extension in ["pgn", "si4", "si5", "dci", "cdp", "cbf", "cbh", "2cbh", "jose", "jsonl"] {
        let folder = tempfile::tempdir().unwrap();
        let path = path(&folder, extension);
        convert(RIGHTS_LEFT_OVER, &path);
        for castling in ["-", "KQkq", "Q"] {
            let fen = format!("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w {castling} - 0 1");
            assert_eq!(found(&path, &fen), "a", "{extension} {castling}");
        }
        assert_eq!(found(&path, "r3k2r/8/8/8/8/8/8/1R2K1R1 w kq -"), "c", "{extension}");
    }
}

#[test]
fn read_chess960_keeps_castling_rights_that_a_tag_or_move_proves() {
    let games = "[White \"a\"]\n[Variant \"Fischerandom\"]\n[FEN \"r4k1r/8/8/8/8/8/8/R4K1R w KQkq - 0 1\"]\n\n1. Ke2 *\n\n\
        [White \"b\"]\n[FEN \"r4k1r/8/8/8/8/8/8/R4K1R w KQkq - 0 1\"]\n\n1. O-O Ke7 *\n";
    for extension in ["pgn", "si5", "cbh", "2cbh", "jose", "jsonl"] {
        let folder = tempfile::tempdir().unwrap();
        let path = path(&folder, extension);
        convert(games, &path);
        for game in scoresheet::open(&path).unwrap().games() {
            let start: Position = game.unwrap().start_position();
            assert_eq!(start.castling_rooks().count(), 4, "{extension}");
        }
        assert_eq!(found(&path, "r4k1r/8/8/8/8/8/8/R4K1R w KQkq -"), "ab", "{extension}");
        assert_eq!(found(&path, "r4k1r/8/8/8/8/8/8/R4K1R w - -"), "", "{extension}");
    }
}
