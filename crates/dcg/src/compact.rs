//! Copies the games that are not deleted to another base, or to a base that replaces this one.

use chess_core::Header;
use chess_store::io::{ReadAt, WriteAt};
use chess_store::{Diagnostics, Location, Losses, Warning};

use crate::database::{Database, State};
use crate::edit::Editor;
use crate::error::{Error, ErrorKind};
use crate::header::EntryNames;
use crate::index::IndexEntry;
use crate::layout::{MAGIC_SIZE, NAME_SIZE, NO_NAME};
use crate::name_table::Name;
use crate::names::{NameFile, NameFiles};
use crate::options::{CreateOptions, OpenOptions};
use crate::promotion::{Promotions, SURVEYED, Survey, renumber};
use crate::writer::{Encoded, Writer};

impl<F: WriteAt> Editor<F> {
    /// Writes all games that are not deleted to another base, byte for byte. Promotions are
    /// renumbered if the remaining games no longer show the numbering.
    ///
    /// # Errors
    /// I/O errors; damage of the base, or of a game that is not deleted;
    /// [`LostPromotions`](crate::ErrorKind::LostPromotions) if no numbering keeps all promotions.
    pub fn copy_live<G: WriteAt>(&self, writer: &mut Writer<G>) -> Result<(), Error> {
        let base = Database::from_parts(self.files.each_ref(), &OpenOptions::default())?;
        refuse_damage(&base.warnings)?;
        let numbering = kept_numbering(&base, self.promotions)?;
        writer.set_promotions(numbering);
        let (mut state, mut encoded) = (State::default(), Encoded::default());
        let mut body = Vec::new();
        let (mut header, mut diagnostics) = (Header::default(), Diagnostics::lenient());
        for game in 0..base.entries.count {
            let entry = base.entry(game)?;
            if entry.is_deleted() {
                continue;
            }
            // A name that is not there would become an empty one, and the damage would be gone.
            base.read_header(&entry, game, &mut header, &mut diagnostics)?;
            refuse_damage(diagnostics.warnings())?;
            diagnostics.clear();
            if game == base.default_game() {
                writer.set_default_game(writer.len());
            }
            let (entry, record) = base.entry_and_record(&mut state, game)?;
            record.complete()?;
            body.clear();
            body.extend_from_slice(record.body);
            if numbering != self.promotions {
                renumber(&mut body, self.promotions, numbering);
            }
            encoded.set(entry, entry_names(&entry, &base.names)?, &body)?;
            writer.append(&mut encoded, &mut Losses::new())?;
        }
        Ok(())
    }

    /// Copies the games that are not deleted to a new base, which then replaces this one.
    pub(crate) fn compact_on_disk(self) -> Result<(), Error> {
        let pathless = || std::io::Error::other("the base was not opened by a path");
        let place = self.place.as_ref().ok_or_else(pathless);
        let place = place.map_err(Error::io(Location::file("dci")))?;
        let mut writer = Writer::stage(place, &CreateOptions::default())?;
        self.copy_live(&mut writer)?;
        // Close the files before other files take their names.
        drop(self);
        writer.finish()
    }
}

/// Returns the first damage as an error.
fn refuse_damage(warnings: &[Warning]) -> Result<(), Error> {
    match warnings.iter().find(|warning| warning.is_damage()) {
        Some(warning) => Err(ErrorKind::Unsound(warning.message).at(warning.at)),
        None => Ok(()),
    }
}

/// The numbering under which a base of the remaining games keeps its promotions. It stays the same
/// if the remaining games still show it.
fn kept_numbering<R: ReadAt>(
    base: &Database<R>,
    promotions: Promotions,
) -> Result<Promotions, Error> {
    let others = [Promotions::Program, Promotions::Described];
    for candidate in std::iter::once(promotions).chain(others) {
        if surveyed(base, promotions, candidate)?.showing(candidate).is_some() {
            return Ok(candidate);
        }
    }
    Err(ErrorKind::LostPromotions.at(Location::file("dcg")))
}

/// The evidence of the remaining games after their promotions are renumbered.
fn surveyed<R: ReadAt>(
    base: &Database<R>,
    from: Promotions,
    to: Promotions,
) -> Result<Survey, Error> {
    let (mut survey, mut state) = (Survey::default(), State::default());
    let (mut kept, mut body) = (0u64, Vec::new());
    for game in 0..base.entries.count {
        if kept >= SURVEYED {
            break;
        }
        if base.entry(game)?.is_deleted() {
            continue;
        }
        let (_, record) = base.entry_and_record(&mut state, game)?;
        body.clear();
        body.extend_from_slice(record.body);
        if from != to {
            renumber(&mut body, from, to);
        }
        survey.examine(kept, &body);
        kept = kept.saturating_add(1);
    }
    Ok(survey)
}

/// The names that an entry refers to.
fn entry_names<R: ReadAt>(entry: &IndexEntry, names: &NameFiles<R>) -> Result<EntryNames, Error> {
    let NameFiles { players, sites, events } = names;
    Ok(EntryNames {
        white: name(players, entry.white)?,
        black: name(players, entry.black)?,
        site: name(sites, entry.site)?,
        event: events.as_ref().map_or(Ok(None), |events| name(events, entry.event))?,
    })
}

/// The name at a reference, if there is one.
fn name<R: ReadAt>(file: &NameFile<R>, reference: u32) -> Result<Option<Name>, Error> {
    if reference == NO_NAME || u64::from(reference) < MAGIC_SIZE {
        return Ok(None);
    }
    let mut buffer = [0; NAME_SIZE];
    let bytes = file.record(reference, &mut buffer);
    let bytes = bytes.map_err(Error::io(Location::file(file.kind().file())))?;
    // The file may end within the name.
    let mut record = [b' '; NAME_SIZE];
    record.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    Ok((!bytes.is_empty()).then(|| Name::new(record)))
}
