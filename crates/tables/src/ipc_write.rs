//! Writes Arrow files.

use std::io::Write;

use arrow_ipc::writer::FileWriter;
use arrow_schema::SchemaRef;

use crate::batch::damaged;
use crate::columns::Columns;
use crate::error::{Error, location};
use crate::writer::Target;

pub(crate) struct IpcTarget<W: Write + Send>(FileWriter<W>, SchemaRef);

impl<W: Write + Send> IpcTarget<W> {
    pub(crate) fn new(file: W, schema: &SchemaRef) -> Result<IpcTarget<W>, Error> {
        let writer = FileWriter::try_new(file, schema).map_err(damaged)?;
        Ok(IpcTarget(writer, SchemaRef::clone(schema)))
    }
}

impl<W: Write + Send> Target for IpcTarget<W> {
    fn write(&mut self, rows: Columns) -> Result<(), Error> {
        self.0.write(&rows.into_batch(&self.1)?).map_err(damaged)
    }

    fn finish(mut self: Box<Self>) -> Result<(), Error> {
        self.0.finish().map_err(damaged)?;
        self.0.get_mut().flush().map_err(|error| Error::new(error.into(), location()))
    }
}
