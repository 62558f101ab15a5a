//! The subset of MyISAM tables that an archive uses: a definition (`.frm`), rows (`.MYD`) and the
//! header of an index (`.MYI`).

mod block;
mod column;
mod frm;
mod myd;
mod myi;
mod row;

pub(crate) use block::MAX_ROW;
pub(crate) use column::{Column, Definition, Storage};
pub(crate) use frm::{encode_frm, parse_frm};
pub(crate) use myd::{ReadError, RowPart, Rows, encode_row_block, read_row};
pub(crate) use myi::encode_myi;
pub(crate) use row::{NULL, Row, Value, encode_row, parse_row, visit_row};
