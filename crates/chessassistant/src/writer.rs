//! New bases.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use chess_core::files::Staged;
use chess_core::seam::{CreateOptions, Loss, LossKind};
use chess_core::{Encoding, Game, Location};

use crate::description::Description;
use crate::encode::{Encoder, SymbolStyle, shortened};
use crate::error::{Error, ErrorKind};
use crate::header::{PlayerTags, store};
use crate::layout::{INNER_EXTENSIONS, MAX_ID};
use crate::names::{NameKind, encode_name, encode_player_info};
use crate::volume;

/// Where the files of a new base go.
#[derive(Debug)]
pub struct Outputs<W> {
    /// The description.
    pub cdp: W,
    /// The volume of names.
    pub emb: W,
    /// Headers of the games.
    pub d00: W,
    /// Addresses of the records.
    pub a02: W,
    /// Records of the games.
    pub d02: W,
}

/// Writes a new base.
///
/// ```
/// use chess_core::Game;
/// use chess_core::seam::CreateOptions;
/// use chessassistant::{Outputs, Writer};
///
/// let none = Vec::new;
/// let outputs = Outputs { cdp: none(), emb: none(), d00: none(), a02: none(), d02: none() };
/// let mut writer = Writer::new(outputs, &CreateOptions::default()).unwrap();
/// let mut losses = Vec::new();
/// writer.write(&Game::new(), &mut losses).unwrap();
/// let base = writer.finish().unwrap();
/// assert_eq!(base.d00.len(), 38);
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    outputs: Outputs<W>,
    staged: Option<Staged>,
    encoder: Encoder,
    comment: Vec<u8>,
    tables: [TableBuilder; 4],
    record: Vec<u8>,
    games: u32,
    /// Bytes of the D02 so far.
    size: u64,
}

impl Writer<BufWriter<File>> {
    /// Begins a base of this name; its files appear when it is finished.
    ///
    /// Options: `symbols=codes|text`, how glyphs are written; `comment=...`, the comment on the
    /// base.
    ///
    /// # Errors
    /// If the files cannot be created; an unknown option.
    pub fn create(path: &Path, options: &CreateOptions) -> Result<Self, Error> {
        let mut staged = Staged::new();
        let mut file = |extension: &'static str| {
            let created = staged.create(&path.with_extension(extension));
            created.map(BufWriter::new).map_err(|error| io(extension, error))
        };
        // What is pointed to first.
        let (d02, a02, d00) = (file("d02")?, file("a02")?, file("d00")?);
        let outputs = Outputs { emb: file("emb")?, cdp: file("cdp")?, d00, a02, d02 };
        let mut writer = Writer::new(outputs, options)?;
        writer.staged = Some(staged);
        Ok(writer)
    }
}

impl<W: Write> Writer<W> {
    /// Begins a base that goes to these outputs, with the options of [`create`](Writer::create).
    ///
    /// # Errors
    /// If an output fails; an unknown option.
    pub fn new(outputs: Outputs<W>, options: &CreateOptions) -> Result<Writer<W>, Error> {
        let encoding = options.encoding.unwrap_or(Encoding::WINDOWS_1252);
        let mut encoder = Encoder { encoding, symbols: SymbolStyle::Codes };
        let mut comment = Vec::new();
        for (name, value) in &options.extra {
            match (name.as_str(), value.as_str()) {
                ("symbols", "codes") => encoder.symbols = SymbolStyle::Codes,
                ("symbols", "text") => encoder.symbols = SymbolStyle::Text,
                ("comment", text) => comment = encoding.encode(text).0.into_owned(),
                _ => {
                    let option = ErrorKind::Option(format!("{name}={value}"));
                    return Err(Error::new(option, Location::default()));
                }
            }
        }
        let mut writer = Writer {
            outputs,
            staged: None,
            encoder,
            comment,
            tables: NameKind::ALL.map(TableBuilder::new),
            record: Vec::new(),
            games: 0,
            size: 0,
        };
        // No address is zero, so that nobody can take one for the end of a chain.
        let start = [0; 4];
        writer.outputs.d02.write_all(&start).map_err(|error| io("d02", error))?;
        writer.size = start.len() as u64;
        Ok(writer)
    }

    /// Writes a game, and adds to `losses` what the format cannot hold of it.
    ///
    /// # Errors
    /// Of scope game if the start position or the number of moves is beyond the format: the base
    /// goes on without the game. Of scope base if an output fails or the base is full.
    pub fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), Error> {
        let number = u64::from(self.games);
        let before = losses.len();
        let at = Location::file("d02").at(self.size).in_game(number);
        let encoded = self.encoder.encode(game, &mut self.record, losses);
        let address = match encoded {
            Ok(()) => self.address().map_err(|kind| Error::new(kind, at)),
            Err(kind) => Err(Error::new(kind, at)),
        };
        let address = address.inspect_err(|_| losses.truncate(before))?;

        let header = &game.header;
        let mut stored = store(header, game.setup().is_some(), losses);
        let row = &mut stored.row;
        row.game_id = self.games;
        row.white = self.name(NameKind::Players, &header.white, stored.white, losses)?;
        row.black = self.name(NameKind::Players, &header.black, stored.black, losses)?;
        let plain = PlayerTags::default();
        row.event = self.name(NameKind::Events, &header.event, plain, losses)?;
        row.place = self.name(NameKind::Places, &header.site, plain, losses)?;
        row.annotator = self.annotator(stored.annotator, losses)?;
        row.source = self.name(NameKind::Sources, stored.source, plain, losses)?;

        self.outputs.d02.write_all(&self.record).map_err(|error| io("d02", error))?;
        self.outputs.a02.write_all(&address.to_le_bytes()).map_err(|error| io("a02", error))?;
        self.outputs.d00.write_all(&stored.row.encode()).map_err(|error| io("d00", error))?;
        self.size = self.size.saturating_add(self.record.len() as u64);
        self.games = self.games.saturating_add(1);
        Ok(())
    }

    /// Completes the base and gives the outputs back.
    ///
    /// # Errors
    /// If an output fails, or the names exceed 2 GiB.
    pub fn finish(mut self) -> Result<Outputs<W>, Error> {
        let mut files = Vec::new();
        for table in &self.tables {
            files.extend(table.files());
        }
        let files: Vec<_> =
            files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
        let emb = volume::build(&files)?;
        let comment = std::mem::take(&mut self.comment);
        let cdp = Description::new(self.games, comment).encode();
        let Outputs { cdp: to_cdp, emb: to_emb, d00, a02, d02 } = &mut self.outputs;
        to_emb.write_all(&emb).map_err(|error| io("emb", error))?;
        to_cdp.write_all(&cdp).map_err(|error| io("cdp", error))?;
        for (name, output) in
            [("d02", d02), ("a02", a02), ("d00", d00), ("emb", to_emb), ("cdp", to_cdp)]
        {
            output.flush().map_err(|error| io(name, error))?;
        }
        if let Some(staged) = self.staged.take() {
            staged.commit().map_err(|error| io("cdp", error))?;
        }
        Ok(self.outputs)
    }

    /// Where the record to be written will stand, if there is room for it and one more game.
    fn address(&self) -> Result<i32, ErrorKind> {
        let end = self.size.saturating_add(self.record.len() as u64);
        let full = ErrorKind::Full("the records exceed 2 GiB");
        match (i32::try_from(self.size), i32::try_from(end), self.games) {
            (Ok(address), Ok(_), games) if games < i32::MAX as u32 => Ok(address),
            _ => Err(full),
        }
    }

    fn name(
        &mut self,
        kind: NameKind,
        name: &str,
        player: PlayerTags<'_>,
        losses: &mut Vec<Loss>,
    ) -> Result<u32, Error> {
        let name = self.bytes(if name == "?" { "" } else { name }, losses);
        let title = self.bytes(player.title, losses);
        match self.tables.iter_mut().find(|table| table.kind == kind) {
            Some(table) => table.id(&name, &title, &player),
            None => Ok(0),
        }
    }

    /// The id of an annotator: of whose header only the name is kept, so that any player of the
    /// name will do.
    fn annotator(&mut self, name: &str, losses: &mut Vec<Loss>) -> Result<u32, Error> {
        let bytes = self.bytes(name, &mut Vec::new());
        let [players, ..] = &self.tables;
        match players.first_of_name.get(&bytes) {
            Some(id) if self.encoder.encoding.encode(name).1 => Ok(*id),
            _ => self.name(NameKind::Players, name, PlayerTags::default(), losses),
        }
    }

    /// A text as bytes, at most 255 of them.
    fn bytes(&self, text: &str, losses: &mut Vec<Loss>) -> Vec<u8> {
        let (bytes, complete) = self.encoder.encoding.encode(text);
        if !complete {
            losses.push(Loss::new(LossKind::Characters, shortened(text)));
        }
        if bytes.len() > 255 {
            losses.push(Loss::new(LossKind::TextCut, shortened(text)));
        }
        bytes.get(..255).unwrap_or(&bytes).to_vec()
    }
}

fn io(file: &'static str, error: std::io::Error) -> Error {
    Error::new(ErrorKind::Io(error), Location::file(file))
}

/// A table of names while it grows. Id 0 is the empty name, which stands for an unknown one.
#[derive(Debug)]
struct TableBuilder {
    kind: NameKind,
    addresses: Vec<u32>,
    records: Vec<u8>,
    info: Vec<u8>,
    /// The bytes of record and info of each id, and the id.
    ids: HashMap<Vec<u8>, u32>,
    first_of_name: HashMap<Vec<u8>, u32>,
    sort_keys: Vec<Vec<u8>>,
}

impl TableBuilder {
    fn new(kind: NameKind) -> TableBuilder {
        let mut table = TableBuilder {
            kind,
            addresses: Vec::new(),
            // No address is zero, as in the D02.
            records: vec![0; 4],
            info: Vec::new(),
            ids: HashMap::new(),
            first_of_name: HashMap::new(),
            sort_keys: Vec::new(),
        };
        // The first id of an empty table is within every bound.
        let _ = table.id(&[], &[], &PlayerTags::default());
        table
    }

    /// The id of a name, which is added if it is new. Players of one name that differ in title or
    /// info are different players: what a game says of its players must not change another game.
    fn id(&mut self, name: &[u8], title: &[u8], player: &PlayerTags<'_>) -> Result<u32, Error> {
        let mut key = Vec::new();
        encode_name(self.kind, name, title, &mut key);
        let size = key.len();
        if self.kind == NameKind::Players {
            encode_player_info(&player.info, &mut key);
        }
        if let Some(id) = self.ids.get(&key) {
            return Ok(*id);
        }
        let full = |what| Error::new(ErrorKind::Full(what), Location::file("emb"));
        let id = u32::try_from(self.addresses.len()).unwrap_or(u32::MAX);
        let address = i32::try_from(self.records.len()).ok().and_then(|at| u32::try_from(at).ok());
        let address = address.ok_or_else(|| full("the names exceed 2 GiB"))?;
        if id > MAX_ID {
            return Err(full("more names than ids"));
        }
        let (record, info) = key.split_at_checked(size).unwrap_or_default();
        self.addresses.push(address);
        self.records.extend_from_slice(record);
        self.info.extend_from_slice(info);
        self.sort_keys.push(name.to_ascii_lowercase());
        self.first_of_name.entry(name.to_vec()).or_insert(id);
        self.ids.insert(key, id);
        Ok(id)
    }

    /// The seven inner files.
    // chessassistant §4.4 "What is not described"
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let count = self.addresses.len();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|id| self.sort_keys.get(*id));
        let order = order.into_iter().map(|id| u32::try_from(id).unwrap_or(u32::MAX));
        let numbers =
            |numbers: &mut dyn Iterator<Item = u32>| numbers.flat_map(u32::to_le_bytes).collect();
        let marks = vec![0; count.div_ceil(8)];
        let description = Description::new(u32::try_from(count).unwrap_or(u32::MAX), Vec::new());
        let contents: [Vec<u8>; 7] = [
            description.encode(),
            numbers(&mut order.into_iter()),
            marks.clone(),
            marks,
            self.info.clone(),
            numbers(&mut self.addresses.iter().copied()),
            self.records.clone(),
        ];
        let stem = self.kind.stem();
        let names = INNER_EXTENSIONS.into_iter().map(|extension| format!("{stem}.{extension}"));
        names.zip(contents).collect()
    }
}
