//! The files of a base on disk: locating, opening, locking, creating and replacing them.
//!
//! # One base, several files
//!
//! A base of several files cannot be replaced by one system call. The program may be killed on the
//! way, a call may fail, or the power may fail. Afterwards a reader must find the old base or the
//! new one, never a mixture. This holds at any moment for readers that use this library. Other
//! programs find a complete base or no index.
//!
//! The rule for readers is short. **If the index exists, the base consists of the files with the
//! regular names. If only a marker exists, the base consists of the new files.**
//!
//! | step of [`Staged::commit`] | base if it is the last step | reason or effect |
//! |---|---|---|
//! | 1. Write the new files as `base.sg4~0123456789abcdef` in the same folder, and sync them. | old | leftover files |
//! | 2. Lock the base, complete an earlier change, sync the folder. | old | otherwise the marker could refer to files without a name on the disk |
//! | 3. Write and sync the marker `base.si4~commit`: the random part of the names, and a checksum. | old | an incomplete marker is ignored |
//! | 4. Sync the folder. | old | otherwise the index could disappear before the marker is on the disk |
//! | 5. Remove the old index. **From here on the new base is valid.** | new | readers find the new files through the marker |
//! | 6. Sync the folder. | new | otherwise new files could appear beside the old index |
//! | 7. Rename each new file except the index. | new | if a temporary file exists, it is the new one; otherwise the file in place is |
//! | 8. Sync the folder. | new | otherwise the new index could appear beside old files |
//! | 9. Rename the new index. | new | the marker has no effect any more |
//! | 10. Sync the folder. | new | otherwise the marker could disappear before the index is on the disk |
//! | 11. Remove the marker. | new | it may stay: beside an index it has no effect |
//!
//! A base that did not exist before skips steps 5 and 6. It is valid from step 3 on. A single file
//! needs no marker: it is synced and renamed, and the folder is synced.
//!
//! If a call fails before step 5, the marker and the new files are removed, and the old base stays.
//! If a call fails later, all files stay, and the next change completes the replacement.
//!
//! # The next change
//!
//! [`BaseFiles::locate_for_change`] locks the base. It syncs the folder, because the changes of a
//! killed program may not be on the disk yet. Then it completes an interrupted replacement. With a
//! complete marker and no index, it continues at step 7. With an index, it removes the marker.
//! Finally it removes leftover temporary files. A writer holds a lock on each of its files, so a
//! file that can be locked is a leftover, unless a marker refers to it.
//!
//! # How a format uses this module
//!
//! - To open a base: [`BaseFiles::open_whole`], with [`open`](BaseFiles::open) or
//!   [`find`](BaseFiles::find) for each file.
//! - To write or compact a base: [`BaseFiles::locate_for_change`], then
//!   [`stage`](BaseFiles::stage), [`Staged::create`] for the [`target`](BaseFiles::target) of each
//!   extension, and [`Staged::commit`]. Alternatively [`Staged::new`], which locks only for the
//!   commit; then create the index last.
//! - To change a base in place: [`BaseFiles::locate_for_change`], kept as long as the editor
//!   exists.
//!
//! # Reading
//!
//! A base may be replaced while a reader opens its files one by one. [`BaseFiles::open_whole`]
//! checks the names again after the last file. If any name now belongs to another file, it opens
//! all files again. Readers change nothing, and need no write permission.
//!
//! # Links, modes, names
//!
//! Links are resolved before any file is created. The link stays, and its target is replaced. All
//! files of a base, as readers find them, must then be in one folder: [`BaseFiles::target`] and
//! [`BaseFiles::open_for_change`] check it. A file with several hard links is copied before it is
//! changed in place, so that its other names keep their contents. A new file has the mode of the
//! old one, and its owner and group if the system permits. Temporary names are random and cannot be guessed.
//! Temporary files never replace an existing file. A program that exits without dropping its values
//! must call [`give_up`].
//!
//! # Limits
//!
//! Another program that has the old base open continues with the old files. A file with several
//! hard links is replaced under one name only. Windows does not tell how many hard links a file
//! has, and has no call to sync a folder: there a power cut can revert completed steps.

mod base;
#[doc(hidden)]
pub mod beside;
mod commit;
mod companion;
#[doc(hidden)]
pub mod disk;
mod folder;
mod interrupted;
mod leftovers;
mod listing;
mod lock;
mod marker;
mod names;
mod ours;
mod separate;
mod staged;
mod unchanged;
mod view;

pub use base::BaseFiles;
pub use companion::companion;
pub use folder::StagedFolder;
pub use interrupted::{index_to_come, is_taken, resolve_interrupted_replace};
pub use lock::Lock;
pub use names::is_temporary;
pub use ours::give_up;
pub use staged::Staged;
pub use unchanged::leaves_old_base;
