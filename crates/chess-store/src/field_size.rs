//! Lengths and counts that are written to fields of a fixed size.

/// An integer type of a field in a file.
pub trait FieldInteger: Sized {
    /// The largest number that the field holds.
    const LARGEST: Self;
}

macro_rules! field_integers {
    ($($integer:ty)+) => {
        $(impl FieldInteger for $integer {
            const LARGEST: $integer = <$integer>::MAX;
        })+
    };
}

field_integers!(u8 u16 u32 i32);

/// Converts a length or a count to the type of the field that it is written to. `because` says what
/// guarantees that it fits.
///
/// A number that does not fit is a mistake in the writer. Debug builds and tests stop there. A
/// release build writes the largest number of the field.
///
/// ```
/// let name = "Anderssen";
/// let length: u8 = chess_store::field_size(name.len(), "names are cut to 255 bytes");
/// assert_eq!(length, 9);
/// ```
#[must_use]
#[track_caller]
pub fn field_size<T: FieldInteger + TryFrom<N>, N>(number: N, because: &str) -> T {
    let size = T::try_from(number);
    debug_assert!(size.is_ok(), "a number does not fit its field, although {because}");
    size.unwrap_or(T::LARGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_size_largest_number_is_written() {
        assert_eq!(field_size::<u8, _>(255_usize, "it is tested"), 255);
        assert_eq!(field_size::<i32, _>(0x7fff_ffff_u64, "it is tested"), i32::MAX);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "does not fit its field, although names are cut")]
    fn field_size_number_too_large_panics_in_tests() {
        let _: u8 = field_size(256_usize, "names are cut");
    }

    #[test]
    #[cfg(not(debug_assertions))]
    fn field_size_number_too_large_is_largest() {
        assert_eq!(field_size::<u16, _>(70_000_usize, "it is tested"), u16::MAX);
    }
}
