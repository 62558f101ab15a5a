//! Tasks, each with a program that runs.
//!
//! This module has no code. Each section is a complete example; copy it and change the paths. Larger
//! programs are in the folder `examples` of each crate.
//!
//! - [Convert a base](#convert-a-base)
//! - [Count games](#count-games)
//! - [Filter games](#filter-games)
//! - [Search a position](#search-a-position)
//! - [Walk through variations](#walk-through-variations)
//! - [Count the moves of an opening](#count-the-moves-of-an-opening)
//! - [Write a base](#write-a-base)
//! - [Read damaged games](#read-damaged-games)
//! - [Work in memory](#work-in-memory)
//! - [Read on several threads](#read-on-several-threads)
//! - [Show progress and cancel](#show-progress-and-cancel)
//! - [Change a base in place](#change-a-base-in-place)
//! - [Write Parquet](#write-parquet)
//!
//! # Convert a base
//!
//! The path decides the format of the new base. [`Summary`](crate::Summary) counts what was read,
//! written and lost.
//!
//! ```
//! use scoresheet::{Converter, CreateOptions};
//!
//! # let folder = tempfile::tempdir()?;
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scid/plain"))?;
//! # let target = folder.path().join("new.pgn");
//! let mut base = scoresheet::open("base.si4")?;
//! let mut output = scoresheet::create(&target, &CreateOptions::default())?;
//! let mut converter = Converter::new();
//! converter.run(&mut base, &mut output, &mut ())?;
//! // The new base appears now, complete. Without this call nothing is left behind.
//! output.finish()?;
//! assert_eq!(converter.summary().to_string(), "6 games read, 6 written");
//! assert!(converter.summary().is_complete());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Count games
//!
//! [`Base::len`](crate::Base::len) is the number of games of a database. A stream, such as PGN, has to be
//! read to its end.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scid/plain"))?;
//! let base = scoresheet::open("base.si4")?;
//! assert_eq!(base.len(), Some(6));
//!
//! let mut text = scoresheet::open("expected.pgn")?;
//! assert_eq!(text.len(), None);
//! let mut plies = 0;
//! for game in text.games() {
//!     plies += game?.ply_count();
//! }
//! assert_eq!(plies, 192);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Filter games
//!
//! The methods of [`Filter`](crate::Filter) take the values of the program's options of the same names.
//! A [`Scanner`](crate::Scanner) reads on all cores and hands the games out in order. Games that the index
//! rules out are not read.
//!
//! ```
//! use scoresheet::{Filter, Scanner};
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scid/plain"))?;
//! let filter = Filter::named([("player", "morphy"), ("date", "..1900"), ("result", "1-0")])?;
//! let mut found = Vec::new();
//! Scanner::new().filter(filter).for_each(&mut scoresheet::open("base.si4")?, |scanned| {
//!     found.push(scanned.game.header.black.clone());
//! })?;
//! assert_eq!(found, ["Duke and Count"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Search a position
//!
//! A FEN of one field asks for the pieces alone; with two fields the side to move counts too.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use scoresheet::{Error, Filter, Scanner};
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scid/plain"))?;
//! let fen = "rnbqkbnr/ppp2ppp/3p4/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w";
//! let filter = Filter::new().with("position", fen)?;
//! let mut number = None;
//! // `run` can stop, and its closure can fail. `for_each` is for closures that do neither.
//! Scanner::new().filter(filter).run(&mut scoresheet::open("base.si4")?, |scanned| {
//!     number = Some(scanned.number + 1);
//!     Ok::<_, Error>(ControlFlow::Break(()))
//! })?;
//! assert_eq!(number, Some(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Walk through variations
//!
//! [`Game::tokens`](chess_core::Game::tokens) is the movetext in order.
//! [`Game::tree`](chess_core::Game::tree) is a view of the same moves as a tree, with the NAGs and comments
//! of each move.
//!
//! ```
//! use scoresheet::pgn::{self, San};
//!
//! let [game] = &pgn::read_all("1. e4 e5 (1... c5 2. Nf3 {Sicilian}) 2. Nf3 *")?[..] else {
//!     panic!("one game")
//! };
//! let tree = game.tree();
//! let mut text = String::new();
//! for node in tree.nodes() {
//!     let (Some(parent), Some(m)) = (node.parent(), node.played()) else { continue };
//!     let san = San::new(&parent.position(), m);
//!     let comments: Vec<&str> = node.comments().collect();
//!     text += &format!("{} {san} {};", node.ply(), comments.join(" "), san = san.as_str());
//! }
//! assert_eq!(text, "1 e4 ;2 e5 ;2 c5 ;3 Nf3 Sicilian;3 Nf3 ;");
//!
//! // The first child goes on with the line. The others replace it.
//! let e4 = tree.root().next().expect("a move");
//! assert_eq!(e4.children().count(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Count the moves of an opening
//!
//! An [`Explorer`](crate::tree::Explorer) counts the moves played from a position, by any order of
//! moves.
//!
//! ```
//! use scoresheet::filter::Line;
//! use scoresheet::tree::Explorer;
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scid/plain"))?;
//! let mut explorer = Explorer::of_line(&Line::parse("1. e4 e5")?);
//! explorer.run(&mut scoresheet::open("base.si4")?, &mut |_| ())?;
//! let tree = explorer.finish();
//! assert_eq!(tree.branches[0].m.to_string(), "g1f3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Write a base
//!
//! [`Output::write`](crate::Output::write) adds the parts of a game that the format cannot hold to
//! `losses`. A loop that copies a base also calls
//! [`set_about`](crate::Output::set_about) with [`base.about()`](crate::Base::about) after the games:
//! it copies the description, the type and the default game. A [`Converter`](crate::Converter) does
//! that itself.
//!
//! ```
//! use scoresheet::{CreateOptions, Losses};
//! use scoresheet::chess_core::Game;
//!
//! # let folder = tempfile::tempdir()?;
//! # let target = folder.path().join("new.dci");
//! let mut game = Game::new();
//! game.header.set("White", "Anderssen, Adolf");
//! game.header.set("Annotator", "Nobody");
//! for m in ["e2e4", "e7e5", "f2f4"] {
//!     game.push_move(m.parse()?);
//! }
//! game.start_variation()?;
//! game.push_move("g1f3".parse()?);
//! game.end_variation()?;
//!
//! let mut output = scoresheet::create(&target, &CreateOptions::default())?;
//! let mut losses = Losses::new();
//! output.write(&game, &mut losses)?;
//! output.finish()?;
//! // DCG has no place for this tag.
//! assert_eq!(losses.total(), 1);
//! assert_eq!(scoresheet::open(&target)?.len(), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Read damaged games
//!
//! A damaged game is an error, and the next game still reads. [`Base::reader`](crate::Base::reader) keeps
//! the moves before the damage. Deviations that lose nothing are warnings.
//!
//! ```
//! use scoresheet::chess_core::Game;
//! use scoresheet::chess_store::Diagnostics;
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scid/bad_move"))?;
//! let mut base = scoresheet::open("base.si4")?;
//! let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
//! let (mut sound, mut damaged) = (0, Vec::new());
//! let mut reader = base.reader();
//! loop {
//!     match reader.read_game(&mut game, &mut diagnostics) {
//!         Ok(false) => break,
//!         Ok(true) => sound += 1,
//!         // The error names file, byte, game and ply.
//!         Err(error) => damaged.push((error.to_string(), game.ply_count())),
//!     }
//!     for warning in diagnostics.warnings() {
//!         println!("{warning}");
//!     }
//! }
//! assert_eq!((sound, damaged.len()), (2, 1));
//! assert!(damaged[0].0.contains("game 2"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Work in memory
//!
//! [`Inputs`](crate::Inputs) holds files that are open already: bytes, or anything that implements
//! [`ReadAt`](chess_store::io::ReadAt). The format crates write to memory too.
//!
//! ```
//! use scoresheet::{Inputs, Losses, OpenOptions, pgn};
//!
//! let mut writer = dcg::Writer::in_memory();
//! for game in &pgn::read_all("1. e4 e5 *")? {
//!     writer.write(game, &mut Losses::new())?;
//! }
//! let files = writer.into_bytes()?;
//!
//! let mut inputs = Inputs::new("base.dci");
//! inputs.add("base.dci", files.dci);
//! inputs.add("base.dcn", files.dcn);
//! inputs.add("base.dcs", files.dcs);
//! inputs.add("base.dce", files.dce.unwrap_or_default());
//! inputs.add("base.dcg", files.dcg);
//! let mut base = scoresheet::open_inputs(&inputs, &OpenOptions::default())?;
//! assert_eq!(base.games().count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Read on several threads
//!
//! [`Scanner`](crate::Scanner), [`Converter`](crate::Converter) and [`Explorer`](crate::tree::Explorer)
//! use every core; `threads` sets another number. To read in another way, give each thread a reader of the
//! shared base. Only one thread at a time reads a stream.
//!
//! ```
//! use std::sync::Arc;
//!
//! use chess_store::Reader;
//! use scid::{Database, Diagnostics, Game};
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scid/plain"))?;
//! let base = Arc::new(Database::open("base.si4")?);
//! let count = |first: u64| {
//!     // The reader owns its share of the base, so the thread may outlive this function.
//!     let mut reader = Reader::<Database, _>::new(Arc::clone(&base));
//!     std::thread::spawn(move || {
//!         let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
//!         let mut plies = 0;
//!         for number in (first..reader.base().len()).step_by(2) {
//!             reader.game(number, &mut game, &mut diagnostics)?;
//!             plies += game.ply_count();
//!         }
//!         Ok::<_, scid::Error>(plies)
//!     })
//! };
//! let [one, other] = [count(0), count(1)].map(|thread| thread.join().expect("no panic"));
//! let alone: usize = base.games().filter_map(Result::ok).map(|game| game.ply_count()).sum();
//! assert_eq!(one? + other?, alone);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Show progress and cancel
//!
//! A [`Watch`](crate::Watch) sees the outcome of each game. `Break` ends the conversion; what was written
//! so far is a valid base.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use scoresheet::{Converter, CreateOptions, Outcome, Progress, Watch};
//!
//! struct Dialog {
//!     games: u64,
//! }
//!
//! impl Watch for Dialog {
//!     fn outcome(&mut self, outcome: &Outcome<'_>) -> ControlFlow<()> {
//!         for loss in outcome.losses {
//!             println!("game {}: {loss}", outcome.number + 1);
//!         }
//!         self.games += 1;
//!         // A program looks at its "Cancel" button here.
//!         if self.games == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
//!     }
//!
//!     fn progress(&mut self, progress: Progress) {
//!         println!("{} of {:?}", progress.done, progress.total);
//!     }
//! }
//!
//! # let folder = tempfile::tempdir()?;
//! # let target = folder.path().join("new.pgn");
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scid/plain"))?;
//! let mut output = scoresheet::create(&target, &CreateOptions::default())?;
//! let mut converter = Converter::new();
//! converter.run(&mut scoresheet::open("base.si4")?, &mut output, &mut Dialog { games: 0 })?;
//! output.finish()?;
//! assert_eq!(converter.summary().written, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Change a base in place
//!
//! [`edit`](crate::edit) opens bases of the formats that allow it. If an edit stops at any point, the
//! base still opens with all previous games.
//!
//! ```
//! use scoresheet::OpenOptions;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("base.si4");
//! # for extension in ["si4", "sg4", "sn4"] {
//! #     let from = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scid/plain/base");
//! #     std::fs::copy(format!("{from}.{extension}"), path.with_extension(extension))?;
//! # }
//! let mut editor = scoresheet::edit(&path, &OpenOptions::default())?;
//! editor.set_deleted(0, true)?;
//! editor.compact()?;
//! assert_eq!(scoresheet::open(&path)?.len(), Some(5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Write Parquet
//!
//! With the feature `tables`, a path that ends in `.parquet` makes a table with a row for each game.
//!
#![cfg_attr(feature = "tables", doc = "```")]
#![cfg_attr(not(feature = "tables"), doc = "```ignore")]
//! use scoresheet::{Converter, CreateOptions};
//!
//! # let folder = tempfile::tempdir()?;
//! # let target = folder.path().join("games.parquet");
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scid/plain"))?;
//! let mut output = scoresheet::create(&target, &CreateOptions::default())?;
//! Converter::new().run(&mut scoresheet::open("base.si4")?, &mut output, &mut ())?;
//! output.finish()?;
//! // The table reads like any other base.
//! assert_eq!(scoresheet::open(&target)?.games().count(), 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
