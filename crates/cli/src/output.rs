//! Standard output that ends quietly when its reader does, and on a terminal goes through a pager.

use std::env;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::clean::Clean;
use crate::exit::{Failure, say};
use crate::interrupt;
use crate::style::is_dumb;

/// Standard output as a writer's sink, which remembers a broken pipe.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pipe {
    broken: Arc<AtomicBool>,
}

impl Pipe {
    /// Whether its reader has gone.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// A buffered sink into it.
    pub(crate) fn sink(&self) -> Box<dyn Write + Send> {
        let sink = BufWriter::with_capacity(1 << 16, self.clone());
        if io::stdout().is_terminal() { Box::new(Clean::new(sink)) } else { Box::new(sink) }
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
        self.note(io::stdout().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.note(io::stdout().flush())
    }
}

/// Text for people: paged if standard output is a terminal.
pub(crate) struct Paged {
    pager: Option<Child>,
    out: BufWriter<Box<dyn Write>>,
    /// What is to be said once the pager leaves the terminal.
    unsaid: Vec<String>,
    /// How much more than that there was.
    more: u64,
}

/// Lines that wait for the pager's end.
const UNSAID: usize = 1000;

impl Paged {
    /// For data: unchanged in a file or pipe, and cleaned on a terminal.
    pub(crate) fn data() -> Paged {
        let clean = io::stdout().is_terminal();
        Paged::new(&[], |out| if clean { Box::new(Clean::new(out)) } else { out })
    }

    /// For text with styles of the program's own.
    pub(crate) fn text() -> Paged {
        Paged::new(&[], |out| Box::new(Clean::styled(out)))
    }

    /// As [`text`](Paged::text), for a table whose first line stays on the screen.
    pub(crate) fn table() -> Paged {
        Paged::new(&["--header=1"], |out| Box::new(Clean::styled(out)))
    }

    /// Starts the user's pager (`PAGER`, else less) if there is somebody to page for.
    fn new(wishes: &[&str], cleaned: impl FnOnce(Box<dyn Write>) -> Box<dyn Write>) -> Paged {
        let mut pager = is_screen().then(|| start_pager(wishes)).flatten();
        if pager.is_some() {
            // It is the pager's to end on Ctrl-C.
            interrupt::leave_to_pager();
        }
        let input = pager.as_mut().and_then(|pager| pager.stdin.take());
        let sink: Box<dyn Write> = match input {
            Some(input) => Box::new(input),
            None => Box::new(io::stdout()),
        };
        Paged { pager, out: BufWriter::new(cleaned(sink)), unsaid: Vec::new(), more: 0 }
    }

    /// Says a line on standard error, after the pager if there is one: two programs must not
    /// write on one screen.
    pub(crate) fn say(&mut self, line: String) {
        match self.pager {
            None => say(line),
            Some(_) if self.unsaid.len() < UNSAID => self.unsaid.push(line),
            Some(_) => self.more = self.more.saturating_add(1),
        }
    }

    /// Waits for the pager to be closed. That it was closed early is no error.
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

/// Whether standard output is a terminal a pager can work on.
fn is_screen() -> bool {
    io::stdout().is_terminal() && !is_dumb()
}

/// Starts it, with options if it is a less that knows them.
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
        // Quit if it fits on one screen, keep colours, do not clear.
        command.env("LESS", "FRX");
    }
    command.spawn().ok()
}

/// Headers came with version 600 of 2022.
fn is_new_less(program: &str) -> bool {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    let text = output.map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let version = text.split_whitespace().nth(1).and_then(|word| word.split('.').next());
    version.and_then(|word| word.parse::<u32>().ok()).is_some_and(|version| version >= 600)
}
