//! Sorts more numbers than memory holds: sorted runs go to a temporary file and are merged.
//!
//! A run is written as differences of consecutive numbers: the number of bytes, then the bytes from
//! the lowest on. Many differences within a position are small.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;

use chess_store::io::{Appender, ReadAt, TemporaryFile};

/// The bytes read from a run at once.
const CHUNK: usize = 64 * 1024;

/// Collects numbers.
#[derive(Debug)]
pub(super) struct Sorter {
    numbers: Vec<u128>,
    /// The number of numbers that are sorted in memory.
    capacity: usize,
    file: Option<Appender<TemporaryFile>>,
    /// The end of each run in the file, and the number of its numbers.
    runs: Vec<(u64, u64)>,
}

impl Sorter {
    /// Creates a sorter that takes this number of bytes of memory.
    pub(super) fn new(memory: usize) -> Sorter {
        let capacity = memory.div_euclid(size_of::<u128>()).max(1024);
        Sorter { numbers: Vec::new(), capacity, file: None, runs: Vec::new() }
    }

    /// Adds a number.
    #[inline]
    pub(super) fn push(&mut self, number: u128) -> io::Result<()> {
        if self.numbers.len() >= self.capacity {
            self.spill()?;
        }
        self.numbers.push(number);
        Ok(())
    }

    /// Sorts the numbers in memory and writes them as a run.
    #[cold]
    fn spill(&mut self) -> io::Result<()> {
        self.numbers.sort_unstable();
        if self.file.is_none() {
            self.file = Some(Appender::new(TemporaryFile::new()?));
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut last = 0;
        let mut bytes = Vec::with_capacity(CHUNK);
        for number in &self.numbers {
            write_number(number.wrapping_sub(last), &mut bytes);
            last = *number;
            if bytes.len() >= CHUNK {
                file.push(&bytes)?;
                bytes.clear();
            }
        }
        file.push(&bytes)?;
        self.runs.push((file.size(), self.numbers.len() as u64));
        self.numbers.clear();
        Ok(())
    }

    /// Returns the numbers in ascending order.
    pub(super) fn finish(mut self) -> io::Result<Sorted> {
        if self.runs.is_empty() {
            self.numbers.sort_unstable();
            return Ok(Sorted::Memory(self.numbers.into_iter()));
        }
        self.spill()?;
        self.numbers = Vec::new();
        let Some(file) = self.file.take() else {
            return Ok(Sorted::Memory(Vec::new().into_iter()));
        };
        let file = file.finish()?;
        let mut start = 0;
        let mut runs = Vec::with_capacity(self.runs.len());
        let mut heads = BinaryHeap::with_capacity(self.runs.len());
        for (number, (end, count)) in self.runs.iter().enumerate() {
            let mut run =
                Run { next: start, end: *end, left: *count, last: 0, buffer: Vec::new(), used: 0 };
            if let Some(head) = run.next(&file)? {
                heads.push(Reverse((head, number)));
            }
            runs.push(run);
            start = *end;
        }
        Ok(Sorted::Runs { file, runs, heads })
    }
}

/// The numbers in ascending order.
#[derive(Debug)]
pub(super) enum Sorted {
    Memory(std::vec::IntoIter<u128>),
    Runs { file: TemporaryFile, runs: Vec<Run>, heads: BinaryHeap<Reverse<(u128, usize)>> },
}

impl Sorted {
    /// Returns the next number.
    #[inline]
    pub(super) fn next(&mut self) -> io::Result<Option<u128>> {
        match self {
            Sorted::Memory(numbers) => Ok(numbers.next()),
            Sorted::Runs { file, runs, heads } => {
                let Some(mut head) = heads.peek_mut() else { return Ok(None) };
                let Reverse((number, run)) = *head;
                let next = match runs.get_mut(run) {
                    Some(run) => run.next(file)?,
                    None => None,
                };
                match next {
                    Some(next) => *head = Reverse((next, run)),
                    None => drop(std::collections::binary_heap::PeekMut::pop(head)),
                }
                Ok(Some(number))
            }
        }
    }
}

/// A run that is read.
#[derive(Debug)]
pub(super) struct Run {
    /// The place in the file of the next difference, and the end of the run.
    next: u64,
    end: u64,
    left: u64,
    last: u128,
    buffer: Vec<u8>,
    used: usize,
}

impl Run {
    fn next(&mut self, file: &TemporaryFile) -> io::Result<Option<u128>> {
        if self.left == 0 {
            return Ok(None);
        }
        if self.buffer.len().saturating_sub(self.used) < LONGEST {
            let there = self.end.saturating_sub(self.next);
            let length = usize::try_from(there).unwrap_or(usize::MAX).min(CHUNK);
            if self.used > 0 || self.buffer.is_empty() {
                file.read_into(self.next, length, &mut self.buffer)?;
                self.used = 0;
            }
        }
        let rest = self.buffer.get(self.used..).unwrap_or_default();
        let Some((difference, size)) = read_number(rest) else {
            return Err(io::ErrorKind::UnexpectedEof.into());
        };
        self.used = self.used.saturating_add(size);
        self.next = self.next.saturating_add(size as u64);
        self.left = self.left.saturating_sub(1);
        self.last = self.last.wrapping_add(difference);
        Ok(Some(self.last))
    }
}

/// The size of the longest difference.
const LONGEST: usize = 17;

fn write_number(number: u128, out: &mut Vec<u8>) {
    let length = 16usize.saturating_sub(number.leading_zeros() as usize / 8);
    out.push(u8::try_from(length).unwrap_or(16));
    out.extend_from_slice(number.to_le_bytes().get(..length).unwrap_or_default());
}

/// Returns the number at the start of `bytes` and its size.
fn read_number(bytes: &[u8]) -> Option<(u128, usize)> {
    let (length, rest) = bytes.split_first()?;
    let length = usize::from(*length);
    let mut number = [0; 16];
    number.get_mut(..length)?.copy_from_slice(rest.get(..length)?);
    Some((u128::from_le_bytes(number), length.saturating_add(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorter_with_runs_returns_order_of_memory() {
        let mut state = 1u128;
        let numbers: Vec<u128> = (0..10_000)
            .map(|n| {
                state =
                    state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(7);
                if n % 3 == 0 { state >> 100 } else { state }
            })
            .chain([0, u128::MAX])
            .collect();
        let sorted = |memory| {
            let mut sorter = Sorter::new(memory);
            numbers.iter().for_each(|number| sorter.push(*number).unwrap());
            let mut sorted = sorter.finish().unwrap();
            let runs = matches!(sorted, Sorted::Runs { .. });
            let numbers: Vec<u128> = std::iter::from_fn(|| sorted.next().unwrap()).collect();
            (runs, numbers)
        };
        let mut expected = numbers.clone();
        expected.sort_unstable();
        assert_eq!(sorted(1 << 20), (false, expected.clone()));
        assert_eq!(sorted(0), (true, expected));
    }
}
