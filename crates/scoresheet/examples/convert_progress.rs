//! Converts a base to another format, shows how far the conversion is, and stops it after a number of
//! games.
//!
//! ```console
//! $ cargo run --example convert_progress fixtures/scid/plain/base.si4 target/example.pgn 4
//! 4 games read, 4 written
//! ```

use std::ops::ControlFlow;

use scoresheet::{Converter, CreateOptions, Outcome, Progress, Watch};

/// Ends the conversion after this many games. A program would look at its "Cancel" button here.
struct Stop(u64);

impl Watch for Stop {
    fn outcome(&mut self, _: &Outcome<'_>) -> ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn progress(&mut self, progress: Progress) {
        let Progress { done, total, .. } = progress;
        eprintln!("{done} of {}", total.map_or("?".into(), |total| total.to_string()));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, games] = arguments.as_slice() else {
        return Err("usage: convert_progress BASE NEW GAMES".into());
    };
    let mut output = scoresheet::create(output, &CreateOptions::default())?;
    let mut converter = Converter::new();
    let mut stop = Stop(games.parse()?);
    converter.run(&mut scoresheet::open(input)?, &mut output, &mut stop)?;
    output.finish()?;
    println!("{}", converter.summary());
    Ok(())
}
