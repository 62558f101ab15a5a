//! Changes the facts of a base.

use chess_store::io::WriteAt as _;
use chess_store::{Fact, Location};

use super::append::{cut, put_at_end};
use super::{Editor, NewFiles};
use crate::error::{Error, ErrorKind};
use crate::facts::{encode_fact_5, set_fact};
use crate::header::{Info, encode_header};
use crate::layout::{DESCRIPTION_SIZE, FLAG_LABEL_SIZE, Version};

impl<N: NewFiles> Editor<N> {
    /// Sets a fact. Version 4 has a field for it. Version 5 appends another record for it.
    pub(super) fn put_fact(&mut self, fact: Fact, value: &str) -> Result<(), Error> {
        let mut info = self.info.clone();
        let no_game = |number: u64| number > self.count;
        if fact == Fact::DefaultGame && value.parse().is_ok_and(no_game)
            || !set_fact(&mut info, self.version, self.encoder.encoding, fact, value)
        {
            let at = Location::file(self.files.extensions.index);
            let kind = match (fact, self.version) {
                (_, Version::Si5) => ErrorKind::Fact(fact),
                (Fact::Description, _) => {
                    ErrorKind::FactText(fact, DESCRIPTION_SIZE.saturating_sub(1))
                }
                (Fact::FlagLabel(1..=6), _) => {
                    ErrorKind::FactText(fact, FLAG_LABEL_SIZE.saturating_sub(1))
                }
                _ => ErrorKind::Fact(fact),
            };
            return Err(Error::new(kind, at));
        }
        match self.version {
            Version::Si5 => self.put_fact_5(&info, fact)?,
            Version::Si3 | Version::Si4 => self.put_fact_4(&info)?,
        }
        self.info = info;
        Ok(())
    }

    fn put_fact_5(&mut self, info: &Info, fact: Fact) -> Result<(), Error> {
        let mut record = Vec::new();
        encode_fact_5(info, fact, &mut record);
        let at = Location::file(self.files.extensions.names).at(self.names_end);
        if let Err(error) = put_at_end(&mut self.files.names, &record, at) {
            let _ = cut(&mut self.files.names, self.names_end);
            return Err(error);
        }
        self.names_end = self.names_end.saturating_add(record.len() as u64);
        Ok(())
    }

    /// Writes the range from the first to the last changed byte in one write. The number of games
    /// lies outside this range.
    fn put_fact_4(&mut self, info: &Info) -> Result<(), Error> {
        let games = self.info_of(self.count).games;
        let old = encode_header(&Info { games, ..self.info.clone() });
        let new = encode_header(&Info { games, ..info.clone() });
        let differs = |(old, new): (&u8, &u8)| old != new;
        let Some(first) = old.iter().zip(&new).position(differs) else { return Ok(()) };
        let last = old.iter().zip(&new).rposition(differs).unwrap_or(first);
        let at = Location::file(self.files.extensions.index).at(first as u64);
        let index = &mut self.files.index;
        let changed = new.get(first..=last).unwrap_or_default();
        let written = index.write_at(first as u64, changed).and_then(|()| index.sync());
        written.map_err(Error::io(at))
    }
}
