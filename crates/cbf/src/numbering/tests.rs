//! Compares the counting with a naive list of moves, and tests each quirk of the numbering.

use super::*;
use chess_core::{Color, Game, Piece, Square};

/// Lists the meaning of every number of a position in order: the independent reference.
fn list(numbered: &NumberedPosition, rules: Rules) -> Vec<Meaning> {
    let position = &numbered.position;
    let us = position.turn();
    let mut all = Vec::new();
    for file in 0..8 {
        for rank in 0..8 {
            let from = Square::at(file, rank).unwrap();
            let Some(piece) = position.piece_at(from).filter(|piece| piece.color() == us) else {
                continue;
            };
            list_piece(numbered, from, piece.role(), rules, &mut all);
        }
    }
    all
}

fn list_piece(
    numbered: &NumberedPosition,
    from: Square,
    role: Role,
    rules: Rules,
    all: &mut Vec<Meaning>,
) {
    let bishop = [(-1, -1), (1, -1), (1, 1), (-1, 1)];
    let rook = [(-1, 0), (0, -1), (1, 0), (0, 1)];
    let king = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
    let knight = [(-2, -1), (-2, 1), (2, -1), (2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2)];
    match role {
        Role::Pawn => list_pawn(numbered, from, rules, all),
        Role::Bishop => walk(numbered, from, &bishop, 7, all),
        Role::Rook => walk(numbered, from, &rook, 7, all),
        Role::Queen => {
            walk(numbered, from, &bishop, 7, all);
            walk(numbered, from, &rook, 7, all);
        }
        Role::Knight => walk(numbered, from, &knight, 1, all),
        Role::King => {
            walk(numbered, from, &king, 1, all);
            let home = Square::at(4, numbered.position.turn().back_rank()).unwrap();
            for (corner, between) in [(7, 5..7), (0, 1..4)] {
                let rook = from.offset(corner - 4, 0);
                let own = Some(Piece::new(Role::Rook, numbered.position.turn()));
                let free = between.into_iter().all(|file| {
                    let square = Square::at(file, from.rank()).unwrap();
                    numbered.position.piece_at(square).is_none()
                });
                if from == home && free && numbered.position.piece_at(rook.unwrap()) == own {
                    all.push(Meaning::Move(Move::new(from, rook.unwrap())));
                }
            }
        }
    }
}

fn walk(
    numbered: &NumberedPosition,
    from: Square,
    steps: &[(i8, i8)],
    reach: usize,
    all: &mut Vec<Meaning>,
) {
    for (files, ranks) in steps {
        let mut square = from;
        for _ in 0..reach {
            let Some(to) = square.offset(*files, *ranks) else { break };
            square = to;
            let there = numbered.position.piece_at(to);
            match there {
                Some(piece) if piece.color() == numbered.position.turn() => break,
                Some(piece) if piece.role() == Role::King => break,
                _ => all.push(Meaning::Move(Move::new(from, to))),
            }
            if there.is_some() {
                break;
            }
        }
    }
}

fn list_pawn(numbered: &NumberedPosition, from: Square, rules: Rules, all: &mut Vec<Meaning>) {
    let position = &numbered.position;
    let us = position.turn();
    let empty = |square: Square| position.piece_at(square).is_none();
    let mut push = |to: Square| {
        if to.rank() == (!us).back_rank() {
            for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                all.push(Meaning::Move(Move::promoting(from, to, role)));
            }
        } else {
            all.push(Meaning::Move(Move::new(from, to)));
        }
    };
    let one = from.offset(0, us.forward()).filter(|to| empty(*to));
    let two = from.offset(0, us.forward() * 2).filter(|to| empty(*to));
    let second = us.back_rank().abs_diff(1);
    if let (Some(_), Some(two)) = (one, two)
        && from.rank() == second
    {
        push(two);
    }
    if let Some(one) = one {
        push(one);
    }
    for files in [-1, 1] {
        if let Some(to) = from.offset(files, us.forward())
            && let Some(target) = position.piece_at(to)
            && target.color() != us
            && target.role() != Role::King
        {
            push(to);
        }
    }
    let fifth = if us == Color::White { 4 } else { 3 };
    if from.rank() != fifth {
        return;
    }
    let file = i16::from(from.file()) + 1;
    for side in [-1i8, 1] {
        let matches = file + i16::from(side) == i16::from(numbered.passing_file);
        if !matches || numbered.passing_file == 0 && !rules.edge_pawn {
            continue;
        }
        let pawn = Some(Piece::new(Role::Pawn, !us));
        let beside = from.offset(side, 0).and_then(|square| position.piece_at(square));
        let late = rules.late_capture && beside == pawn;
        match from.offset(side, us.forward()) {
            Some(to) if (late || position.en_passant() == Some(to)) && empty(to) => {
                all.push(Meaning::Move(Move::new(from, to)));
            }
            _ => all.push(Meaning::Phantom),
        }
    }
}

/// Checks all numbers of a position. `targets` may hold anything.
fn check(numbered: &NumberedPosition, rules: Rules, targets: &mut Targets) {
    let listed = list(numbered, rules);
    assert_eq!(numbered.total(rules) as usize, listed.len(), "{}", numbered.position.to_fen());
    for (number, meaning) in (1u8..=128).zip(&listed) {
        let found = numbered.meaning(number, rules, targets);
        assert_eq!(found, *meaning, "{} {number}", numbered.position.to_fen());
        if let Meaning::Move(m) = meaning {
            let found = numbered.number(*m, rules).unwrap();
            assert_eq!(found, u32::from(number), "{} {m}", numbered.position.to_fen());
        }
    }
    if listed.len() < 128 {
        let beyond = listed.len() as u8 + 1;
        let count = listed.len() as u8;
        assert_eq!(numbered.meaning(beyond, rules, targets), Meaning::Beyond(count));
    }
}

const ALL_RULES: [Rules; 5] = [
    Rules::USUAL,
    Rules { edge_pawn: false, ..Rules::USUAL },
    Rules { stale_file: false, ..Rules::USUAL },
    Rules { edge_pawn: false, stale_file: false, ..Rules::USUAL },
    Rules::WRITTEN,
];

#[test]
fn meaning_random_games_agrees_with_listing() {
    use testkit::{Flavour, Random, random_game};
    let flavour = Flavour { setups: true, plies: 300, ..Flavour::PLAIN };
    let mut targets = NO_TARGETS;
    for seed in 0..40 {
        let bytes = Random::new(seed).bytes(400);
        let game = random_game(&mut arbitrary::Unstructured::new(&bytes), flavour).unwrap();
        for rules in ALL_RULES {
            let mut numbered =
                NumberedPosition { position: game.start_position(), passing_file: 0 };
            check(&numbered, rules, &mut targets);
            for m in game.main_line() {
                numbered.play(m, rules);
                check(&numbered, rules, &mut targets);
            }
        }
    }
}

#[test]
fn meaning_extreme_boards_agrees_with_listing() {
    let mut targets = NO_TARGETS;
    for fen in [
        "QQQQQQQQ/8/8/8/8/8/8/kK6 w - - 0 1",
        // 259 numbers, which exceed a byte.
        "1Q4Q1/4Q3/Q1Q4Q/Q6Q/3Q4/Q6Q/Q6Q/1QQQQQQ1 w - - 0 1",
        "k7/P7/8/8/8/8/8/RKRKRKRK w - - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "PPPPPPPP/8/8/8/8/8/8/pppppppp w - - 0 1",
        "pppppppp/8/8/8/8/8/8/PPPPPPPP b - - 0 1",
        "4k3/3P1P2/8/8/8/8/8/4K3 w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "3rkr2/4P3/8/8/8/8/8/R3K2R w - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        for passing_file in 0..=15 {
            check(&NumberedPosition { position, passing_file }, Rules::USUAL, &mut targets);
        }
    }
}

/// Rules, a number, and the move that it stands for.
type Reading = (Rules, u8, Option<&'static str>);

/// Per quirk: a position, the moves leading to it, a number, and its move under each rule set.
/// cbf §6.2 "En passant", §6.3 "Dialects"
#[test]
fn meaning_en_passant_quirks_follow_rules() {
    let usual = Rules::USUAL;
    let no_edge = Rules { edge_pawn: false, ..usual };
    let no_stale = Rules { stale_file: false, ..usual };
    let cases: [(&str, &[&str], &[Reading]); 6] = [
        // A white pawn on a5 takes a second number; the king's numbers follow.
        (
            "4k3/8/8/P7/8/8/8/4K3 w - - 0 1",
            &[],
            &[
                (usual, 1, Some("a5a6")),
                (usual, 2, None),
                (usual, 3, Some("e1d1")),
                (no_edge, 2, Some("e1d1")),
            ],
        ),
        // A black pawn on a4 takes a second number too.
        ("4k3/8/8/8/p7/8/8/4K3 b - - 0 1", &[], &[(usual, 2, None), (no_edge, 2, Some("e8d7"))]),
        // It takes none right after a double step on another file.
        ("4k3/6p1/8/P7/8/8/8/4K3 b - - 0 1", &["g7g5"], &[(usual, 2, Some("e1d1"))]),
        // Pawns on the h-file take no extra number.
        ("4k3/8/8/7P/8/8/8/4K3 w - - 0 1", &[], &[(usual, 6, Some("h5h6")), (usual, 7, None)]),
        // Double step, then castling: White's pawn on e5 gets a number for White's own d-file.
        (
            "4k2r/8/8/3pP3/8/8/3P4/4K2R w k - 0 1",
            &["d2d4", "e8h8"],
            &[
                (usual, 8, None),
                (usual, 9, Some("h1g1")),
                (Rules::WRITTEN, 8, Some("e5d6")),
                (no_stale, 8, Some("h1g1")),
            ],
        ),
        // A double step by Black ends White's file even if White's king castles in between.
        (
            "4k2r/3p4/8/4P3/8/8/3P4/4K2R w Kk - 0 1",
            &["d2d4", "d7d5"],
            &[(usual, 8, Some("e5d6")), (no_stale, 8, Some("e5d6"))],
        ),
    ];
    for (fen, moves, readings) in cases {
        for (rules, number, expected) in readings {
            let mut game = Game::new();
            game.set_start_fen(fen).unwrap();
            let mut numbered =
                NumberedPosition { position: game.start_position(), passing_file: 0 };
            for m in moves {
                numbered.play(m.parse().unwrap(), *rules);
            }
            let expected = match expected {
                Some(m) => Meaning::Move(m.parse().unwrap()),
                None if u32::from(*number) > numbered.total(*rules) => Meaning::Beyond(6),
                None => Meaning::Phantom,
            };
            assert_eq!(
                numbered.meaning(*number, *rules, &mut NO_TARGETS.clone()),
                expected,
                "{fen} {moves:?} {number}"
            );
        }
    }
}
