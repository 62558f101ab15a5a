//! Ctrl-C, while many games are read without Python.

use pyo3::prelude::*;

/// Games between two looks.
const GAMES: u32 = 1024;

/// Looks whether Ctrl-C was pressed, once in many games.
#[derive(Default)]
pub(crate) struct Interrupt(u32);

impl Interrupt {
    /// To be called for every game.
    ///
    /// # Errors
    /// What Ctrl-C raises, if it was pressed.
    pub(crate) fn look(&mut self) -> PyResult<()> {
        self.0 = self.0.wrapping_add(1);
        if self.0.is_multiple_of(GAMES) { Python::attach(|py| py.check_signals()) } else { Ok(()) }
    }
}
