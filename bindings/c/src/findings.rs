//! Deviations and damage, with their places.

use scoresheet::chess_store::{AnyError, Location, Warning};

use crate::status::Place;
use crate::text::{Span, Text, Texts};

/// The kind of a finding.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FindingKind {
    /// The file deviates from its format, and nothing is lost.
    Deviation = 0,
    /// Something is lost.
    Damage = 1,
}

/// A deviation or damage. Its texts belong to the handle that returned the finding.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Finding {
    /// The kind: a deviation or damage.
    pub kind: FindingKind,
    /// A stable name, such as `scid-surplus-comments`. Empty for an error without a name.
    pub name: Text,
    /// The message, without the place.
    pub message: Text,
    /// The file of the base, by its usual extension, such as `sg4`. Empty if it is not known.
    pub part: Text,
    /// Where it was found.
    pub place: Place,
}

/// Findings with their texts.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    texts: Texts,
    items: Vec<Item>,
}

#[derive(Debug)]
struct Item {
    kind: FindingKind,
    name: Span,
    message: Span,
    part: Span,
    place: Place,
}

impl Findings {
    pub(crate) fn clear(&mut self) {
        self.texts.clear();
        self.items.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns a finding by its number.
    pub(crate) fn get(&self, number: usize) -> Option<Finding> {
        let item = self.items.get(number)?;
        Some(Finding {
            kind: item.kind,
            name: self.texts.view(item.name),
            message: self.texts.view(item.message),
            part: self.texts.view(item.part),
            place: item.place,
        })
    }

    pub(crate) fn add(
        &mut self,
        kind: FindingKind,
        name: &str,
        message: impl std::fmt::Display,
        at: Location,
    ) {
        let (name, message) = (self.texts.add(name), self.texts.add(message));
        let (part, place) = (self.texts.add(at.file), at.into());
        self.items.push(Item { kind, name, message, part, place });
    }

    pub(crate) fn add_warning(&mut self, warning: &Warning) {
        let kind = if warning.is_damage() { FindingKind::Damage } else { FindingKind::Deviation };
        self.add(kind, warning.name, warning.message, warning.at);
    }

    pub(crate) fn add_error(&mut self, error: &AnyError) {
        self.add(FindingKind::Damage, "", error.message(), error.location());
    }
}

impl From<&[Warning]> for Findings {
    fn from(warnings: &[Warning]) -> Findings {
        let mut findings = Findings::default();
        warnings.iter().for_each(|warning| findings.add_warning(warning));
        findings
    }
}
