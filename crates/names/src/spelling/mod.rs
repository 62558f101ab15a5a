//! Spelling files of Scid: names of one person, site, event or round that are spelt in several ways.
//!
//! Many people have such a file (`spelling.ssp`, `ratings.ssp`). It is a text of four sections:
//!
//! A [`Spelling`] can also be read from the rating lists of FIDE, as text or XML: each player is a name with
//! a FIDE id. [`Filler`] writes ids, titles and ratings into games.
//!
//! ```text
//! @PLAYER "., -_*"
//! Korchnoi, Viktor #gm URS/SUI [2695] 1931.03.23
//!    = Kortchnoi, V L
//!    %Bio BornCity: Leningrad
//! @SITE "., -_()"
//! %Suffix "(Austria)" "AUT"
//! Graz AUT
//! ```
//!
//! - A name stands alone on its line. Text after `#` is a comment. For a player it has titles,
//!   countries, the highest rating, and dates of birth and death.
//! - `=` is another spelling of the name above.
//! - `%Prefix`, `%Infix` and `%Suffix` replace a part of every name of the section. Other `%` lines are
//!   notes.
//! - The characters in quotes after a section do not count when names are compared.
//!
//! Two names are also compared without regard to case and accents. A name that is the beginning of one
//! spelling, with at least an initial, means that spelling: `Korchnoi, V`. A name that fits several
//! people means none of them.
//!
//! ```
//! use names::spelling::{NameKind, Spelling};
//!
//! let file = "@PLAYER \"., -_*\"\nKorchnoi, Viktor #gm\n  = Kortchnoi, V L\n";
//! let spelling = Spelling::read(file.as_bytes())?;
//! for name in ["Kortchnoi,V.L.", "Korchnoi, V", "Viktor Korchnoi"] {
//!     assert_eq!(spelling.canonical(NameKind::Player, name).as_deref(), Some("Korchnoi, Viktor"));
//! }
//! assert_eq!(spelling.canonical(NameKind::Player, "Karpov, A"), None);
//! # Ok::<(), names::spelling::SpellingError>(())
//! ```

mod fide;
mod filler;
mod names;
mod parse;
mod prepared;
mod speller;

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use chess_core::Date;

pub use filler::{Filled, Filler};
use names::{Section, TooMany};
pub use parse::{SpellingError, SpellingErrorKind};
pub use speller::{Corrected, Speller};

use crate::Text;

/// The bytes that are read at once.
const BUFFER: usize = 1 << 18;

/// The kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// White, Black.
    Player,
    /// The place of a game.
    Site,
    /// The tournament or match.
    Event,
    /// The round.
    Round,
}

/// The names of a spelling file.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Spelling {
    sections: [Section; 4],
    /// The month of a list of FIDE, whose ratings hold then.
    month: Option<Date>,
}

/// The number of a canonical name in its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NameId(u32);

impl Spelling {
    /// Reads a spelling file, or what [`prepare`](Spelling::prepare) kept of it.
    ///
    /// # Errors
    /// [`SpellingError`] names the line.
    pub fn open(path: impl AsRef<Path>) -> Result<Spelling, SpellingError> {
        let path = path.as_ref();
        prepared::restore(path).map_or_else(|| Spelling::parsed(path), Ok)
    }

    fn parsed(path: &Path) -> Result<Spelling, SpellingError> {
        let file = File::open(path).map_err(|error| SpellingError::new(0, error.into()))?;
        Spelling::read(BufReader::with_capacity(BUFFER, file))
    }

    /// Reads the text of a spelling file, in UTF-8 or Windows-1252.
    ///
    /// # Errors
    /// [`SpellingError`] names the line.
    pub fn read(text: impl BufRead) -> Result<Spelling, SpellingError> {
        let mut spelling = Spelling::default();
        parse::parse(text, &mut spelling)?;
        spelling.finish_with(Section::finish)
    }

    fn finish_with(
        mut self,
        finish: impl FnMut(&mut Section) -> Result<(), TooMany>,
    ) -> Result<Spelling, SpellingError> {
        let done = self.sections.iter_mut().try_for_each(finish);
        done.map_err(|error| SpellingError::new(0, error.into()))?;
        Ok(self)
    }

    /// Returns the spelling of `name` that the file prefers. `None` if the file does not have it, or
    /// if it can be several names of the file.
    #[must_use]
    pub fn canonical(&self, kind: NameKind, name: &str) -> Option<Cow<'_, str>> {
        let section = self.section(kind);
        let corrected = section.correct(name);
        let found = section.find(corrected.as_deref().unwrap_or(name), kind == NameKind::Player);
        match found {
            Some(id) => Some(Cow::Borrowed(section.name(id))),
            None => corrected.map(Cow::Owned),
        }
    }

    /// Returns what the file says of a player: `gm URS/SUI [2695] 1931.03.23`.
    #[must_use]
    pub fn about_player(&self, name: &str) -> Option<&str> {
        let section = self.section(NameKind::Player);
        let id = section.find(name, true)?;
        Some(section.note(id)).filter(|note| !note.is_empty())
    }

    /// Returns the number of canonical names of a kind.
    #[must_use]
    pub fn count(&self, kind: NameKind) -> usize {
        self.section(kind).len()
    }

    /// Returns the name that `name` means.
    pub(crate) fn id(&self, kind: NameKind, name: &str) -> Option<NameId> {
        let section = self.section(kind);
        let corrected = section.correct(name);
        section.find(corrected.as_deref().unwrap_or(name), kind == NameKind::Player)
    }

    /// Returns the names of a kind with a spelling or FIDE id that `text` asks for, in rising order.
    pub(crate) fn ids(&self, kind: NameKind, text: &Text) -> Vec<NameId> {
        let has_id = |id| kind == NameKind::Player && text.fide_id() == Some(id);
        self.section(kind).ids(|name| text.is_itself_in(name), has_id)
    }

    /// Returns the FIDE id of a player.
    #[must_use]
    pub fn fide_id(&self, name: &str) -> Option<u32> {
        self.fide_id_of(self.section(NameKind::Player).find(name, true)?)
    }

    fn fide_id_of(&self, id: NameId) -> Option<u32> {
        self.section(NameKind::Player).fide_id(id)
    }

    fn note_of(&self, id: NameId) -> &str {
        self.section(NameKind::Player).note(id)
    }

    /// Returns the player with this spelling; `None` inside if several players have it.
    fn exactly(&self, name: &str) -> Option<Option<NameId>> {
        self.section(NameKind::Player).exactly(name)
    }

    fn ids_of_fide(&self) -> impl Iterator<Item = (u32, NameId)> {
        self.section(NameKind::Player).fide_ids()
    }

    fn section(&self, kind: NameKind) -> &Section {
        let [player, site, event, round] = &self.sections;
        match kind {
            NameKind::Player => player,
            NameKind::Site => site,
            NameKind::Event => event,
            NameKind::Round => round,
        }
    }

    fn section_mut(&mut self, kind: NameKind) -> &mut Section {
        let [player, site, event, round] = &mut self.sections;
        match kind {
            NameKind::Player => player,
            NameKind::Site => site,
            NameKind::Event => event,
            NameKind::Round => round,
        }
    }
}

impl fmt::Debug for Spelling {
    /// The numbers of names, because files have hundreds of thousands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [players, sites, events, rounds] = self.sections.each_ref().map(Section::len);
        let mut out = f.debug_struct("Spelling");
        out.field("players", &players).field("sites", &sites);
        out.field("events", &events).field("rounds", &rounds).finish()
    }
}
