//! The minimum and maximum of a column, which let readers skip parts of a file.

use parquet::data_type::ByteArray;
use parquet::file::statistics::{Statistics, ValueStatistics};

use crate::chunk::count;
use crate::column::Kind;

/// The longest text that is stored as a bound. The file's footer would hold a longer one in full.
const MAX_BOUND: usize = 64;

/// The bounds of values in plain encoding.
pub(crate) struct Bounds {
    kind: Kind,
    /// Whether bounds are needed.
    wanted: bool,
    texts: Option<(Vec<u8>, Vec<u8>)>,
    /// The bounds of numbers. Hashes are unsigned and have none here.
    numbers: Option<(i32, i32)>,
    hashes: Option<(u64, u64)>,
}

impl Bounds {
    pub(crate) fn new(kind: Kind, wanted: bool) -> Bounds {
        Bounds { kind, wanted, texts: None, numbers: None, hashes: None }
    }

    pub(crate) fn are_texts(&self) -> bool {
        self.kind == Kind::Text
    }

    #[inline]
    pub(crate) fn add(&mut self, value: &[u8]) {
        if !self.wanted {
            return;
        }
        match self.kind {
            Kind::Text => self.add_text(value),
            Kind::UInt64 => {
                let value = value.first_chunk().copied().map_or(0, u64::from_le_bytes);
                let (least, most) = self.hashes.unwrap_or((value, value));
                self.hashes = Some((least.min(value), most.max(value)));
            }
            _ => {
                let value = value.first_chunk().copied().map_or(0, i32::from_le_bytes);
                let (least, most) = self.numbers.unwrap_or((value, value));
                self.numbers = Some((least.min(value), most.max(value)));
            }
        }
    }

    fn add_text(&mut self, value: &[u8]) {
        match &mut self.texts {
            None => self.texts = Some((value.to_vec(), value.to_vec())),
            Some((least, _)) if value < least.as_slice() => {
                least.clear();
                least.extend_from_slice(value);
            }
            Some((_, most)) if value > most.as_slice() => {
                most.clear();
                most.extend_from_slice(value);
            }
            Some(_) => {}
        }
    }

    pub(crate) fn statistics(self, nulls: usize) -> Statistics {
        let nulls = Some(count(nulls));
        match self.kind {
            Kind::Text => {
                let bound =
                    |text: Vec<u8>| (text.len() <= MAX_BOUND).then(|| ByteArray::from(text));
                let (least, most) = self.texts.unzip();
                let (least, most) = (least.and_then(bound), most.and_then(bound));
                ValueStatistics::new(least, most, None, nulls, false).into()
            }
            Kind::UInt64 => {
                let (least, most) = self.hashes.unzip();
                let (least, most) = (least.map(u64::cast_signed), most.map(u64::cast_signed));
                ValueStatistics::new(least, most, None, nulls, false).into()
            }
            _ => {
                let (least, most) = self.numbers.unzip();
                ValueStatistics::new(least, most, None, nulls, false).into()
            }
        }
    }
}
