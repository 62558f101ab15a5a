//! Reads JSON lines.

use std::io::Read;

use chess_core::Game;
use chess_store::{
    Block, Diagnostics, InBlock, Location, ParseGames, Place, StreamGames, check_variant,
};

use super::{Error, ErrorKind};

/// Size of a block, and of the longest line, in bytes.
const BLOCK: usize = 1 << 18;
const MAX_LINE: usize = 1 << 26;

/// The format of a line.
#[derive(Clone, Copy)]
pub(super) struct Syntax {
    /// The extension, for locations.
    pub(super) file: &'static str,
    /// Reads a line that is not empty. Returns `false` if it is no game but a comment.
    pub(super) read: fn(&[u8], &mut Game) -> Result<bool, ErrorKind>,
}

/// JSON lines.
pub(super) const JSON: Syntax = Syntax { file: "jsonl", read: read_line };

/// Cuts a stream into blocks of whole lines.
pub(super) struct Lines<R> {
    input: R,
    syntax: Syntax,
    /// Start of a line that the last block did not complete.
    rest: Vec<u8>,
    /// Offset of the next block.
    offset: u64,
    ended: bool,
    /// Pending error of the stream, until the lines before it are returned.
    failure: Option<Error>,
}

impl<R: Read + Send> Lines<R> {
    pub(super) fn new(input: R, syntax: Syntax) -> Lines<R> {
        Lines { input, syntax, rest: Vec::new(), offset: 0, ended: false, failure: None }
    }
}

impl<R: Read + Send> StreamGames for Lines<R> {
    type Error = Error;
    type Parser = Parser;

    fn block(&mut self, block: &mut Block) -> Result<bool, Error> {
        block.clear();
        let at = Location::file(self.syntax.file).at(self.offset);
        block.bytes.append(&mut self.rest);
        // The last line end, and how many bytes were searched. Each byte of a long line is searched
        // once. The rest of a block has no line end.
        let (mut line_end, mut searched) = (None, block.bytes.len());
        let end = loop {
            let new = block.bytes.get(searched..).unwrap_or_default();
            if let Some(last) = new.iter().rposition(|byte| *byte == b'\n') {
                line_end = Some(searched.saturating_add(last));
            }
            searched = block.bytes.len();
            match line_end {
                _ if self.ended => break block.bytes.len(),
                Some(last) if block.bytes.len() >= BLOCK => break last.saturating_add(1),
                None if block.bytes.len() > MAX_LINE => {
                    return Err(Error::new(ErrorKind::TooLong(MAX_LINE), at));
                }
                _ => {}
            }
            let read = (&mut self.input).take(BLOCK as u64).read_to_end(&mut block.bytes);
            match read {
                Ok(count) => self.ended = count == 0,
                Err(error) => {
                    let end = self.offset.saturating_add(block.bytes.len() as u64);
                    let at = Location::file(self.syntax.file).at(end);
                    self.failure = Some(Error::io(at)(error));
                    self.ended = true;
                }
            }
        };
        if end == 0
            && let Some(error) = self.failure.take()
        {
            return Err(error);
        }
        self.rest.extend_from_slice(block.bytes.get(end..).unwrap_or_default());
        block.bytes.truncate(end);
        block.end = end;
        block.place = InBlock::at(self.offset);
        block.used_place = block.place;
        block.broken = self.failure.is_some();
        self.offset = self.offset.saturating_add(end as u64);
        Ok(end > 0)
    }

    fn parser(&self) -> Parser {
        Parser(self.syntax)
    }
}

/// Parses the lines of a block.
pub(super) struct Parser(Syntax);

impl ParseGames for Parser {
    type Error = Error;

    fn parse_game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        _: &mut InBlock<Diagnostics>,
    ) -> Result<bool, InBlock<Error>> {
        into.clear();
        while block.used < block.end {
            let bytes = block.bytes.get(block.used..block.end).unwrap_or_default();
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let line = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
            let length = end.map_or(bytes.len(), |end| end.saturating_add(1));
            let place = *block.used_place.relative();
            let line = if place.offset == 0 { without_mark(line) } else { line };
            let is_empty = line.trim_ascii().is_empty();
            let read = if is_empty { Ok(false) } else { (self.0.read)(line, into) };
            block.used = block.used.saturating_add(length);
            block.used_place = InBlock::new(Place {
                offset: place.offset.saturating_add(length as u64),
                line: place.line.saturating_add(u64::from(end.is_some())),
                ..place
            });
            if matches!(read, Ok(false)) {
                continue;
            }
            let at = self.location(place).in_game(block.games);
            block.games += 1;
            let read = match read {
                Ok(_) => check_variant(into, Ok(()), || at).map(|()| true),
                Err(kind) => Err(Error::new(kind, at)),
            };
            return read.map_err(InBlock::new);
        }
        Ok(false)
    }
}

/// Strips the byte order mark that some programs write.
pub(super) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// A game, or the readable part of a damaged game. (docs/model.md §5)
fn read_line(line: &[u8], into: &mut Game) -> Result<bool, ErrorKind> {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Damaged {
        error: String,
        game: Game,
    }
    let wrong = |error: serde_json::Error| ErrorKind::Json(error.to_string());
    if line.starts_with(b"{\"error\":") {
        let damaged: Damaged = serde_json::from_slice(line).map_err(wrong)?;
        *into = damaged.game;
        return Err(ErrorKind::Recorded(damaged.error));
    }
    *into = serde_json::from_slice(line).map_err(wrong)?;
    Ok(true)
}

impl Parser {
    fn location(&self, place: Place) -> Location {
        Location::file(self.0.file).at(place.offset).on_line(place.line, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_lines_gives_games_and_located_errors() {
        let good = r#"{"tags":[["White","A"]],"fen":null,"line":["e2e4",{"comment":"x"}]}"#;
        let damaged = format!(r#"{{"error":"cut","game":{good}}}"#);
        let text = format!("{good}\n\n{{\"tags\":1}}\n{damaged}\r\n{good}");
        let reader = chess_store::StreamReader::new(Lines::new(text.as_bytes(), JSON));
        let all: Vec<Result<Game, Error>> = reader.into_iter().collect();
        assert_eq!(all.len(), 4);
        assert_eq!(all.iter().filter(|game| game.is_ok()).count(), 2);
        let said: Vec<String> =
            all.iter().filter_map(|game| Some(game.as_ref().err()?.to_string())).collect();
        assert!(said[0].starts_with(".jsonl, line 3, ") && said[0].contains("game 2"), "{said:?}");
        assert!(said[1].ends_with("damaged where it came from: cut"), "{said:?}");
    }

    #[test]
    fn read_byte_order_mark_is_skipped() {
        let line = r#"{"tags":[],"fen":null,"line":["e2e4"]}"#;
        let text = format!("\u{feff}{line}\n{line}\n");
        let reader = chess_store::StreamReader::new(Lines::new(text.as_bytes(), JSON));
        assert_eq!(reader.into_iter().filter_map(Result::ok).count(), 2);
        let probed = super::super::probe(text.as_bytes(), "txt");
        assert_eq!(probed, Some(super::super::Confidence::Certain));
    }

    #[test]
    fn read_failing_stream_fails_after_complete_lines() {
        struct Torn;
        impl Read for Torn {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("torn"))
            }
        }
        let line = "{\"tags\":[],\"fen\":null,\"line\":[\"e2e4\"]}\n";
        let text = format!("{line}{line}{{\"tags\":[],\"fen\"");
        let input = text.as_bytes().chain(Torn);
        let all: Vec<_> =
            chess_store::StreamReader::new(Lines::new(input, JSON)).into_iter().collect();
        let scopes: Vec<_> = all.iter().map(|game| game.as_ref().err().map(Error::scope)).collect();
        use chess_store::Scope::{Base, Game};
        assert_eq!(scopes, [None, None, Some(Game), Some(Base)]);
    }

    #[test]
    fn cut_blocks_hold_whole_lines() {
        let line = r#"{"tags":[],"fen":null,"line":["e2e4"]}"#;
        let text = format!("{line}\n").repeat(20_000);
        let mut source = Lines::new(text.as_bytes(), JSON);
        let (mut block, mut bytes, mut blocks) = (Block::default(), 0, 0);
        while source.block(&mut block).unwrap() {
            assert!(block.bytes.ends_with(b"\n"));
            bytes += block.end;
            blocks += 1;
        }
        assert!(bytes == text.len() && blocks > 1, "{blocks}");
    }
}
