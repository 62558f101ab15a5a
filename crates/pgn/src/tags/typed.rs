//! The tags with a field in the header.

use chess_core::{Header, TYPED_TAGS};

/// A tag with a field in [`Header`], in the order of [`TYPED_TAGS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Typed {
    Event,
    Site,
    Date,
    Round,
    White,
    Black,
    Result,
    WhiteElo,
    BlackElo,
    Eco,
    EventDate,
    Deleted,
}

impl Typed {
    const ALL: [Typed; TYPED_TAGS.len()] = [
        Typed::Event,
        Typed::Site,
        Typed::Date,
        Typed::Round,
        Typed::White,
        Typed::Black,
        Typed::Result,
        Typed::WhiteElo,
        Typed::BlackElo,
        Typed::Eco,
        Typed::EventDate,
        Typed::Deleted,
    ];

    #[inline]
    pub(super) fn named(name: &[u8]) -> Option<Typed> {
        Some(match name {
            b"Event" => Typed::Event,
            b"Site" => Typed::Site,
            b"Date" => Typed::Date,
            b"Round" => Typed::Round,
            b"White" => Typed::White,
            b"Black" => Typed::Black,
            b"Result" => Typed::Result,
            b"WhiteElo" => Typed::WhiteElo,
            b"BlackElo" => Typed::BlackElo,
            b"ECO" => Typed::Eco,
            b"EventDate" => Typed::EventDate,
            b"Deleted" => Typed::Deleted,
            _ => return None,
        })
    }

    /// Returns its index in the order.
    pub(super) const fn place(self) -> usize {
        self as usize
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "there are as many names as tags")]
    pub(super) fn name(self) -> &'static str {
        TYPED_TAGS[self.place()]
    }

    /// Returns the tag that is written after it.
    #[inline]
    pub(super) fn next(self) -> Option<Typed> {
        Typed::ALL.get(self.place().saturating_add(1)).copied()
    }

    /// Sets the header field to `value`.
    pub(super) fn set(self, header: &mut Header, value: &str) {
        let field = match self {
            Typed::Event => &mut header.event,
            Typed::Site => &mut header.site,
            Typed::Round => &mut header.round,
            Typed::White => &mut header.white,
            Typed::Black => &mut header.black,
            _ => return header.set(self.name(), value),
        };
        field.clear();
        field.push_str(value);
    }
}

/// A set of typed tags.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TypedSet(u16);

impl TypedSet {
    pub(super) fn contains(self, tag: Typed) -> bool {
        self.0 & 1 << tag as u16 != 0
    }

    /// Inserts `tag`. Returns whether it is new.
    pub(super) fn insert(&mut self, tag: Typed) -> bool {
        let new = !self.contains(tag);
        self.0 |= 1 << tag as u16;
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_tag_names_match_the_header() {
        for (tag, name) in Typed::ALL.into_iter().zip(TYPED_TAGS) {
            assert_eq!((Typed::named(name.as_bytes()), tag.name()), (Some(tag), name));
        }
        assert_eq!((Typed::Event.next(), Typed::Deleted.next()), (Some(Typed::Site), None));
    }
}
