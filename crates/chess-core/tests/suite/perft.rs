//! Published perft counts of the usual six positions and of Chess960 start positions.
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

/// The table of counts, which ports to other languages use too.
#[test]
fn perft_shallow_equals_published_counts() {
    let table = include_str!("../../../../docs/formats/tables/perft.tsv");
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let mut positions = 0;
    for line in lines {
        let (fen, counts) = line.split_once('\t').unwrap();
        let counts: Vec<u64> = counts.split(' ').map(|count| count.parse().unwrap()).collect();
        check(fen, &counts);
        positions += 1;
    }
    assert_eq!(positions, 16);
}

/// Deep counts. They take minutes in a debug build: `cargo test --release -- --ignored`.
#[test]
#[ignore = "slow"]
fn perft_deep_equals_published_counts() {
    let start = Position::start();
    assert_eq!(perft(&start, 5), 4_865_609);
    assert_eq!(perft(&start, 6), 119_060_324);
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(perft(&Position::from_fen(kiwipete).unwrap(), 4), 4_085_603);
    assert_eq!(perft(&Position::from_fen(kiwipete).unwrap(), 5), 193_690_690);
}
