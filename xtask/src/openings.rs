//! Makes the table of the crate `openings` from its source.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use scoresheet::chess_core::{Eco, Position};
use scoresheet::filter::Line;
use testkit::workspace_root;

use crate::Failure;

const FOLDER: &str = "crates/openings";

/// Writes `table.bin` and `names.txt`, or with `check` compares them.
pub(crate) fn run(check: bool) -> Result<(), Failure> {
    let folder = workspace_root().join(FOLDER);
    let mut source = Source::default();
    for letter in ["a", "b", "c", "d", "e"] {
        let name = format!("{letter}.tsv");
        let text = fs::read_to_string(folder.join("data").join(&name))?;
        source.read(&text).map_err(|error| format!("{FOLDER}/data/{name}:{error}"))?;
    }
    let (table, names) = source.table()?;
    for (name, content) in [("table.bin", &*table), ("names.txt", names.as_bytes())] {
        let path = folder.join("src").join(name);
        match fs::read(&path).is_ok_and(|old| old == content) {
            true => println!("{name}: {} bytes", content.len()),
            false if check => {
                let message = format!("{FOLDER}/src/{name}: out of date; run cargo xtask generate");
                return Err(message.into());
            }
            false => fs::write(path, content)?,
        }
    }
    println!("{} positions", source.positions.len());
    Ok(())
}

/// Named positions by their fingerprints.
#[derive(Default)]
struct Source {
    positions: BTreeMap<u64, (Position, Eco, String)>,
}

impl Source {
    /// Reads a file of lines: ECO code, name and moves, with tabs between them.
    fn read(&mut self, text: &str) -> Result<(), String> {
        for (number, line) in (1..).zip(text.lines()).skip(1) {
            self.add(line).map_err(|error| format!("{number}: {error}"))?;
        }
        Ok(())
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let mut fields = line.split('\t');
        let (Some(eco), Some(name), Some(moves), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err("a line has a code, a name and moves".to_owned());
        };
        let eco: Eco = eco.parse().map_err(|error| format!("{eco}: {error}"))?;
        let line = Line::parse(moves).map_err(|error| error.to_string())?;
        let position = line.end().without_clocks();
        let fingerprint = openings::fingerprint(&position);
        match self.positions.insert(fingerprint, (position, eco, name.to_owned())) {
            None => Ok(()),
            Some((other, _, name)) if other == position => {
                Err(format!("{name} is this position, too"))
            }
            Some((_, _, name)) => Err(format!("{name} has the same fingerprint; change its keys")),
        }
    }

    /// Returns home pawns and number of pieces of the lean positions, those with the fewest home pawns
    /// first.
    fn lean(&self) -> Vec<(u64, u32)> {
        let of = |position: &Position| (position.home_pawns().0, position.occupied().count());
        let mut all: Vec<_> = self.positions.values().map(|(position, ..)| of(position)).collect();
        all.sort_unstable_by_key(|&(home, pieces)| (home.count_ones(), pieces, home));
        let mut lean: Vec<(u64, u32)> = Vec::new();
        for (home, pieces) in all {
            if !lean.iter().any(|(other, fewer)| other & !home == 0 && *fewer <= pieces) {
                lean.push((home, pieces));
            }
        }
        lean
    }

    /// Writes the table in the layout that `crates/openings/src/table.rs` describes, and the text of its
    /// names.
    fn table(&self) -> Result<(Vec<u8>, String), Failure> {
        let names: BTreeSet<&str> = self.positions.values().map(|(.., name)| &**name).collect();
        let lean = self.lean();
        let mut out = Vec::new();
        let mut push = |number: usize| -> Result<(), Failure> {
            out.extend(u16::try_from(number)?.to_le_bytes());
            Ok(())
        };
        push(self.positions.len())?;
        push(names.len())?;
        push(lean.len())?;
        for first in 0..=1u64 << 12 {
            let is_before = |fingerprint: &&u64| **fingerprint >> 52 < first;
            push(self.positions.keys().take_while(is_before).count())?;
        }
        for (home_pawns, pieces) in lean {
            out.extend(home_pawns.to_le_bytes());
            out.extend(u16::try_from(pieces)?.to_le_bytes());
        }
        out.extend(self.positions.keys().flat_map(|fingerprint| fingerprint.to_le_bytes()));
        out.extend(self.positions.values().flat_map(|(_, eco, _)| eco.code().to_le_bytes()));
        let numbers: BTreeMap<&str, u16> = names.iter().copied().zip(0..).collect();
        for (.., name) in self.positions.values() {
            out.extend(numbers.get(&**name).ok_or("no name")?.to_le_bytes());
        }
        let mut end = 0u32;
        for name in &names {
            end += u32::try_from(name.len())?;
            out.extend(end.to_le_bytes());
        }
        Ok((out, names.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_line_broken_or_repeated_is_error() {
        let read = |lines: &str| Source::default().read(&format!("eco\tname\tpgn\n{lines}"));
        assert_eq!(read("C20\tKing's Pawn Game\t1. e4 e5"), Ok(()));
        for (lines, message) in [
            ("C20\tKing's Pawn Game", "2: a line has"),
            ("X20\tKing's Pawn Game\t1. e4 e5", "2: X20: an ECO code"),
            ("C20\tKing's Pawn Game\t1. e4 e6 2. e6", "e6"),
            ("A04\tOne\t1. Nf3 d5 2. g3\nA07\tTwo\t1. g3 d5 2. Nf3", "3: One is this position"),
        ] {
            let error = read(lines).unwrap_err();
            assert!(error.contains(message), "{lines}: {error}");
        }
    }

    /// No position on the way to a named one may end the search for names.
    #[test]
    fn tracker_goes_on_to_end_of_each_line_of_source() {
        for letter in ["a", "b", "c", "d", "e"] {
            let path = workspace_root().join(FOLDER).join(format!("data/{letter}.tsv"));
            for line in fs::read_to_string(path).unwrap().lines().skip(1) {
                let fields: Vec<&str> = line.split('\t').collect();
                let mut reader = scoresheet::pgn::Reader::new(fields[2].as_bytes());
                let game = reader.games().next().unwrap().unwrap();
                let mut position = game.start_position();
                let mut tracker = openings::Tracker::default();
                for m in game.main_line() {
                    position.apply(m);
                    assert!(tracker.visit(&position), "{line}");
                }
                assert_eq!(tracker.opening().unwrap().name(), fields[1]);
            }
        }
    }

    #[test]
    fn table_of_crate_equals_its_source() {
        run(true).unwrap();
    }
}
