//! Reads the messages of an Arrow stream, and checks them before arrow-ipc decodes them.
//!
//! ```text
//! stream:   message | message | ... | end
//! message:  FF FF FF FF | size of header | header (a flatbuffer) | body
//! header:   a schema, a dictionary or a batch; the last two say where their buffers are in the
//!           body. A compressed buffer begins with its unpacked size, in 8 bytes.
//! ```
//!
//! arrow-ipc takes places and sizes on trust: a place outside of the body is a panic, and a size is
//! allocated. So a message is read as a whole, as far as there are bytes, its flatbuffer is
//! verified, and its buffers are checked. Their unpacked sizes count against the decompression
//! limit, wanted or not. Columns and dictionaries that a game does not need are not decoded.

use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{RecordBatchDecoder, read_dictionary};
use arrow_ipc::{DictionaryBatch, Message, MessageHeader, MetadataVersion, RecordBatch as Header};
use arrow_schema::{DataType, Schema, SchemaRef, UnionMode};
use chess_store::io::DecompressionLimit;
use flatbuffers::VerifierOptions;

use crate::batch::damaged;
use crate::decoded::decoded_size;
use crate::error::{Error, ErrorKind, location};

/// The first bytes of a message. Old writers leave them out.
const START: [u8; 4] = [0xff; 4];
/// The number of bytes that are reserved before they are read.
const RESERVED: u64 = 1 << 20;
/// The least size of a table in a flatbuffer. Tables that share bytes are refused beyond it.
const TABLE_BYTES: usize = 8;
/// The number of tables that any header may have.
const TABLES: usize = 64;
/// The size of the number before a compressed buffer, and the number that says it is not compressed.
const UNPACKED: usize = 8;
const NOT_COMPRESSED: i64 = -1;

/// The batches of an Arrow stream.
pub(crate) struct Messages<R> {
    input: R,
    limit: DecompressionLimit,
    schema: SchemaRef,
    /// The columns that are decoded, in order.
    columns: Vec<usize>,
    /// The schema of these columns.
    decoded: SchemaRef,
    dictionaries: HashMap<i64, ArrayRef>,
}

/// A message in memory. An empty header stands for the end of the stream.
struct Bytes {
    header: Vec<u8>,
    body: Buffer,
}

impl<R: Read> Messages<R> {
    /// Reads the schema.
    ///
    /// # Errors
    /// I/O errors, and [`ErrorKind::Damaged`].
    pub(crate) fn new(mut input: R, limit: DecompressionLimit) -> Result<Messages<R>, Error> {
        let bytes = read_message(&mut input)?.ok_or_else(|| wrong("it is empty"))?;
        let message = bytes.message()?;
        let schema = message.header_as_schema().ok_or_else(|| wrong("it has no schema"))?;
        let schema = Arc::new(try_fb_to_schema(schema).map_err(damaged)?);
        let columns = (0..schema.fields().len()).collect();
        let (decoded, dictionaries) = (SchemaRef::clone(&schema), HashMap::new());
        Ok(Messages { input, limit, schema, columns, decoded, dictionaries })
    }

    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Decodes only the columns with these indices, in ascending order.
    ///
    /// # Errors
    /// An index beyond the last column.
    pub(crate) fn project(&mut self, columns: Vec<usize>) -> Result<(), Error> {
        self.decoded = Arc::new(self.schema.project(&columns).map_err(damaged)?);
        self.columns = columns;
        Ok(())
    }

    /// Returns the next batch, or `None` at the end of the stream.
    ///
    /// # Errors
    /// I/O errors, [`QuotaExceeded`](io::ErrorKind::QuotaExceeded) beyond the decompression limit,
    /// and [`ErrorKind::Damaged`].
    pub(crate) fn next(&mut self) -> Result<Option<RecordBatch>, Error> {
        while let Some(bytes) = read_message(&mut self.input)? {
            let message = bytes.message()?;
            match message.header_type() {
                MessageHeader::RecordBatch => {
                    let header = message.header_as_record_batch();
                    let header = header.ok_or_else(|| wrong("a batch has no header"))?;
                    return self.decode_batch(header, &bytes, message).map(Some);
                }
                MessageHeader::DictionaryBatch => {
                    let header = message.header_as_dictionary_batch();
                    let header = header.ok_or_else(|| wrong("a dictionary has no header"))?;
                    self.decode_dictionary(header, &bytes, message)?;
                }
                MessageHeader::NONE => {}
                _ => return Err(wrong("it has a message of an unknown kind")),
            }
        }
        Ok(None)
    }

    fn decode_batch(
        &self,
        header: Header<'_>,
        bytes: &Bytes,
        message: Message<'_>,
    ) -> Result<RecordBatch, Error> {
        let kinds = self.schema.fields().iter().map(|field| field.data_type());
        self.check_buffers(kinds, header, bytes, message.version())?;
        let (schema, version) = (SchemaRef::clone(&self.schema), message.version());
        let decoder =
            RecordBatchDecoder::try_new(&bytes.body, header, schema, &self.dictionaries, &version);
        let decoder = decoder.map_err(damaged)?.with_projection(Some(&self.columns));
        let batch = decoder.read_record_batch().map_err(damaged)?;
        self.limit.take(decoded_size(batch.columns())).map_err(io_error)?;
        Ok(batch)
    }

    fn decode_dictionary(
        &mut self,
        header: DictionaryBatch<'_>,
        bytes: &Bytes,
        message: Message<'_>,
    ) -> Result<(), Error> {
        let (id, schema, version) = (header.id(), &self.decoded, message.version());
        let Some(kind) = dictionary_values(schema, id) else { return Ok(()) };
        let data = header.data().ok_or_else(|| wrong("a dictionary has no data"))?;
        self.check_buffers(std::iter::once(kind), data, bytes, version)?;
        let known = &mut self.dictionaries;
        read_dictionary(&bytes.body, header, schema, known, &version).map_err(damaged)?;
        // An addition to a dictionary copies all of it.
        let all = self.dictionaries.get(&id);
        let size = all.map_or(0, |all| decoded_size(std::slice::from_ref(all)));
        self.limit.take(size).map_err(io_error)
    }

    /// Checks the places and sizes that a header gives for columns of these types.
    fn check_buffers<'a>(
        &self,
        kinds: impl Iterator<Item = &'a DataType>,
        header: Header<'_>,
        bytes: &Bytes,
        version: MetadataVersion,
    ) -> Result<(), Error> {
        let sizes = || wrong("a batch has sizes that make no sense");
        usize::try_from(header.length()).map_err(|_| sizes())?;
        for node in header.nodes().into_iter().flatten() {
            if node.length() < 0 || !(0..=node.length()).contains(&node.null_count()) {
                return Err(sizes());
            }
        }
        let most = header.buffers().map_or(0, |buffers| buffers.len());
        let views = header.variadicBufferCounts().into_iter().flatten();
        let mut units = Units { units: Vec::new(), views, most, version };
        kinds.for_each(|kind| units.add(kind));
        let (mut unpacked, is_compressed) = (0u64, header.compression().is_some());
        for (buffer, unit) in header.buffers().into_iter().flatten().zip(units.units) {
            let range = usize::try_from(buffer.offset()).ok().zip(buffer.length().try_into().ok());
            let range = range.and_then(|(at, length)| Some(at..at.checked_add(length)?));
            let content = range.and_then(|range| bytes.body.as_slice().get(range));
            let content = content.ok_or_else(|| wrong("a buffer lies outside of its message"))?;
            let mut size = content.len() as u64;
            if is_compressed && !content.is_empty() {
                let (claim, rest) = content.split_first_chunk::<UNPACKED>().ok_or_else(sizes)?;
                size = match i64::from_le_bytes(*claim) {
                    NOT_COMPRESSED => rest.len() as u64,
                    claim => u64::try_from(claim).map_err(|_| sizes())?,
                };
                unpacked = unpacked.saturating_add(size);
            }
            if !size.is_multiple_of(unit) {
                return Err(sizes());
            }
        }
        self.limit.check_memory(unpacked).and_then(|()| self.limit.take(unpacked)).map_err(io_error)
    }
}

/// The units of the buffers of some columns, in their order: arrow-data panics where offsets, views
/// or the keys of a dictionary do not fill their buffer.
struct Units<V> {
    units: Vec<u64>,
    /// The number of text buffers of each column of views.
    views: V,
    /// The number of buffers that there are.
    most: usize,
    version: MetadataVersion,
}

impl<V: Iterator<Item = i64>> Units<V> {
    fn add(&mut self, kind: &DataType) {
        // The buffer that most types begin with says which values are null.
        let own: &[u64] = match kind {
            DataType::Null | DataType::RunEndEncoded(..) => &[],
            DataType::Utf8 | DataType::Binary => &[1, 4, 1],
            DataType::LargeUtf8 | DataType::LargeBinary => &[1, 8, 1],
            DataType::Utf8View | DataType::BinaryView => &[1, 16],
            DataType::List(_) | DataType::Map(..) => &[1, 4],
            DataType::LargeList(_) => &[1, 8],
            DataType::ListView(_) => &[1, 4, 4],
            DataType::LargeListView(_) => &[1, 8, 8],
            DataType::FixedSizeList(..) | DataType::Struct(_) => &[1],
            DataType::Union(_, UnionMode::Dense) => &[1, 4],
            DataType::Union(_, UnionMode::Sparse) => &[1],
            DataType::Dictionary(key, _) => match key.primitive_width() {
                Some(2) => &[1, 2],
                Some(4) => &[1, 4],
                Some(8) => &[1, 8],
                _ => &[1, 1],
            },
            _ => &[1, 1],
        };
        // Old unions have nulls of their own.
        let old = matches!(kind, DataType::Union(..)) && self.version < MetadataVersion::V5;
        self.units.extend(old.then_some(1));
        self.units.extend(own);
        match kind {
            DataType::Utf8View | DataType::BinaryView => {
                let count = self.views.next().and_then(|count| usize::try_from(count).ok());
                self.units.extend(std::iter::repeat_n(1, count.unwrap_or(0).min(self.most)));
            }
            DataType::List(item)
            | DataType::LargeList(item)
            | DataType::ListView(item)
            | DataType::LargeListView(item)
            | DataType::FixedSizeList(item, _)
            | DataType::Map(item, _) => self.add(item.data_type()),
            DataType::Struct(fields) => fields.iter().for_each(|field| self.add(field.data_type())),
            DataType::Union(fields, _) => {
                fields.iter().for_each(|(_, field)| self.add(field.data_type()));
            }
            DataType::RunEndEncoded(ends, values) => {
                self.add(ends.data_type());
                self.add(values.data_type());
            }
            _ => {}
        }
    }
}

/// Returns the type of the values of the dictionary `id`, if a column of the schema uses it.
#[allow(deprecated, reason = "no other function of arrow-schema finds a dictionary by its number")]
fn dictionary_values(schema: &Schema, id: i64) -> Option<&DataType> {
    match schema.fields_with_dict_id(id).first()?.data_type() {
        DataType::Dictionary(_, values) => Some(values),
        _ => None,
    }
}

impl Bytes {
    /// Returns the verified header.
    fn message(&self) -> Result<Message<'_>, Error> {
        let options = VerifierOptions {
            max_tables: TABLES.saturating_add(self.header.len() / TABLE_BYTES),
            ..VerifierOptions::default()
        };
        arrow_ipc::root_as_message_with_opts(&options, &self.header)
            .map_err(|_| wrong("the header of a message cannot be read"))
    }
}

/// Reads a message. Returns `None` at the end of the stream.
fn read_message(input: &mut impl Read) -> Result<Option<Bytes>, Error> {
    let mut size = [0; 4];
    let mut count = read_full(input, &mut size)?;
    if size == START && count == size.len() {
        count = read_full(input, &mut size)?;
    }
    match count {
        0 => return Ok(None),
        4 => {}
        _ => return Err(ended()),
    }
    let size = u32::from_le_bytes(size);
    if size == 0 {
        return Ok(None);
    }
    let mut bytes = Bytes { header: read_bytes(input, size.into())?, body: Buffer::default() };
    let size = u64::try_from(bytes.message()?.bodyLength());
    let size = size.map_err(|_| wrong("a message has a negative size"))?;
    bytes.body = Buffer::from_vec(read_bytes(input, size)?);
    Ok(Some(bytes))
}

/// Reads `size` bytes. The memory grows with the bytes that exist.
fn read_bytes(input: &mut impl Read, size: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::with_capacity(usize::try_from(size.min(RESERVED)).unwrap_or(0));
    input.take(size).read_to_end(&mut bytes).map_err(io_error)?;
    match u64::try_from(bytes.len()) {
        Ok(read) if read == size => Ok(bytes),
        _ => Err(ended()),
    }
}

/// Reads bytes until `buffer` is full or the input ends, and returns their number.
fn read_full(input: &mut impl Read, buffer: &mut [u8; 4]) -> Result<usize, Error> {
    let mut bytes = Vec::with_capacity(buffer.len());
    input.take(4).read_to_end(&mut bytes).map_err(io_error)?;
    buffer.iter_mut().zip(&bytes).for_each(|(to, byte)| *to = *byte);
    Ok(bytes.len())
}

fn io_error(error: io::Error) -> Error {
    Error::new(error.into(), location())
}

fn ended() -> Error {
    wrong("it ends within a message")
}

fn wrong(text: &str) -> Error {
    Error::new(ErrorKind::Damaged(format!("the file is damaged: {text}").into()), location())
}
