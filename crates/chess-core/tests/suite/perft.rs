//! Published perft counts: the usual six positions and a set of Chess960 starts.
#![allow(clippy::arithmetic_side_effects, reason = "a test may panic")]

use chess_core::Position;

fn perft(position: &Position, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for m in moves {
        assert!(position.is_legal(m), "{m} generated but not legal in {}", position.fen());
        let mut next = *position;
        next.apply(m);
        nodes += perft(&next, depth - 1);
    }
    nodes
}

fn check(fen: &str, counts: &[u64]) {
    let position = Position::from_fen(fen).unwrap();
    for (depth, expected) in (1..).zip(counts) {
        assert_eq!(perft(&position, depth), *expected, "perft({depth}) of {fen}");
    }
}

/// chessprogramming.org, "Perft Results", positions 1 to 6.
#[test]
fn the_usual_six() {
    check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8902, 197_281]);
    check(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2039, 97_862],
    );
    check("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43_238, 674_624]);
    check(
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9467, 422_333],
    );
    check("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1486, 62_379]);
    check(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2079, 89_890],
    );
}

/// chessprogramming.org, "Chess960 Perft Results", the first of them.
#[test]
fn chess960() {
    for (fen, counts) in [
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", [21, 528, 12189]),
        ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", [21, 807, 18002]),
        ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", [20, 479, 10471]),
        ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", [22, 593, 13440]),
        ("1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9", [28, 1120, 31058]),
        ("qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9", [29, 899, 26578]),
        ("q1bnrkr1/ppppp2p/2n2p2/4b1p1/2NP4/8/PPP1PPPP/QNB1RRKB w ge - 1 9", [30, 860, 24566]),
        ("qbn1brkr/ppp1p1p1/2n4p/3p1p2/P7/6PP/QPPPPP2/1BNNBRKR w HFhf - 0 9", [25, 635, 17054]),
        ("qnnbbrkr/1p2ppp1/2pp3p/p7/1P5P/2NP4/P1P1PPP1/Q1NBBRKR w HFhf - 0 9", [24, 572, 15243]),
        ("qn1rbbkr/ppp2p1p/1n1pp1p1/8/3P4/P6P/1PP1PPPK/QNNRBB1R w hd - 2 9", [28, 811, 23175]),
    ] {
        check(fen, &counts);
    }
}

/// The deep counts, minutes in a debug build: `cargo test --release -- --ignored`.
#[test]
#[ignore = "slow"]
fn deep() {
    let start = Position::start();
    assert_eq!(perft(&start, 5), 4_865_609);
    assert_eq!(perft(&start, 6), 119_060_324);
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(perft(&Position::from_fen(kiwipete).unwrap(), 4), 4_085_603);
    assert_eq!(perft(&Position::from_fen(kiwipete).unwrap(), 5), 193_690_690);
}
