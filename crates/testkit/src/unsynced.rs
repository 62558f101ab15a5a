//! Bytes that are not all on the disk yet.

use crate::Random;

/// The unit that a disk writes whole or not at all.
const SECTOR: usize = 512;

/// The bytes of a file, as programs see them and as a power cut may leave them.
///
/// Writes before the last sync are on the disk. Each sector written later may be on the disk or
/// not, in any order, and the size may have grown without the bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unsynced {
    seen: Vec<u8>,
    safe: Vec<u8>,
    /// Changes since the last sync, in order.
    changes: Vec<Change>,
    /// The number of changes that a failed sync did not write. The system does not try them again.
    given_up: usize,
}

#[derive(Clone, Debug)]
enum Change {
    /// A write within one sector.
    Write {
        at: usize,
        bytes: Vec<u8>,
    },
    Size(usize),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Change::Size(size) => bytes.resize(*size, 0),
            Change::Write { at, bytes: new } => {
                let end = at + new.len();
                if bytes.len() < end {
                    bytes.resize(end, 0);
                }
                bytes[*at..end].copy_from_slice(new);
            }
        }
    }
}

/// The selection of unsynced changes that a power cut leaves.
#[derive(Clone, Debug)]
pub(crate) enum Left {
    Nothing,
    Everything,
    Some(Random),
}

impl Left {
    /// Returns the selection for a seed: nothing for 0, everything for 1, a different mixture for
    /// each other number.
    pub(crate) fn of(seed: u64) -> Left {
        match seed {
            0 => Left::Nothing,
            1 => Left::Everything,
            seed => Left::Some(Random::new(seed)),
        }
    }
}

impl Unsynced {
    /// Returns a file whose bytes are all on the disk.
    pub(crate) fn new(bytes: Vec<u8>) -> Unsynced {
        Unsynced { seen: bytes.clone(), safe: bytes, changes: Vec::new(), given_up: 0 }
    }

    pub(crate) fn seen(&self) -> &[u8] {
        &self.seen
    }

    pub(crate) fn is_synced(&self) -> bool {
        self.changes.is_empty()
    }

    pub(crate) fn write(&mut self, mut at: usize, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, rest) = bytes.split_at(bytes.len().min(SECTOR - at % SECTOR));
            self.change(Change::Write { at, bytes: now.to_vec() });
            (at, bytes) = (at + now.len(), rest);
        }
    }

    pub(crate) fn set_size(&mut self, size: usize) {
        self.change(Change::Size(size));
    }

    fn change(&mut self, change: Change) {
        change.apply(&mut self.seen);
        self.changes.push(change);
    }

    pub(crate) fn sync(&mut self) {
        for change in self.changes.drain(self.given_up..) {
            change.apply(&mut self.safe);
        }
    }

    /// Fails a sync. The next sync succeeds without writing the changes.
    pub(crate) fn fail_to_sync(&mut self) {
        self.given_up = self.changes.len();
    }

    /// Returns the content of the file after a power cut that leaves `left` of the unsynced
    /// changes.
    pub(crate) fn after_power_cut(&self, left: &mut Left) -> Vec<u8> {
        let random = match left {
            Left::Everything => return self.seen.clone(),
            Left::Nothing => return self.safe.clone(),
            Left::Some(_) if self.changes.is_empty() => return self.safe.clone(),
            Left::Some(random) => random,
        };
        let (mut bytes, all) = (self.safe.clone(), self.changes.len());
        let (style, turn) = (random.below(4), random.below(all));
        for (number, change) in self.changes.iter().enumerate() {
            let kept = match style {
                0 => number < turn,
                1 => number != turn,
                2 => number == turn,
                _ => random.below(2) == 0,
            };
            if kept {
                change.apply(&mut bytes);
            }
        }
        match random.below(4) {
            0 => bytes.truncate(self.safe.len()),
            1 if bytes.len() < self.seen.len() => bytes.resize(self.seen.len(), 0),
            _ => {}
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn power_cut_keeps_synced_data_and_may_keep_rest() {
        let mut file = Unsynced::new(vec![1; 1000]);
        file.write(500, &[2; 600]);
        file.sync();
        assert!(file.is_synced());
        file.write(0, &[3; 2000]);
        file.set_size(1800);
        let safe = [vec![1; 500], vec![2; 600]].concat();
        let left = |seed| file.after_power_cut(&mut Left::of(seed));
        assert_eq!(left(0), safe);
        assert_eq!(left(1), [3; 1800]);
        let mut all = HashSet::new();
        for seed in 0..1000 {
            let bytes = left(seed);
            for (number, sector) in bytes.chunks(SECTOR).enumerate() {
                let old = safe.chunks(SECTOR).nth(number).unwrap_or_default();
                let new = sector.iter().all(|byte| *byte == 3);
                let empty = sector.iter().zip(old).all(|(byte, old)| byte == old)
                    && sector.iter().skip(old.len()).all(|byte| *byte == 0);
                assert!(new || empty, "seed {seed}, sector {number}");
            }
            all.insert(bytes);
        }
        assert!(all.len() > 20, "{}", all.len());
    }

    #[test]
    fn sync_after_failed_sync_writes_nothing() {
        let mut file = Unsynced::new(vec![1; 10]);
        file.write(0, &[2; 10]);
        file.fail_to_sync();
        file.write(0, &[3; 5]);
        file.sync();
        assert_eq!(file.after_power_cut(&mut Left::Nothing), [3, 3, 3, 3, 3, 1, 1, 1, 1, 1]);
    }
}
