//! `scoresheet info`

use std::io::{self, Write};

use scoresheet::chess_core::{Diagnostics, Game, Scope};
use scoresheet::{Source, describe};

use crate::args::Info;
use crate::exit::{Done, Failure, say};
use crate::progress::Metered;

pub(crate) fn run(arguments: &Info) -> Result<Done, Failure> {
    let mut base = scoresheet::open_with(&arguments.file, &arguments.reading.options())?;
    let mut out = io::stdout().lock();
    writeln!(out, "{:<12} {}", "file", base.path().display())?;
    writeln!(out, "{:<12} {}", "format", base.format().title)?;
    if let Some(database) = base.database() {
        for (name, value) in database.about() {
            writeln!(out, "{name:<12} {value}")?;
        }
        for warning in database.warnings() {
            writeln!(out, "{:<12} {warning}", "odd")?;
        }
    }
    let path = base.path().to_path_buf();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let (mut games, mut damaged) = (0u64, 0u64);
    let mut reader = Metered::new(base.reader());
    loop {
        diagnostics.clear();
        match reader.next(&mut game, &mut diagnostics) {
            Ok(false) => break,
            Ok(true) => {}
            Err(error) if error.scope() == Scope::Base => {
                return Err(Failure::Failed(describe(&path, &error).to_string()));
            }
            Err(error) => {
                damaged = damaged.saturating_add(1);
                say(describe(&path, &error));
            }
        }
        games = games.saturating_add(1);
    }
    writeln!(out, "{:<12} {games}", "games")?;
    if damaged > 0 {
        writeln!(out, "{:<12} {damaged}", "damaged")?;
    }
    out.flush()?;
    Ok(if damaged == 0 { Done::Well } else { Done::WithLosses })
}
