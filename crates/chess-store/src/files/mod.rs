//! The files of a base on disk: found, opened, locked, created, replaced.
//!
//! # One base, several files
//!
//! A base of several files cannot be replaced by one call to the system. Whatever happens on the
//! way (the program is killed, a call fails, the power goes), what is found afterwards must be the
//! old base or the new one, and never files of both. That holds for readers of this library at any
//! moment; other programs, which know nothing of it, find a whole base or no index.
//!
//! The rule that readers go by is short. **Where there is an index, the base is what has its
//! names. Where there is none but a marker, the base is the new files.**
//!
//! | step of [`Staged::commit`] | if it is the last | |
//! |---|---|---|
//! | 1. The new files are written as `base.sg4~0123456789abcdef` in the same folder, and synced. | old | leftovers |
//! | 2. The base is locked, an earlier change brought to its end, the folder synced. | old | without it, the marker could speak of files that have no name |
//! | 3. The marker `base.si4~commit` is written and synced: the random part of the names, a checksum. | old | a torn marker counts as none |
//! | 4. The folder is synced. | old | without it, the index could go and leave no marker |
//! | 5. The old index is removed. **From here on the new base counts.** | new | readers find the new files by the marker |
//! | 6. The folder is synced. | new | without it, new files could lie beside the old index |
//! | 7. Each new file but the index takes its name, by rename. | new | a file that still has its temporary name is the new one, else the one in place is |
//! | 8. The folder is synced. | new | without it, the new index could lie beside old files |
//! | 9. The new index takes its name. | new | the marker says nothing any more |
//! | 10. The folder is synced. | new | without it, the marker could go before the index is there |
//! | 11. The marker is removed. | new | it may stay: beside an index it says nothing |
//!
//! A base that was not there before has no step 5 and 6: it counts from step 3 on. A single file
//! needs none of this: it is synced, renamed, and the folder is synced.
//!
//! If a call fails before step 5, the marker and the new files are removed: the old base stands. If
//! one fails later, everything stays as it is, and the next change finishes it.
//!
//! # The next change
//!
//! [`BaseFiles::locate_for_change`] locks the base and syncs the folder, since what a killed
//! program did may not be on the disk yet. It brings what was stopped to its end: with a whole
//! marker and no index it goes on with step 7; with an index it removes the marker. Then it removes
//! temporary files that nobody needs: each is locked by the program that writes it, so one that can
//! be locked is left over, unless a marker speaks of it.
//!
//! # What a format does
//!
//! - To open: [`BaseFiles::open_whole`], with [`open`](BaseFiles::open) or
//!   [`find`](BaseFiles::find) for each file.
//! - To write a base, or compact one: [`BaseFiles::locate_for_change`], then
//!   [`stage`](BaseFiles::stage), [`Staged::create`] for the [`target`](BaseFiles::target) of each
//!   extension, and [`Staged::commit`]. Or [`Staged::new`], which locks only for the commit; then
//!   the index is created last.
//! - To change it in place: [`BaseFiles::locate_for_change`], kept for as long as the editor lives.
//!
//! # Reading
//!
//! A base may be replaced while a reader opens one file after the other.
//! [`BaseFiles::open_whole`] looks again when all are open: if any name now belongs to another
//! file, it opens them all anew. Readers change nothing, and need no right to.
//!
//! # Links, modes, names
//!
//! A path is followed to the file itself before anything is created, so that a link stays and what
//! it leads to is replaced; all files of a base must then lie in one folder. A new file has the mode
//! of the old one, and its owner and group where the system lets it. Temporary files have names
//! nobody can guess, and are created only where there is nothing. A program that ends without
//! dropping what it has calls [`give_up`].
//!
//! # Limits
//!
//! Another program that has the old base open goes on with the old files. A file with several hard
//! links gets a new one; the others keep the old. Windows has no call to sync a folder: there a
//! power cut, but nothing else, may undo steps that were done.

mod base;
mod commit;
mod companion;
#[doc(hidden)]
pub mod disk;
mod interrupted;
mod leftovers;
mod lock;
mod marker;
mod names;
mod ours;
mod staged;
mod view;

pub use base::BaseFiles;
pub use companion::companion;
pub use interrupted::{index_to_come, resolve_interrupted_replace};
pub use lock::Lock;
pub use ours::give_up;
pub use staged::Staged;
