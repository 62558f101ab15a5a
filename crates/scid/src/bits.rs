//! Returns the low bits of a number. Used for fields too narrow for the whole number.

pub(crate) const fn low_8(value: u32) -> u8 {
    let [low, ..] = value.to_le_bytes();
    low
}

pub(crate) const fn low_16(value: u32) -> u16 {
    let [low, high, ..] = value.to_le_bytes();
    u16::from_le_bytes([low, high])
}

pub(crate) const fn low_32(value: u64) -> u32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
