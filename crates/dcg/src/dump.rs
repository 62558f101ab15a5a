//! Describes every byte of a game.

use chess_core::Nag;
use chess_store::io::ReadAt;
use chess_store::{Field, FieldWriter, Location};

use crate::database::{Database, RawRecord, State};
use crate::error::{Error, ErrorKind};
use crate::index::IndexEntry;
use crate::layout::{Layout, MAGIC_SIZE, NAME_SIZE, NO_NAME};
use crate::moves::{Record, Step};
use crate::names::{NameFile, parse_name};

impl<R: ReadAt> Database<R> {
    /// Describes every byte of a game: its index entry, its names, its record. Fields before damage
    /// are reported.
    pub(crate) fn dump(
        &self,
        state: &mut State,
        game: u64,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        let entry = self.entry(game)?;
        self.dump_entry(&entry, game, each);
        let (players, events) = (&self.names.players, self.names.events.as_ref());
        self.dump_name(Some(players), entry.white, "White", each)?;
        self.dump_name(Some(players), entry.black, "Black", each)?;
        self.dump_name(Some(&self.names.sites), entry.site, "Site", each)?;
        self.dump_name(events, entry.event, "Event", each)?;
        let (_, record) = self.entry_and_record(state, game)?;
        let mut out = FieldWriter::new("dcg", entry.offset, each);
        out.field(record.length_bytes, "GameLength", format!("{} bytes", record.length.value));
        self.dump_record(&record, &mut out)?;
        record.complete()
    }

    // dcg §4 "Index entry"
    fn dump_entry(&self, entry: &IndexEntry, game: u64, each: &mut dyn FnMut(Field)) {
        let mut out = FieldWriter::new("dci", self.entries.layout.entry_offset(game), each);
        let status = match (entry.status, entry.is_deleted()) {
            (_, true) => "deleted",
            (0, _) => "live",
            _ => "live (unknown)",
        };
        out.field(&[entry.status], "Status", status);
        out.field(&entry.offset.to_be_bytes(), "Offset", entry.offset.to_string());
        out.field(&entry.white.to_be_bytes(), "WhiteRef", entry.white.to_string());
        out.field(&entry.black.to_be_bytes(), "BlackRef", entry.black.to_string());
        out.field(&entry.round.to_be_bytes(), "Round", entry.round.to_string());
        out.field(&entry.site.to_be_bytes(), "SiteRef", entry.site.to_string());
        if self.entries.layout == Layout::Current {
            out.field(&entry.event.to_be_bytes(), "EventRef", entry.event.to_string());
        }
        out.field(&entry.white_elo.to_be_bytes(), "EloWhite", entry.white_elo.to_string());
        out.field(&entry.black_elo.to_be_bytes(), "EloBlack", entry.black_elo.to_string());
        let result = match entry.result {
            0 => "*",
            1 => "1-0",
            2 => "0-1",
            3 => "1/2-1/2",
            _ => "unknown code",
        };
        out.field(&[entry.result], "Result", result);
        out.field(&entry.eco, "ECO", quoted(&entry.eco));
        out.field(&entry.year.to_be_bytes(), "Year", entry.year.to_string());
        out.field(&[entry.month], "Month", entry.month.to_string());
        out.field(&[entry.day], "Day", entry.day.to_string());
    }

    // dcg §5 "Names"
    fn dump_name(
        &self,
        file: Option<&NameFile<R>>,
        reference: u32,
        name: &'static str,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        let Some(file) = file.filter(|_| reference != NO_NAME) else { return Ok(()) };
        let (extension, offset) = (file.kind().file(), u64::from(reference));
        let at = Location::file(extension).at(offset);
        let mut buffer = [0; NAME_SIZE];
        let bytes = file.record(reference, &mut buffer).map_err(Error::io(at))?;
        let text = parse_name(bytes, self.text, |_| Ok(()))?;
        let value = match bytes {
            [] => "beyond the end of the file".to_string(),
            _ if offset < MAGIC_SIZE => "inside the magic".to_string(),
            _ => format!("{text:?}"),
        };
        FieldWriter::new(extension, offset, each).field(bytes, name, value);
        Ok(())
    }

    // dcg §6 "Game record"
    fn dump_record(&self, raw: &RawRecord<'_>, out: &mut FieldWriter<'_>) -> Result<(), Error> {
        let (body, first) = (raw.body, out.offset());
        let failed = |kind: ErrorKind, offset: usize| {
            kind.at(raw.body_at.at(first.saturating_add(offset as u64)))
        };
        let record = Record::parse(body).map_err(|error| failed(error.into(), 0))?;
        let mut steps = record.steps();
        out.field(body.get(..1).unwrap_or_default(), "FenMarker", "");
        if let Some(fen) = record.fen() {
            let before = steps.offset().saturating_sub(fen.len());
            out.field(body.get(1..before).unwrap_or_default(), "FenLen", fen.len().to_string());
            out.field(fen, "Fen", quoted(fen));
        }
        loop {
            let offset = steps.offset();
            let Some(step) = steps.next() else { return Ok(()) };
            let step = step.map_err(|error| failed(error.into(), offset))?;
            let bytes = body.get(offset..steps.offset()).unwrap_or_default();
            self.dump_step(step, bytes, out);
        }
    }

    // dcg §6.4 "Tags"
    fn dump_step(&self, step: Step<'_>, bytes: &[u8], out: &mut FieldWriter<'_>) {
        match step {
            Step::Move(m) => {
                let role = self.numbering.promotions.role_or_foreign(m.promotion());
                let promotion = match (m.promotion(), role) {
                    (0, _) => String::new(),
                    (_, Some((role, _))) => format!("={}", role.letter()),
                    (code, None) => format!("=code {code}"),
                };
                out.field(bytes, "Move", format!("{}{}{promotion}", m.from(), m.to()));
            }
            Step::NullMove => out.field(bytes, "NullMove", ""),
            Step::VariationStart => out.field(bytes, "BeginOfVariation", ""),
            Step::VariationEnd => out.field(bytes, "EndOfVariation", ""),
            Step::Comment(text) => {
                counted(out, bytes, text, ["StartOfComment", "CommentLength", "Comment"], quoted);
            }
            Step::Nags(nags) => {
                let names = ["AnnotationsFollow", "AnnotationLength", "Annotations"];
                counted(out, bytes, nags, names, |nags| {
                    let nags: Vec<_> =
                        nags.iter().map(|nag| Nag(u16::from(*nag)).to_string()).collect();
                    nags.join(" ")
                });
            }
        }
    }
}

fn quoted(bytes: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(bytes))
}

/// Describes a tag, a length and the bytes that it counts.
fn counted(
    out: &mut FieldWriter<'_>,
    bytes: &[u8],
    counted: &[u8],
    [tag, length, name]: [&'static str; 3],
    value: impl Fn(&[u8]) -> String,
) {
    let before = bytes.len().saturating_sub(counted.len());
    out.field(bytes.get(..1).unwrap_or_default(), tag, "");
    let digits = bytes.get(1..before).unwrap_or_default();
    out.field(digits, length, counted.len().to_string());
    out.field(counted, name, value(counted));
}
