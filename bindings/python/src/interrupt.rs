//! Checks for Ctrl-C while many games are read without Python code.

use pyo3::prelude::*;

/// The number of games between two checks.
const GAMES: u32 = 1024;

/// Checks for Ctrl-C once in many games.
#[derive(Default)]
pub(crate) struct Interrupt(u32);

impl Interrupt {
    /// Counts a game, and checks for Ctrl-C if due. Call it for every game.
    ///
    /// # Errors
    /// The exception that Ctrl-C raises.
    pub(crate) fn look(&mut self) -> PyResult<()> {
        self.0 = self.0.wrapping_add(1);
        if self.0.is_multiple_of(GAMES) { Python::attach(|py| py.check_signals()) } else { Ok(()) }
    }
}
