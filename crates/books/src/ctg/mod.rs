//! ChessBase's books, `.ctg` with `.cto` and `.ctb`: positions with statistics.
//! books §3 "ChessBase"

mod book;
mod layout;
mod moves;
mod position;
mod record;

pub use book::{Book, Header};
pub use moves::decode as decode_move;
pub use position::Form;
pub use record::{Record, Statistics};
