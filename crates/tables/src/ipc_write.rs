//! Arrow's own file format.

use std::io::Write;

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::SchemaRef;

use crate::batch::damaged;
use crate::error::{Error, location};
use crate::writer::Target;

pub(crate) struct IpcTarget<W: Write + Send>(FileWriter<W>);

impl<W: Write + Send> IpcTarget<W> {
    pub(crate) fn new(file: W, schema: &SchemaRef) -> Result<IpcTarget<W>, Error> {
        FileWriter::try_new(file, schema).map(IpcTarget).map_err(damaged)
    }
}

impl<W: Write + Send> Target for IpcTarget<W> {
    fn write(&mut self, batch: RecordBatch) -> Result<(), Error> {
        self.0.write(&batch).map_err(damaged)
    }

    fn finish(mut self: Box<Self>) -> Result<(), Error> {
        self.0.finish().map_err(damaged)?;
        self.0.get_mut().flush().map_err(|error| Error::new(error.into(), location()))
    }
}
