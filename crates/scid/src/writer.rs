//! Creating a base.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use chess_core::files::Staged;
use chess_core::seam::{CreateOptions, Loss, LossKind};
use chess_core::{Encoding, Game, Location};

use crate::database::family_of;
use crate::encode::{Encoder, cut_text};
use crate::error::{Error, ErrorKind, io};
use crate::header::{Info, encode_header};
use crate::index::{Entry, NameIds};
use crate::layout::{Extensions, Version};
use crate::names::NameKind;
use crate::plan::Plan;
use crate::table::NameTable;

/// Writes a new base of version 4 or 5, game after game. Only the names are in memory.
#[derive(Debug)]
pub struct Writer<W: Write + Seek = BufWriter<File>> {
    files: Extensions,
    index: W,
    games: W,
    names: W,
    /// Where the games file ends.
    end: u64,
    count: u32,
    maker: Maker,
    staged: Option<Staged>,
}

/// Makes record and entry of a game, for writer and editor alike.
#[derive(Debug)]
pub(crate) struct Maker {
    pub(crate) version: Version,
    pub(crate) encoding: Encoding,
    pub(crate) encoder: Encoder,
    pub(crate) table: NameTable,
}

impl Writer<BufWriter<File>> {
    /// Starts a base; the path's extension says which version. Nothing appears under that name
    /// before [`finish`](Writer::finish).
    ///
    /// # Errors
    /// For an extension that is not `.si4` or `.si5`; those of creating files.
    pub fn create(path: &Path, options: &CreateOptions) -> Result<Self, Error> {
        let files = family_of(path)?;
        let mut staged = Staged::new();
        let mut create = |extension| {
            let file = staged.create(&path.with_extension(extension));
            let file = file.map_err(io(Location::file(extension)))?;
            Ok(BufWriter::with_capacity(1 << 16, file))
        };
        // In the order they are to appear: the index last.
        let games = create(files.games)?;
        let names = create(files.names)?;
        let index = create(files.index)?;
        let mut writer = Writer::from_parts(files, index, games, names, options)?;
        writer.staged = Some(staged);
        Ok(writer)
    }

    /// Completes the base, and gives it its name.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn finish(mut self) -> Result<(), Error> {
        let staged = self.staged.take();
        let at = Location::file(self.files.index);
        let (index, games, names) = self.into_parts()?;
        for file in [index, games, names] {
            file.into_inner().map_err(|error| io(at)(error.into_error()))?;
        }
        staged.map_or(Ok(()), Staged::commit).map_err(io(at))
    }
}

impl<W: Write + Seek> Writer<W> {
    /// Starts a base over files, or anything else, that are open already and empty.
    ///
    /// # Errors
    /// For version 3; those of writing.
    pub fn from_parts(
        files: Extensions,
        mut index: W,
        games: W,
        names: W,
        options: &CreateOptions,
    ) -> Result<Writer<W>, Error> {
        let version = match files {
            Extensions::SI4 => Version::Si4,
            Extensions::SI5 => Version::Si5,
            _ => return Err(Error::new(ErrorKind::ReadOnly, Location::file(files.index))),
        };
        if version == Version::Si4 {
            let header = encode_header(&new_info(0));
            index.write_all(&header).map_err(io(Location::file(files.index)))?;
        }
        let encoding = options.encoding.unwrap_or(Encoding::UTF_8);
        let maker = Maker::new(version, encoding, NameTable::new(version));
        Ok(Writer { files, index, games, names, end: 0, count: 0, maker, staged: None })
    }

    /// The files it writes.
    #[must_use]
    pub fn extensions(&self) -> Extensions {
        self.files
    }

    /// How many games have been written.
    #[must_use]
    pub fn len(&self) -> u64 {
        u64::from(self.count)
    }

    /// Whether no game has been written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Writes a game, and adds to `losses` what of it the format cannot hold.
    ///
    /// # Errors
    /// If the game cannot be stored; the base goes on without it. Those of the disk.
    pub fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), Error> {
        let at = Location::file(self.files.games).in_game(u64::from(self.count));
        if self.count >= self.maker.version.max_games() {
            return Err(Error::new(ErrorKind::TooManyGames(u64::from(self.count)), at));
        }
        let (mut entry, names) = self.maker.encode(game, at, losses)?;
        let record = self.maker.encoder.record();
        let gap = gap_before(self.end, record.len(), self.maker.version);
        let offset = self.end.saturating_add(gap);
        check_offset(offset, record.len(), self.maker.version)
            .map_err(|kind| Error::new(kind, at))?;
        // The gap holds the beginning of the record that did not fit, as Scid 4.7 leaves it.
        let filler = record.get(..usize::try_from(gap).unwrap_or(0)).unwrap_or_default();
        self.games.write_all(filler).map_err(io(at))?;
        self.games.write_all(record).map_err(io(at))?;
        entry.offset = offset;
        self.end = offset.saturating_add(record.len() as u64);
        entry.names = self.maker.intern(names);
        let at = Location::file(self.files.index);
        match self.maker.version {
            Version::Si5 => self.index.write_all(&entry.encode_5()),
            Version::Si3 | Version::Si4 => self.index.write_all(&entry.encode_4()),
        }
        .map_err(io(at))?;
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    /// Completes the base: names, and the header of the index. Hands back index, games and names.
    ///
    /// # Errors
    /// Those of writing.
    pub fn into_parts(mut self) -> Result<(W, W, W), Error> {
        let table = &self.maker.table;
        let written = match self.maker.version {
            Version::Si5 => self.names.write_all(table.new_records()),
            Version::Si3 | Version::Si4 => self.names.write_all(&table.encode_4()),
        };
        written.map_err(io(Location::file(self.files.names)))?;
        let at = Location::file(self.files.index);
        if self.maker.version == Version::Si4 {
            let header = encode_header(&new_info(self.count));
            self.index.seek(SeekFrom::Start(0)).map_err(io(at))?;
            self.index.write_all(&header).map_err(io(at))?;
        }
        for file in [&mut self.index, &mut self.games, &mut self.names] {
            file.flush().map_err(io(at))?;
        }
        Ok((self.index, self.games, self.names))
    }
}

/// The header of a new base.
fn new_info(games: u32) -> Info {
    Info { version: 400, games, autoload: 1, ..Info::default() }
}

/// How many bytes to leave free so that a record does not cross a block boundary.
/// (scid §4.1 "Blocks")
pub(crate) fn gap_before(end: u64, length: usize, version: Version) -> u64 {
    let left = version.block_size().saturating_sub(end & version.block_size().saturating_sub(1));
    if length as u64 > left { left } else { 0 }
}

/// Whether offset and end of a record can be told.
pub(crate) fn check_offset(offset: u64, length: usize, version: Version) -> Result<(), ErrorKind> {
    let limit = match version {
        Version::Si5 => 1u64 << 47,
        Version::Si3 | Version::Si4 => 1 << 32,
    };
    if offset.saturating_add(length as u64) > limit {
        return Err(ErrorKind::TooManyBytes(limit));
    }
    Ok(())
}

/// A game's names in the order their ids are given: event, site, round, White, Black.
pub(crate) type GameNames = [GameName; 5];

/// A name as the table has it, or the bytes of one it does not have.
pub(crate) enum GameName {
    Known(u32),
    New(Vec<u8>),
}

const NAME_ORDER: [NameKind; 5] =
    [NameKind::Event, NameKind::Site, NameKind::Round, NameKind::Player, NameKind::Player];

impl Maker {
    pub(crate) fn new(version: Version, encoding: Encoding, table: NameTable) -> Maker {
        let encoder = Encoder::new(encoding, version == Version::Si5);
        Maker { version, encoding, encoder, table }
    }

    /// Encodes a game: the record is in the encoder, the entry lacks offset and names.
    pub(crate) fn encode(
        &mut self,
        game: &Game,
        at: Location,
        losses: &mut Vec<Loss>,
    ) -> Result<(Entry, GameNames), Error> {
        let reported = losses.len();
        let result = self.try_encode(game, at, losses);
        if result.is_err() {
            // What is refused as a whole has no losses.
            losses.truncate(reported);
        }
        result
    }

    fn try_encode(
        &mut self,
        game: &Game,
        at: Location,
        losses: &mut Vec<Loss>,
    ) -> Result<(Entry, GameNames), Error> {
        let header = &game.header;
        let plan = Plan::new(header, self.version, losses);
        let summary = self.encoder.encode(game, plan.record_tags(header), at, losses)?;
        let length = self.encoder.record().len();
        let most = self.version.max_record();
        if length > most {
            return Err(Error::new(ErrorKind::RecordTooLong(length, most), at));
        }
        let [event, site, round, player, _] = NAME_ORDER;
        let names = [
            self.game_name(event, &header.event, "Event", at, losses)?,
            self.game_name(site, &header.site, "Site", at, losses)?,
            self.game_name(round, &header.round, "Round", at, losses)?,
            self.game_name(player, &header.white, "White", at, losses)?,
            self.game_name(player, &header.black, "Black", at, losses)?,
        ];
        let mut entry = plan.entry;
        entry.length = u32::try_from(length).unwrap_or(0);
        entry.flags |= summary.flags;
        entry.counts = summary.counts;
        entry.derived = summary.derived;
        entry.chess960 = summary.chess960;
        Ok((entry, names))
    }

    /// Looks a name up, and sees that there is room for it if it is new.
    fn game_name(
        &self,
        kind: NameKind,
        name: &str,
        label: &str,
        at: Location,
        losses: &mut Vec<Loss>,
    ) -> Result<GameName, Error> {
        let bytes = self.name(name, label, losses);
        if let Some(id) = self.table.find(kind, &bytes) {
            return Ok(GameName::Known(id));
        }
        // Both players of a game may be new.
        let fresh = if kind == NameKind::Player { 2 } else { 1 };
        let most = self.version.max_names().get(kind as usize).copied().unwrap_or(0);
        let count = self.table.count(kind);
        if count.saturating_add(fresh) > most {
            return Err(Error::new(ErrorKind::TooManyNames(count), at));
        }
        Ok(GameName::New(bytes.into_owned()))
    }

    /// A name as bytes: at most 255, none of them zero.
    fn name<'a>(&self, name: &'a str, label: &str, losses: &mut Vec<Loss>) -> Cow<'a, [u8]> {
        let (bytes, complete) = self.encoding.encode(name);
        let has_nul = bytes.contains(&0);
        if !complete || has_nul {
            losses.push(Loss::new(LossKind::Characters, label));
        }
        let length = cut_text(&bytes, 255).len();
        if length < bytes.len() {
            losses.push(Loss::new(LossKind::TextCut, label));
        }
        if length == bytes.len() && !has_nul {
            return bytes;
        }
        let short = bytes.iter().take(length);
        short.map(|byte| if *byte == 0 { b' ' } else { *byte }).collect()
    }

    /// Gives a game's names their ids and counts their use.
    pub(crate) fn intern(&mut self, names: GameNames) -> NameIds {
        let mut ids = [0; 5];
        for ((id, name), kind) in ids.iter_mut().zip(names).zip(NAME_ORDER) {
            *id = match name {
                GameName::Known(id) => id,
                GameName::New(name) => {
                    // Unless the game's other player has just brought it.
                    let known = self.table.find(kind, &name);
                    known.unwrap_or_else(|| self.table.add(kind, &name))
                }
            };
            self.table.count_use(kind, *id);
        }
        let [event, site, round, white, black] = ids;
        NameIds { white, black, event, site, round }
    }
}
