//! Inherent methods for the types of a format.

/// Gives a type of a format the methods of its trait as inherent methods, so that users of the
/// format need not import the trait.
///
/// The types of the trait stand in angle brackets, in the order shown. The generic parameters of
/// the type stand in square brackets.
///
/// ```
/// mod demo {
/// #   use chess_core::{Game, Header};
/// #   use chess_store::{AnyError as Error, Describe, Diagnostics, Field, ReadGames};
///     pub struct Database<R> {
///         pub file: R,
///     }
///
///     chess_store::inherent!(ReadGames<Error> for [R: Send + Sync] Database<R>);
///     // Other types of a format:
///     // chess_store::inherent!(WriteGames<Error, Encoder, Encoded> for [F: WriteAt] Writer<F>);
///     // chess_store::inherent!(EncodeGames<Error, Encoded> for [] Encoder);
///     // chess_store::inherent!(EditGames<Error> for [F: WriteAt] Editor<F>);
/// #   impl<R: Send + Sync> Describe for Database<R> {}
/// #   impl<R: Send + Sync> ReadGames for Database<R> {
/// #       type Error = Error;
/// #       type State = ();
/// #       fn len(&self) -> u64 { 3 }
/// #       fn header_with(&self, _: &mut (), _: u64, _: &mut Header, _: &mut Diagnostics) -> Result<(), Error> { Ok(()) }
/// #       fn game_with(&self, _: &mut (), _: u64, _: &mut Game, _: &mut Diagnostics) -> Result<(), Error> { Ok(()) }
/// #       fn dump_with(&self, _: &mut (), _: u64, _: &mut dyn FnMut(Field)) -> Result<(), Error> { Ok(()) }
/// #   }
/// }
///
/// // The trait is not in scope here.
/// assert_eq!(demo::Database { file: () }.games().count(), 3);
/// ```
#[macro_export]
macro_rules! inherent {
    (ReadGames<$error:ty> for [$($generics:tt)*] $type:ty) => {
        /// Games and facts of the base.
        impl<$($generics)*> $type {
            /// Returns the number of games, readable or not.
            #[must_use]
            pub fn len(&self) -> u64 {
                $crate::ReadGames::len(self)
            }

            /// Returns whether the base has no games.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                $crate::ReadGames::is_empty(self)
            }

            /// Creates a reader for one thread. It reads any game by number into a reusable
            /// `Game`, or only its header.
            pub fn reader(&self) -> $crate::Reader<Self, &Self> {
                $crate::ReadGames::reader(self)
            }

            /// Like `reader`, but the reader owns the base.
            #[must_use]
            pub fn into_reader(self) -> $crate::Reader<Self> {
                $crate::ReadGames::into_reader(self)
            }

            /// Iterates over the games in order. A damaged game is an `Err`; the next game
            /// follows.
            pub fn games(&self) -> $crate::Games<Self, &Self> {
                $crate::ReadGames::games(self)
            }

            /// Like `games`, but the iterator owns the base.
            #[must_use]
            pub fn into_games(self) -> $crate::Games<Self> {
                $crate::ReadGames::into_games(self)
            }

            /// Checks the consistency of the base as a whole. Returns one message for each
            /// problem.
            ///
            /// # Errors
            /// I/O errors.
            pub fn check(&self) -> Result<Vec<String>, $error> {
                $crate::ReadGames::check(self)
            }

            /// Returns the facts that the owner of the base may set.
            #[must_use]
            pub fn about(&self) -> $crate::About {
                $crate::Describe::about(self)
            }

            /// Returns more facts for display, as names and values.
            #[must_use]
            pub fn details(&self) -> Vec<(&'static str, String)> {
                $crate::Describe::details(self)
            }

            /// Returns the deviations found on opening the base.
            #[must_use]
            pub fn warnings(&self) -> &[$crate::Warning] {
                $crate::Describe::warnings(self)
            }
        }
    };

    (WriteGames<$error:ty, $encoder:ty, $encoded:ty> for [$($generics:tt)*] $type:ty) => {
        /// Writing of games.
        impl<$($generics)*> $type {
            /// Writes a game. Adds the parts that the format cannot store to `losses`.
            ///
            /// # Errors
            /// An error of `Scope::Game` refuses this game only. After any
            /// other error the writer is unusable.
            pub fn write(
                &mut self,
                game: &$crate::__core::Game,
                losses: &mut $crate::Losses,
            ) -> Result<(), $error> {
                $crate::WriteGames::write(self, game, losses)
            }

            /// Completes the base. A writer that is dropped without this call leaves no files.
            ///
            /// # Errors
            /// I/O errors.
            pub fn finish(self) -> Result<(), $error> {
                $crate::WriteGames::finish(self)
            }

            /// Creates an encoder for one thread.
            #[must_use]
            pub fn encoder(&self) -> $encoder {
                $crate::WriteGames::encoder(self)
            }

            /// Appends a game that an encoder of this writer has encoded. Adds the parts that the
            /// base cannot store to `losses`.
            ///
            /// # Errors
            /// The errors of `write`.
            pub fn append(
                &mut self,
                encoded: &mut $encoded,
                losses: &mut $crate::Losses,
            ) -> Result<(), $error> {
                $crate::WriteGames::append(self, encoded, losses)
            }

            /// Replaces the facts of the base. Adds the facts that the format does not keep to
            /// `losses`.
            pub fn set_about(&mut self, about: &$crate::About, losses: &mut $crate::Losses) {
                $crate::WriteGames::set_about(self, about, losses);
            }

            /// Returns warnings about the new base: properties that the format allows but its own
            /// program may not support.
            #[must_use]
            pub fn warnings(&self) -> &[$crate::Warning] {
                $crate::WriteGames::warnings(self)
            }
        }
    };

    (EncodeGames<$error:ty, $encoded:ty> for [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Encodes a game into `into`, replacing its contents. Adds the parts that the format
            /// cannot store to `losses`.
            ///
            /// # Errors
            /// `Scope::Game` if this game cannot be stored.
            pub fn encode(
                &mut self,
                game: &$crate::__core::Game,
                into: &mut $encoded,
                losses: &mut $crate::Losses,
            ) -> Result<(), $error> {
                $crate::EncodeGames::encode(self, game, into, losses)
            }
        }
    };

    (EditGames<$error:ty> for [$($generics:tt)*] $type:ty) => {
        /// Changes to the games and facts of the base.
        impl<$($generics)*> $type {
            /// Returns the number of games.
            #[must_use]
            pub fn len(&self) -> u64 {
                $crate::EditGames::len(self)
            }

            /// Returns whether the base has no games.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                $crate::EditGames::is_empty(self)
            }

            /// Marks a game as deleted, or removes the mark. The change may not be on the disk
            /// before `sync`.
            ///
            /// # Errors
            /// I/O errors; an unknown game.
            pub fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), $error> {
                $crate::EditGames::set_deleted(self, game, deleted)
            }

            /// Marks several games as deleted, or removes their marks. The changes may not be on
            /// the disk before `sync`.
            ///
            /// # Errors
            /// The errors of `set_deleted`. Some games before the failed one may be unchanged.
            pub fn set_deleted_all(&mut self, games: &[u64], deleted: bool) -> Result<(), $error> {
                $crate::EditGames::set_deleted_all(self, games, deleted)
            }

            /// Sets the flags of a game that the format identifies by letters. The change may not
            /// be on the disk before `sync`.
            ///
            /// # Errors
            /// I/O errors; an unknown game; flags that the format does not have.
            pub fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), $error> {
                $crate::EditGames::set_flags(self, game, flags)
            }

            /// States a fact of the base. An empty value removes it.
            ///
            /// # Errors
            /// I/O errors; a fact or a value that the format cannot store completely.
            pub fn set_fact(&mut self, fact: $crate::Fact, value: &str) -> Result<(), $error> {
                $crate::EditGames::set_fact(self, fact, value)
            }

            /// Replaces a game. Adds the parts that the format cannot store to `losses`. Returns
            /// the number that the game has now.
            ///
            /// # Errors
            /// I/O errors; an unknown game; a game that the format cannot store.
            pub fn replace(
                &mut self,
                game: u64,
                with: &$crate::__core::Game,
                losses: &mut $crate::Losses,
            ) -> Result<u64, $error> {
                $crate::EditGames::replace(self, game, with, losses)
            }

            /// Replaces the games that `next` provides. Returns the number of replacements.
            ///
            /// # Errors
            /// The errors of `replace` and of `next`. The games before the error are replaced. After
            /// an I/O error, all games may be unchanged.
            pub fn replace_all(
                &mut self,
                next: &mut $crate::NextReplacement<'_>,
                losses: &mut $crate::Losses,
            ) -> Result<u64, $crate::AnyError> {
                $crate::EditGames::replace_all(self, next, losses)
            }

            /// Appends a game and returns its number.
            ///
            /// # Errors
            /// I/O errors; a game that the format cannot store.
            pub fn append(
                &mut self,
                game: &$crate::__core::Game,
                losses: &mut $crate::Losses,
            ) -> Result<u64, $error> {
                $crate::EditGames::append(self, game, losses)
            }

            /// Appends the games that `next` provides until it returns `false`. Returns the number
            /// of games appended.
            ///
            /// # Errors
            /// The errors of `append` and of `next`. The games before the error are in the base.
            pub fn append_all(
                &mut self,
                next: &mut dyn FnMut(&mut $crate::__core::Game) -> Result<bool, $crate::AnyError>,
                losses: &mut $crate::Losses,
            ) -> Result<u64, $crate::AnyError> {
                $crate::EditGames::append_all(self, next, losses)
            }

            /// Waits until every change is on the disk.
            ///
            /// # Errors
            /// I/O errors.
            pub fn sync(&mut self) -> Result<(), $error> {
                $crate::EditGames::sync(self)
            }

            /// Removes deleted games and unreferenced space.
            ///
            /// # Errors
            /// I/O errors.
            pub fn compact(self) -> Result<(), $error> {
                $crate::EditGames::compact(self)
            }
        }
    };

    (StreamGames<$error:ty, $parser:ty> for [$($generics:tt)*] $type:ty) => {
        /// Blocks of whole games, for parsers on several threads.
        impl<$($generics)*> $type {
            /// Reads the next block into `block`, replacing its contents. Returns `false` at the
            /// end of the stream.
            ///
            /// # Errors
            /// I/O errors. After an error the stream is exhausted.
            pub fn block(&mut self, block: &mut $crate::Block) -> Result<bool, $error> {
                $crate::StreamGames::block(self, block)
            }

            /// Creates a parser for one thread.
            #[must_use]
            pub fn parser(&self) -> $parser {
                $crate::StreamGames::parser(self)
            }

            /// Returns the facts that the stream states. They are complete after the last block.
            #[must_use]
            pub fn about(&self) -> $crate::About {
                $crate::StreamGames::about(self)
            }
        }
    };

    (ParseGames<$error:ty> for [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Parses the next game of `block` into `into`, replacing its contents. Returns
            /// `false` after the last game.
            ///
            /// # Errors
            /// `Scope::Game` if only this game is damaged. The next call
            /// reads the next game.
            pub fn parse_game(
                &mut self,
                block: &mut $crate::Block,
                into: &mut $crate::__core::Game,
                diagnostics: &mut $crate::InBlock<$crate::Diagnostics>,
            ) -> Result<bool, $crate::InBlock<$error>> {
                $crate::ParseGames::parse_game(self, block, into, diagnostics)
            }
        }
    };
}
