//! Consistency checks of a base.

use chess_core::{Move, Position};
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location};

use super::database::{Database, Decoded, State};
use super::derived::Derived;
use super::entities::{EntityType, Found, read_entity};
use super::header::RecordKind;
use super::layout::FRAMES_HEADER;
use crate::derived::Facts;
use crate::error::Error;
use crate::tree::ROOT;

/// The bits of magnitudes that ChessBase leaves 0 in its own bases.
const VARIATION_BITS: u16 = 3;

impl<R: ReadAt> Database<R> {
    /// Computes the header fields that follow from the game in `state`.
    pub(crate) fn derived(&self, state: &State, decoded: Decoded) -> Derived {
        let start = decoded.start.unwrap_or_else(Position::start);
        let tree = &state.tree;
        let line = std::iter::successors(tree.first(ROOT), |node| tree.first(*node));
        let line = line.map(|node| tree.get(node).unwrap_or(Move::NULL));
        let facts = Facts::new(decoded.start.as_ref(), decoded.chess960, tree);
        Derived::new(&facts, state.items.all(&state.notes), &start, line)
    }

    /// Returns the header fields that disagree with the game.
    // cbh2 §3.5 "Derived fields"
    pub(crate) fn verify(&self, state: &mut State, game: u64) -> Result<Vec<&'static str>, Error> {
        let raw = self.read_raw(state, game)?;
        if raw.record.kind != RecordKind::Game {
            return Ok(Vec::new());
        }
        let mut diagnostics = Diagnostics::lenient();
        let mut decoded = None;
        self.decode_tree(state, &raw, &mut decoded, &mut diagnostics)?;
        let read = self.read_annotations(state, &raw, &mut diagnostics)?;
        let Some(decoded) = decoded else { return Ok(Vec::new()) };
        let (derived, record) = (self.derived(state, decoded), raw.record);
        let mut magnitudes = derived.magnitudes;
        if record.magnitudes & VARIATION_BITS == 0 {
            magnitudes &= !VARIATION_BITS;
        }
        // Missing annotations cannot be compared with the header.
        let annotated = read.is_some();
        let fields = [
            ("medals", !annotated || derived.medals == record.medals),
            ("flags", !annotated || derived.flags == record.flags),
            ("magnitudes", !annotated || magnitudes == record.magnitudes),
            ("length", derived.length == record.length),
            ("material", derived.material == record.material),
            ("endgames", record.endgames & !derived.passed == 0),
        ];
        Ok(fields.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect())
    }

    /// Checks sizes, deleted entities and indexes. Returns one message for each problem.
    pub(crate) fn check_base(&self) -> Result<Vec<String>, Error> {
        let mut found = self.check_sizes()?;
        found.extend(self.check_deleted()?);
        found.extend(self.check_lists()?);
        found.extend(self.check_orders()?);
        Ok(found)
    }

    /// Checks the sizes in the headers of moves and annotations.
    // cbh2 §4.1 "Header and record"
    fn check_sizes(&self) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        for extension in ["2cbg", "2cba"] {
            let Some(file) = self.parts.get(extension) else { continue };
            let at = Location::file(extension);
            let size = file.size().map_err(Error::io(at))?;
            let mut start = [0; FRAMES_HEADER];
            file.read_full(0, &mut start).map_err(Error::io(at))?;
            let stored = super::header::long(&start, 0);
            if u64::try_from(stored) != Ok(size) {
                found.push(format!(
                    ".{extension}: its header gives {stored} bytes, but it has {size}"
                ));
            }
        }
        Ok(found)
    }

    /// Follows the lists of deleted entities.
    // cbh2 §6.3 "Deleted entities"
    fn check_deleted(&self) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        let (Some(file), Some(header)) = (&self.parts.entities, &self.entities) else {
            return Ok(found);
        };
        let mut bytes = Vec::new();
        for (kind, first) in EntityType::ALL.into_iter().zip(header.deleted) {
            let (mut next, mut left) = (first, header.count(kind));
            while next >= 0 {
                let Found::Deleted(after) = read_entity(file, header, kind, next, &mut bytes)?
                else {
                    found.push(format!(
                        ".2lid: the list of deleted entities leads to {next} of type {}, which is not deleted",
                        kind as u8
                    ));
                    break;
                };
                if left == 0 {
                    found.push(format!(
                        ".2lid: the list of deleted entities of type {} has a loop",
                        kind as u8
                    ));
                    break;
                }
                left = left.saturating_sub(1);
                next = after;
            }
        }
        Ok(found)
    }
}
