//! Consistency checks of a base.

use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location};

use crate::database::{Database, State};
use crate::entities::kind::EntityKind;
use crate::entities::tree::check_tree;
use crate::error::Error;
use crate::layout::MOVES_HEADER;
use crate::texts::parse_text_record;

impl<R: ReadAt> Database<R> {
    /// Checks the tree of the names of a kind: links, order and balance. Returns one message for
    /// each problem.
    #[must_use]
    pub fn check_names(&self, kind: EntityKind) -> Vec<String> {
        check_tree(self.names.of(kind))
    }

    /// Compares the reference counts and first games of names with the headers. Returns at most a
    /// few messages for each kind.
    ///
    /// # Errors
    /// I/O errors.
    // cbh §6.1 "File and tree"
    pub fn check_references(&self) -> Result<Vec<String>, Error> {
        const MOST: usize = 10;
        let mut counted = EntityKind::ALL.map(|kind| vec![(0u32, 0u32); self.names.of(kind).len()]);
        let mut state = State::default();
        for game in 0..self.records.games() {
            let raw = self.read_raw(&mut state, game)?;
            let record = raw.record;
            let [players, tournaments, annotators, sources, teams, tags] = &mut counted;
            for (kind, id) in [
                (players, [Some(record.white), Some(record.black)]),
                (tournaments, [Some(record.tournament), None]),
                (annotators, [Some(record.annotator), None]),
                (sources, [Some(record.source), None]),
                (teams, [raw.extended.white_team, raw.extended.black_team]),
                (tags, [raw.extended.tag, None]),
            ] {
                for id in id.into_iter().flatten() {
                    let Some((count, first)) = kind.get_mut(id as usize) else { continue };
                    *count = count.saturating_add(1);
                    if *first == 0 {
                        *first = raw.number;
                    }
                }
            }
        }
        self.count_texts(&mut counted)?;
        let mut found = Vec::new();
        for (kind, counted) in EntityKind::ALL.into_iter().zip(counted) {
            let wrong = (0u32..).zip(counted).filter(|(id, (count, first))| {
                let stored = self.names.of(kind).counts(*id);
                let live = self.names.of(kind).data(*id).is_some_and(|(_, deleted)| !deleted);
                live && stored != Some((*count, *first)) && *count > 0
            });
            for (id, (count, first)) in wrong.take(MOST) {
                let file = kind.file();
                found.push(format!(
                    "record {id} of .{file} should count {count} references, the first in game {first}"
                ));
            }
        }
        Ok(found)
    }

    /// Counts the references of guiding texts to names.
    fn count_texts(&self, counted: &mut [Vec<(u32, u32)>; 6]) -> Result<(), Error> {
        for number in &self.records.texts {
            let at = self.records.place(*number);
            let record = self.read_record_bytes(&self.parts.cbh, *number, at)?;
            let record = parse_text_record(&record);
            for (kind, id) in [
                (EntityKind::Tournament, record.tournament),
                (EntityKind::Annotator, record.annotator),
                (EntityKind::Source, record.source),
            ] {
                let of_kind = counted.get_mut(kind as usize);
                let Some((count, first)) = of_kind.and_then(|kind| kind.get_mut(id as usize))
                else {
                    continue;
                };
                *count = count.saturating_add(1);
                if *first == 0 || *first > *number {
                    *first = *number;
                }
            }
        }
        Ok(())
    }

    /// Checks the sizes in the headers of moves and annotations. Returns one message for each wrong
    /// size.
    ///
    /// # Errors
    /// I/O errors.
    // cbh §4.1 "Header and record"
    pub(crate) fn check_sizes(&self) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        for extension in ["cbg", "cba"] {
            let Some(file) = self.parts.get(extension) else { continue };
            let at = Location::file(extension);
            let size = file.size().map_err(Error::io(at))?;
            let mut start = [0; MOVES_HEADER as usize];
            let count = file.read_full(0, &mut start).map_err(Error::io(at))?;
            let stored = stored_size(start.get(..count).unwrap_or_default());
            if stored != Some(size) {
                let stored = stored.map_or("no size".into(), |stored| format!("{stored} bytes"));
                found.push(format!(".{extension}: its header gives {stored}, but it has {size}"));
            }
        }
        Ok(found)
    }

    /// Returns the header fields that disagree with the game.
    // cbh §3.4 "Derived fields"
    pub(crate) fn verify(&self, state: &mut State, game: u64) -> Result<Vec<&'static str>, Error> {
        let raw = self.read_raw(state, game)?;
        let mut diagnostics = Diagnostics::lenient();
        let mut decoded = None;
        self.decode_tree(state, &raw, &mut decoded, &mut diagnostics)?;
        self.read_annotations(state, &raw, &mut diagnostics)?;
        let Some(decoded) = decoded else { return Ok(Vec::new()) };
        let (derived, record) = (self.derived(state, decoded), raw.record);
        // Missing annotations cannot be compared with the header.
        if raw.annotations() != 0 && self.parts.cba.is_none() {
            let same = derived.length == record.length;
            return Ok(if same { Vec::new() } else { vec!["length"] });
        }
        let fields = [
            ("medals", derived.medals == record.medals),
            ("flags", derived.flags == record.flags),
            ("magnitudes", derived.magnitudes == record.magnitudes),
            ("length", derived.length == record.length),
        ];
        Ok(fields.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect())
    }
}

/// Returns the file size in the header of moves or annotations. The old header has 32 bits.
fn stored_size(start: &[u8]) -> Option<u64> {
    let used = u16::from_be_bytes(*start.first_chunk()?);
    if used >= MOVES_HEADER {
        return start.get(10..)?.first_chunk().map(|bytes| u64::from_be_bytes(*bytes));
    }
    let short = start.get(2..)?.first_chunk()?;
    Some(u64::from(u32::from_be_bytes(*short)))
}
