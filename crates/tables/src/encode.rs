//! Encodes games as rows, on any thread.

use chess_core::Game;
use chess_store::{EncodeGames, Location, Losses};

use crate::columns::{Columns, Selection};
use crate::error::{Error, ErrorKind};
use crate::games::GameRows;
use crate::plies::PlyRows;
use crate::schema::Rows;

/// The maximum size of one game's rows in bytes. A batch with such a game stays below 2 GiB, the
/// limit of 32-bit offsets.
const MAX_ROW_BYTES: usize = 1 << 29;

/// Encodes games as rows, one game after the other.
#[derive(Debug)]
pub struct Encoder {
    selection: Selection,
    maker: Maker,
}

#[derive(Debug)]
enum Maker {
    Games(Box<GameRows>),
    Plies(Box<PlyRows>),
}

impl Encoder {
    /// Creates an encoder for the columns of `selection`.
    #[must_use]
    pub fn new(selection: &Selection) -> Encoder {
        let maker = match selection.rows() {
            Rows::Games => Maker::Games(Box::new(GameRows::new(selection))),
            Rows::Plies => Maker::Plies(Box::new(PlyRows::new(selection))),
        };
        Encoder { selection: selection.clone(), maker }
    }
}

chess_store::inherent!(EncodeGames<Error, Columns> for [] Encoder);

impl EncodeGames for Encoder {
    type Error = Error;
    type Encoded = Columns;

    fn encode(
        &mut self,
        game: &Game,
        into: &mut Columns,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        into.begin(&self.selection);
        self.add(game, into, losses)?;
        Ok(())
    }
}

impl Encoder {
    /// Adds the rows of `game` to `into`, and returns their size in bytes. After an error, some of
    /// the rows may be there.
    pub(crate) fn add(
        &mut self,
        game: &Game,
        into: &mut Columns,
        losses: &mut Losses,
    ) -> Result<usize, Error> {
        let too_large = || Error::new(ErrorKind::TooLarge(MAX_ROW_BYTES), Location::default());
        // A byte of a game becomes a few bytes of its row; a token becomes one row of the half-move
        // table.
        let most = match self.maker {
            Maker::Games(_) => MAX_ROW_BYTES / 8,
            Maker::Plies(_) => MAX_ROW_BYTES / 64,
        };
        if game.size() > most {
            return Err(too_large());
        }
        match &mut self.maker {
            Maker::Games(maker) => maker.encode(game, into, losses),
            Maker::Plies(maker) => maker.encode(game, into, losses),
        }
        let size = into.measure();
        if size > MAX_ROW_BYTES { Err(too_large()) } else { Ok(size) }
    }
}
