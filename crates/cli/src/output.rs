//! Standard output. It ends quietly when the reader of a pipe does, and goes through a pager on a
//! terminal.

use std::env;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pages::clean::Clean;

use crate::exit::{Failure, say};
use crate::interrupt;
use crate::style::is_dumb;

/// Standard output. If another program has made the pipe non-blocking, a write waits until the pipe
/// has room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stdout;

impl Stdout {
    /// Returns a buffered sink for data. On a terminal, no escape sequence passes.
    pub(crate) fn data(self) -> BufWriter<Box<dyn Write>> {
        let out = Box::new(self);
        BufWriter::new(if Stdout.is_terminal() { Box::new(Clean::new(out)) } else { out })
    }

    pub(crate) fn is_terminal(self) -> bool {
        system().is_terminal()
    }
}

#[expect(clippy::disallowed_methods, reason = "the only place")]
fn system() -> io::Stdout {
    io::stdout()
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        waiting(|| system().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        waiting(|| system().flush())
    }
}

/// Repeats a call while it would block. A signal that asks to stop ends the wait.
fn waiting<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    const PAUSE: Duration = Duration::from_millis(2);
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && !interrupt::is_asked() => {
                thread::sleep(PAUSE);
            }
            result => return result,
        }
    }
}

/// Standard output as the sink of a writer. It remembers that the pipe is broken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pipe {
    broken: Arc<AtomicBool>,
}

impl Pipe {
    /// Returns whether the reader of the pipe has gone.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// Returns a buffered sink that writes to the pipe.
    pub(crate) fn sink(&self) -> Box<dyn Write + Send> {
        let sink = BufWriter::with_capacity(1 << 16, self.clone());
        if Stdout.is_terminal() { Box::new(Clean::new(sink)) } else { Box::new(sink) }
    }

    fn note<T>(&self, result: io::Result<T>) -> io::Result<T> {
        if result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            self.broken.store(true, Ordering::Relaxed);
        }
        result
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.note(Stdout.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.note(Stdout.flush())
    }
}

/// Text for people. It goes through a pager if standard output is a terminal.
pub(crate) struct Paged {
    pager: Option<Child>,
    out: BufWriter<Box<dyn Write>>,
    /// Lines to print on standard error once the pager has left the terminal.
    unsaid: Vec<String>,
    /// How many lines were dropped because there were too many.
    more: u64,
}

/// The most lines that wait for the pager to end.
const UNSAID: usize = 1000;

impl Paged {
    /// Output for data: unchanged in a file or pipe, without escape sequences on a terminal.
    pub(crate) fn data() -> Paged {
        let clean = Stdout.is_terminal();
        Paged::new(&[], |out| if clean { Box::new(Clean::new(out)) } else { out })
    }

    /// Output for text with styles of the program.
    pub(crate) fn text() -> Paged {
        Paged::new(&[], |out| Box::new(Clean::styled(out)))
    }

    /// Like [`text`](Paged::text), for a table whose first line stays on the screen.
    pub(crate) fn table() -> Paged {
        Paged::new(&["--header=1"], |out| Box::new(Clean::styled(out)))
    }

    /// Starts the user's pager (`PAGER`, or else less) if standard output is a terminal.
    fn new(wishes: &[&str], cleaned: impl FnOnce(Box<dyn Write>) -> Box<dyn Write>) -> Paged {
        let mut pager = is_screen().then(|| start_pager(wishes)).flatten();
        if pager.is_some() {
            // The pager decides whether Ctrl-C ends it.
            interrupt::leave_to_pager();
        }
        let input = pager.as_mut().and_then(|pager| pager.stdin.take());
        let sink: Box<dyn Write> = match input {
            Some(input) => Box::new(input),
            None => Box::new(Stdout),
        };
        Paged { pager, out: BufWriter::new(cleaned(sink)), unsaid: Vec::new(), more: 0 }
    }

    /// Prints a line on standard error. If there is a pager, the line waits until the pager ends,
    /// because two programs must not write on one screen.
    pub(crate) fn say(&mut self, line: String) {
        match self.pager {
            None => say(line),
            Some(_) if self.unsaid.len() < UNSAID => self.unsaid.push(line),
            Some(_) => self.more += 1,
        }
    }

    /// Waits until the user closes the pager. Closing it early is no error.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let flushed = self.out.flush();
        drop(self.out);
        if let Some(mut pager) = self.pager {
            pager.wait()?;
        }
        for line in self.unsaid {
            say(line);
        }
        if self.more > 0 {
            say(format_args!("... and {} lines more", self.more));
        }
        Ok(flushed?)
    }
}

impl Write for Paged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns whether standard output is a terminal on which a pager works.
fn is_screen() -> bool {
    Stdout.is_terminal() && !is_dumb()
}

/// Starts the pager, with options if it is a less that supports them.
fn start_pager(wishes: &[&str]) -> Option<Child> {
    let wanted = env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let mut words = wanted.split_whitespace();
    let program = words.next()?;
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if !wishes.is_empty() && program.ends_with("less") && is_new_less(program) {
        command.args(wishes);
    }
    if env::var_os("LESS").is_none() {
        // Quit if the text fits on one screen, keep colours, do not clear.
        command.env("LESS", "FRX");
    }
    command.spawn().ok()
}

/// Returns whether less supports headers, which came with version 600 in 2022.
fn is_new_less(program: &str) -> bool {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    let text = output.map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let version = text.split_whitespace().nth(1).and_then(|word| word.split('.').next());
    version.and_then(|word| word.parse::<u32>().ok()).is_some_and(|version| version >= 600)
}
