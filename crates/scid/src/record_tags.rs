//! Reads the tags of a record into a header. (scid §6.2 "Tags of the record")

use chess_core::{Date, Header};
use chess_store::{Diagnostics, TextDecoder};

use crate::error::Error;
use crate::quirk::Quirk;
use crate::record::Record;
use crate::tags::RecordTag;

/// Adds the tags of `record` to `header`, which the index has already filled. Returns the bytes
/// after the tags.
///
/// # Errors
/// The record ends within the tags. `header` then has the tags before.
pub(crate) fn read_tags<'a>(
    record: Record<'a>,
    text: &TextDecoder,
    header: &mut Header,
    diagnostics: &mut Diagnostics,
) -> Result<&'a [u8], Error> {
    let mut reader = TagReader { record, text, header, diagnostics };
    let mut rest = record.bytes;
    loop {
        let (next, tag) = record.tag(rest)?;
        match tag {
            None => return Ok(next),
            Some(tag) => reader.add(&tag, rest)?,
        }
        rest = next;
    }
}

struct TagReader<'a, 'h> {
    record: Record<'a>,
    text: &'h TextDecoder,
    header: &'h mut Header,
    diagnostics: &'h mut Diagnostics,
}

impl TagReader<'_, '_> {
    #[cold]
    fn note(&mut self, quirk: Quirk, rest: &[u8]) -> Result<(), Error> {
        Ok(self.diagnostics.note(quirk, self.record.place(rest))?)
    }

    /// Adds a tag that begins where `rest` does.
    fn add(&mut self, tag: &RecordTag<'_>, rest: &[u8]) -> Result<(), Error> {
        match *tag {
            RecordTag::Text { name, value } => self.add_text(name, value, rest),
            RecordTag::Unassigned { code, value } => {
                self.note(Quirk::TagCode, rest)?;
                self.header.tags.push(&format!("ScidTag{code}"), &self.text.decode(value));
                Ok(())
            }
            RecordTag::EventDate(date) => {
                self.note(Quirk::BinaryEventDate, rest)?;
                let date = || crate::roster::date(date & 0xf_ffff).filter(|d| *d != Date::UNKNOWN);
                self.header.event_date = self.header.event_date.or_else(date);
                Ok(())
            }
        }
    }

    fn add_text(&mut self, name: &[u8], value: &[u8], rest: &[u8]) -> Result<(), Error> {
        if self.text.is_mixed(value) {
            self.note(Quirk::MixedText, rest)?;
        }
        let (name, value) = (self.text.decode(name), self.text.decode(value));
        let header = &mut *self.header;
        let index = match &*name {
            "Event" | "Site" | "Date" | "Round" | "White" | "Black" | "Result" | "Deleted"
            | "FEN" => return self.note(Quirk::TagOfIndex, rest),
            "WhiteElo" => header.white_elo.map(|elo| elo.to_string()),
            "BlackElo" => header.black_elo.map(|elo| elo.to_string()),
            "ECO" => header.eco.map(|eco| eco.to_string()),
            "EventDate" => header.event_date.map(|date| date.to_string()),
            _ => {
                header.tags.push(&name, &value);
                return Ok(());
            }
        };
        // Keep the tag even if the index field has the same value, so that the writer knows that
        // the record had it. (scid §6.2 "Tags of the record")
        match index {
            Some(index) if index == value => header.tags.push(&name, &value),
            Some(_) => return self.note(Quirk::TagOfIndex, rest),
            None => {
                header.set(&name, &value);
                if header.tags.get(&name).is_none() {
                    header.tags.push(&name, &value);
                }
            }
        }
        Ok(())
    }
}
