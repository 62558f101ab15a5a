//! Writes a page: keeps the games until the end, because the contents come before them.

use std::io::{self, Write};

use chess_core::{Game, Token};
use chess_store::io::{ReadAt as _, Spool};
use chess_store::{
    About, EncodeGames, Fact, Location, Loss, LossKind, Losses, ScratchEncoder, WriteGames,
};

use super::Error;
use super::render::{Facts, Style, render};

/// The title of a page that has none.
const TITLE: &str = "Chess games";
/// Size of the pieces in which the games are copied.
const PIECE: usize = 1 << 16;

/// Writes a page to a stream.
pub(super) struct Writer<S: Style> {
    sink: Box<dyn Write + Send>,
    style: S,
    title: String,
    entries: Spool,
    games: Spool,
    count: u64,
    own: ScratchEncoder<Writer<S>>,
}

/// A game as it will be printed.
#[derive(Default)]
pub(super) struct Printed {
    entry: String,
    text: String,
}

impl chess_store::Trim for Printed {
    fn trim(&mut self, most: usize) {
        self.entry.trim(most);
        self.text.trim(most);
    }
}

impl<S: Style> Writer<S> {
    /// Creates a writer. An empty `title` means the description of the base.
    pub(super) fn new(sink: Box<dyn Write + Send>, style: S, title: String) -> Writer<S> {
        Writer {
            sink,
            style,
            title,
            entries: Spool::default(),
            games: Spool::default(),
            count: 0,
            own: ScratchEncoder::default(),
        }
    }

    fn push(&mut self, printed: &Printed) -> io::Result<()> {
        self.count += 1;
        let entry = self.style.numbered_entry(self.count, &printed.entry);
        self.entries.push(entry.as_bytes())?;
        self.games.push(self.style.start(self.count).as_bytes())?;
        self.games.push(printed.text.as_bytes())
    }

    fn write(self) -> io::Result<()> {
        let Writer { mut sink, style, title, entries, games, count, .. } = self;
        let title = if title.is_empty() { TITLE } else { &*title };
        sink.write_all(style.head(title, count).as_bytes())?;
        if count > 1 {
            copy(&entries.finish()?, &mut sink)?;
            sink.write_all(style.after_contents().as_bytes())?;
        }
        copy(&games.finish()?, &mut sink)?;
        sink.write_all(style.foot().as_bytes())?;
        sink.flush()
    }
}

fn copy(from: &Spool, to: &mut impl Write) -> io::Result<()> {
    let size = from.size()?;
    let (mut piece, mut done) = (vec![0; PIECE], 0u64);
    while done < size {
        let left = usize::try_from(size.saturating_sub(done)).unwrap_or(PIECE).min(PIECE);
        piece.truncate(left);
        from.read_full(done, &mut piece)?;
        to.write_all(&piece)?;
        done = done.saturating_add(left as u64);
    }
    Ok(())
}

impl<S: Style> WriteGames for Writer<S> {
    type Error = Error;
    type Encoder = Encoder<S>;
    type Encoded = Printed;

    fn encoder(&self) -> Encoder<S> {
        Encoder(self.style.clone())
    }

    fn append(&mut self, encoded: &mut Printed, _: &mut Losses) -> Result<(), Error> {
        self.push(encoded).map_err(Error::io(Location::default()))
    }

    fn set_about(&mut self, about: &About, losses: &mut Losses) {
        if let (true, Some(title)) = (self.title.is_empty(), about.get(Fact::Description)) {
            title.clone_into(&mut self.title);
        }
        // No program can get a fact back from a page.
        about.lose(losses, |_| false);
    }

    fn finish(self) -> Result<(), Error> {
        self.write().map_err(Error::io(Location::default()))
    }

    fn own(&mut self) -> &mut ScratchEncoder<Writer<S>> {
        &mut self.own
    }
}

/// Prints games on any thread.
pub(super) struct Encoder<S>(S);

impl<S: Style> EncodeGames for Encoder<S> {
    type Error = Error;
    type Encoded = Printed;

    fn encode(
        &mut self,
        game: &Game,
        into: &mut Printed,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        into.text.clear();
        into.entry = self.0.entry(&Facts::of(game));
        render(game, &self.0, &mut into.text);
        lose_characters(game, |letter| self.0.lacks(letter), losses);
        Ok(())
    }
}

/// Reports texts with characters that the page cannot hold.
fn lose_characters(game: &Game, lacks: impl Fn(char) -> bool, losses: &mut Losses) {
    game.header.for_each_tag(|name, value| {
        if value.to_string().contains(&lacks) || name.contains(&lacks) {
            losses.push(Loss::new(LossKind::Characters, name.replace(&lacks, "\u{fffd}")));
        }
    });
    if !game.all_comments().contains(&lacks) {
        return;
    }
    let is_bad = |token: &Token<'_>| matches!(token, Token::Comment(text) if text.contains(&lacks));
    let count = game.tokens().filter(is_bad).count();
    losses.extend((0..count).map(|_| Loss::new(LossKind::Characters, "comment")));
}
