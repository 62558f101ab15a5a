//! nom parsers of fields of fixed size.
//!
//! A caller checks the size of the whole structure first and calls them one after another. So the compiler
//! knows that each field is there, and fields that nobody uses cost nothing.
//! Tuples of parsers, `map` and the numbers of nom are not inlined, and cost three times as much; the figures are in
//! docs/internals/hot-paths.md, "Structures and nom".

use nom::{Err, IResult};

/// Takes `N` bytes.
#[inline(always)]
pub(crate) fn array<const N: usize>(input: &[u8]) -> IResult<&[u8], [u8; N], ()> {
    let (field, rest) = input.split_first_chunk().ok_or(Err::Error(()))?;
    Ok((rest, *field))
}

/// Takes `count` bytes.
#[inline(always)]
pub(crate) fn bytes(count: usize, input: &[u8]) -> IResult<&[u8], &[u8], ()> {
    let (field, rest) = input.split_at_checked(count).ok_or(Err::Error(()))?;
    Ok((rest, field))
}

/// Takes a byte.
#[inline(always)]
pub(crate) fn byte(input: &[u8]) -> IResult<&[u8], u8, ()> {
    let (rest, [field]) = array(input)?;
    Ok((rest, field))
}

/// Takes two bytes, the most significant first.
#[inline(always)]
pub(crate) fn be_16(input: &[u8]) -> IResult<&[u8], u16, ()> {
    let (rest, field) = array(input)?;
    Ok((rest, u16::from_be_bytes(field)))
}

/// Takes three bytes, the most significant first.
#[inline(always)]
pub(crate) fn be_24(input: &[u8]) -> IResult<&[u8], u32, ()> {
    let (rest, [high, middle, low]) = array(input)?;
    Ok((rest, u32::from_be_bytes([0, high, middle, low])))
}

/// Takes four bytes, the most significant first.
#[inline(always)]
pub(crate) fn be_32(input: &[u8]) -> IResult<&[u8], u32, ()> {
    let (rest, field) = array(input)?;
    Ok((rest, u32::from_be_bytes(field)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_known_bytes_have_their_order() {
        let input = [1, 2, 3, 4, 5];
        assert_eq!(array(&input), Ok((&[4, 5][..], [1, 2, 3])));
        assert_eq!(be_16(&input), Ok((&[3, 4, 5][..], 0x0102)));
        assert_eq!(be_32(&input), Ok((&[5][..], 0x0102_0304)));
        assert_eq!(be_24(&input), Ok((&[4, 5][..], 0x01_0203)));
        assert_eq!(byte(&input), Ok((&[2, 3, 4, 5][..], 1)));
        assert_eq!(bytes(4, &input), Ok((&[5][..], &[1, 2, 3, 4][..])));
    }

    #[test]
    fn fields_of_too_few_bytes_are_errors() {
        assert!(array::<6>(&[0; 5]).is_err());
        assert!(be_16(&[0; 1]).is_err());
        assert!(be_32(&[0; 3]).is_err());
        assert!(be_24(&[0; 2]).is_err());
        assert!(byte(&[]).is_err());
        assert!(bytes(2, &[0; 1]).is_err());
    }
}
