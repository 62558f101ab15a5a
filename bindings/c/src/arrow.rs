//! Games as rows of an Arrow C stream.

use std::mem::MaybeUninit;

use crate::base::Base;
use crate::filter::Filter;
use crate::options::Options;
use crate::status::{Error, Failure, Status, call, needed};

#[cfg(feature = "arrow")]
use scoresheet::tables::arrow_array::ffi_stream::FFI_ArrowArrayStream as ArrowArrayStream;

/// The structure of Arrow, which no build without Arrow fills.
#[cfg(not(feature = "arrow"))]
#[repr(C)]
#[derive(Debug)]
pub struct ArrowArrayStream([Option<std::ptr::NonNull<std::ffi::c_void>>; 5]);

#[cfg(not(feature = "arrow"))]
impl ArrowArrayStream {
    fn empty() -> ArrowArrayStream {
        ArrowArrayStream([None; 5])
    }
}

/// Returns the games that `filter` selects as rows of an Arrow C stream, which DuckDB, Polars, pyarrow and other
/// libraries import without a copy. `filter` and `options` may be NULL.
///
/// Only a library that was compiled with its feature `arrow` does this. Any other returns
/// `SCORESHEET_STATUS_UNSUPPORTED`.
///
/// The option `rows` is `games` or `plies`: a row is a game or a half-move. `columns` has names with commas between
/// them; docs/tables.md lists them. `min-ply` and `max-ply` select half-moves. `time-unit` is `ms` or `us`. With
/// `strict` as `yes` the first deviation is an error. `batch-rows` and `threads` are numbers.
///
/// The games are read on threads of the library while the stream is consumed. A damaged game is a row with the moves
/// before the damage, and the column `damage` says why. If the base as a whole cannot be read further, `get_next`
/// fails, and `get_last_error` has the message.
///
/// The caller calls `stream->release` once, at any time; it stops the reading. The base and the filter may be freed
/// before. After a failure `stream->release` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_base_arrow_stream(
    base: Option<&Base>,
    filter: Option<&Filter>,
    options: Option<&Options>,
    stream: Option<&mut MaybeUninit<ArrowArrayStream>>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || {
        let out = needed(stream, "stream")?;
        out.write(ArrowArrayStream::empty());
        let base = needed(base, "base")?;
        out.write(open(base, filter, options)?);
        Ok(())
    })
}

#[cfg(feature = "arrow")]
fn open(
    base: &Base,
    filter: Option<&Filter>,
    options: Option<&Options>,
) -> Result<ArrowArrayStream, Failure> {
    let tabling = crate::options::Tabling::new(options)?;
    let mut table = scoresheet::Table::new(Vec::<&str>::new(), tabling.selection)
        .filter(Filter::criteria(filter)?)
        .strict(tabling.strict || base.is_strict());
    if let Some(threads) = tabling.threads.or(base.threads()) {
        table = table.threads(threads);
    }
    if let Some(rows) = tabling.batch_rows {
        table = table.batch_rows(rows);
    }
    Ok(ArrowArrayStream::new(Box::new(table.batches_of(base.in_order()?))))
}

#[cfg(not(feature = "arrow"))]
fn open(_: &Base, _: Option<&Filter>, _: Option<&Options>) -> Result<ArrowArrayStream, Failure> {
    let text = "this library was compiled without Arrow; compile it with the feature arrow";
    Err(Failure::new(Status::Unsupported, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stream_has_size_of_five_pointers() {
        assert_eq!(size_of::<ArrowArrayStream>(), 5 * size_of::<usize>());
    }

    #[cfg(feature = "arrow")]
    mod streams {
        use std::fs;
        use std::path::{Path, PathBuf};

        use scoresheet::tables::arrow_array::ffi_stream::RecordBatchStreamReader;
        use scoresheet::tables::arrow_array::{RecordBatch, RecordBatchReader as _};
        use scoresheet::tables::{Rows, Selection};
        use scoresheet::{Converter, CreateOptions, Table};

        use super::*;
        use crate::ffi::CText;
        use crate::options::{Opening, scoresheet_options_set};

        fn fixture(name: &str) -> PathBuf {
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
        }

        fn base(path: impl AsRef<Path>, options: Option<&Options>) -> Base {
            Base::open(path.as_ref().into(), None, Opening::new(options).unwrap()).unwrap()
        }

        fn options(pairs: &[(&std::ffi::CStr, &std::ffi::CStr)]) -> Options {
            let mut options = Options::default();
            for (name, value) in pairs {
                let (name, value) = (CText::new(name), CText::new(value));
                scoresheet_options_set(Some(&mut options), name, value, None);
            }
            options
        }

        fn stream(
            base: &Base,
            filter: Option<&Filter>,
            options: &Options,
        ) -> RecordBatchStreamReader {
            RecordBatchStreamReader::try_new(open(base, filter, Some(options)).unwrap()).unwrap()
        }

        fn batches(base: &Base, options: &Options) -> Vec<RecordBatch> {
            stream(base, None, options).map(Result::unwrap).collect()
        }

        #[test]
        fn rows_equal_those_of_table() {
            for name in ["scid/plain/base.si4", "scid/bad_move/base.si4", "pgn/many_games/base.pgn"]
            {
                let path = fixture(name);
                for (rows, word) in [(Rows::Games, c"games"), (Rows::Plies, c"plies")] {
                    let options = options(&[(c"rows", word), (c"batch-rows", c"7")]);
                    let base = base(&path, None);
                    let reader = stream(&base, None, &options);
                    // The stream does not need the base.
                    drop(base);
                    let table = Table::new([&path], Selection::usual(rows)).batch_rows(7);
                    assert_eq!(reader.schema(), table.schema());
                    let expected: Vec<RecordBatch> = table.batches().map(Result::unwrap).collect();
                    let found: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
                    assert!(found.len() > 1 || name.starts_with("scid"), "{name}");
                    assert_eq!(found, expected, "{name}");
                }
            }
        }

        #[test]
        fn base_in_memory_has_rows_of_its_file() {
            let path = fixture("pgn/many_games/base.pgn");
            let columns = options(&[(c"columns", c"White, plies,game")]);
            let bytes = fs::read(&path).unwrap().into();
            let opening = Opening::new(None).unwrap();
            let memory = Base::open("x.pgn".into(), Some(bytes), opening).unwrap();
            let found = batches(&memory, &columns);
            assert_eq!(found, batches(&base(&path, None), &columns));
            assert_eq!(found.iter().map(RecordBatch::num_columns).max(), Some(3));
            // Also once its games are numbered.
            let nobody = crate::Watcher::new(None, std::ptr::null_mut());
            memory.numbered(nobody).unwrap();
            assert_eq!(found, batches(&memory, &columns));
        }

        #[test]
        fn rows_are_those_that_filter_selects() {
            let base = base(fixture("pgn/many_games/base.pgn"), None);
            let options = options(&[(c"columns", c"game")]);
            let mut filter = Filter::default();
            let word = CText::new(c"games=11..15");
            crate::scoresheet_filter_add_word(Some(&mut filter), word, None);
            let found = stream(&base, Some(&filter), &options);
            assert_eq!(found.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 5);
        }

        #[test]
        fn stream_released_early_or_unread_stops() {
            let base = base(fixture("pgn/many_games/base.pgn"), None);
            let options = options(&[(c"rows", c"plies"), (c"batch-rows", c"1")]);
            let mut reader = stream(&base, None, &options);
            assert!(reader.next().unwrap().unwrap().num_rows() > 0);
            drop(reader);
            drop(stream(&base, None, &options));
            drop(open(&base, None, Some(&options)).unwrap());
        }

        #[test]
        fn text_cut_short_ends_with_error_after_its_rows() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("games.arrow");
            let mut games = scoresheet::open(fixture("pgn/many_games/base.pgn")).unwrap();
            let mut output = scoresheet::create(&path, &CreateOptions::default()).unwrap();
            Converter::new().run(&mut games, &mut output, &mut ()).unwrap();
            output.finish().unwrap();
            let bytes = fs::read(&path).unwrap();
            fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
            let mut reader = stream(&base(&path, None), None, &Options::default());
            let error = reader.find_map(Result::err).unwrap().to_string();
            assert!(error.contains("games.arrow"), "{error}");
            assert!(reader.next().is_none());
        }

        #[test]
        fn strict_stream_of_damaged_game_is_error() {
            let path = fixture("scid/bad_move/base.si4");
            let strict = options(&[(c"strict", c"yes")]);
            let mut reader = stream(&base(&path, None), None, &strict);
            let error = reader.find_map(Result::err).unwrap().to_string();
            assert!(error.contains("base.sg4: byte 8, game 2"), "{error}");
        }

        #[test]
        fn options_of_stream_are_checked() {
            let base = base(fixture("scid/plain/base.si4"), None);
            for (name, value, message) in [
                (c"rows", c"games,plies", "rows"),
                (c"columns", c"White,Nobody", "Nobody"),
                (c"min-ply", c"3", "ply"),
                (c"batch-rows", c"many", "batch-rows is a number"),
                (c"level", c"3", "no option level"),
            ] {
                let failure = open(&base, None, Some(&options(&[(name, value)]))).unwrap_err();
                let error = Error::from(&failure);
                assert_eq!(crate::scoresheet_error_status(Some(&error)), Status::BadArgument);
                assert!(format!("{failure:?}").contains(message), "{failure:?}");
            }
        }
    }
}
