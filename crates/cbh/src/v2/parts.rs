//! The files of a base.

/// The files of a `.2cbh` base from any storage.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Parts<F> {
    /// Headers of games, texts and analyses: `.2cbh`.
    pub headers: F,
    /// Moves and guiding texts: `.2cbg`.
    pub moves: Option<F>,
    /// Annotations: `.2cba`.
    pub annotations: Option<F>,
    /// Entities: `.2lid`.
    pub entities: Option<F>,
    /// The games of each entity: `.2lgd`.
    pub games: Option<F>,
    /// Sort orders of the entities: `.2lcd`.
    pub orders: Option<F>,
}

/// The extensions of [`Parts`], in the order of its fields.
pub(crate) const EXTENSIONS: [&str; 6] = ["2cbh", "2cbg", "2cba", "2lid", "2lgd", "2lcd"];

impl<F> Parts<F> {
    /// Creates a base from its headers alone. The other files can be set afterwards.
    pub fn new(headers: F) -> Parts<F> {
        Parts { headers, moves: None, annotations: None, entities: None, games: None, orders: None }
    }

    /// Returns the file of an extension, if there is one.
    pub fn get(&self, extension: &str) -> Option<&F> {
        match extension {
            "2cbh" => Some(&self.headers),
            "2cbg" => self.moves.as_ref(),
            "2cba" => self.annotations.as_ref(),
            "2lid" => self.entities.as_ref(),
            "2lgd" => self.games.as_ref(),
            "2lcd" => self.orders.as_ref(),
            _ => None,
        }
    }

    /// Like [`get`](Parts::get), mutably.
    pub fn get_mut(&mut self, extension: &str) -> Option<&mut F> {
        match extension {
            "2cbh" => Some(&mut self.headers),
            "2cbg" => self.moves.as_mut(),
            "2cba" => self.annotations.as_mut(),
            "2lid" => self.entities.as_mut(),
            "2lgd" => self.games.as_mut(),
            "2lcd" => self.orders.as_mut(),
            _ => None,
        }
    }
}
