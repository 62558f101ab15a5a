//! Converts a base on two threads, or as many as the last argument says, with another one that does
//! only what must happen in order. The work of that thread is what more cores cannot shorten.
//!
//! ```console
//! $ cargo run --example convert_apart si4 fixtures/scid/plain/base.si4 dcg target/example.dci
//! 6 games read, 6 written, 1 with losses
//! ```

use std::error::Error;

use scoresheet::{Converter, CreateOptions, OpenOptions, create_as, format_named, open_as};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [from, input, to, output, threads @ ..] = words.as_slice() else {
        return Err("usage: convert_apart FORMAT IN FORMAT OUT [THREADS]".into());
    };
    let threads = threads.first().map_or("2", String::as_str);
    let from = format_named(from).ok_or("no such format")?;
    let to = format_named(to).ok_or("no such format")?;
    let mut base = open_as(input, from, &OpenOptions::default())?;
    let mut options = CreateOptions::default();
    if to.create_options.iter().any(|option| option.name == "threads") {
        options.settings.set("threads", threads);
    }
    let mut output = create_as(output, to, &options)?;
    let mut converter = Converter::new().threads(threads.parse()?).apart(true);
    converter.run(&mut base, &mut output, &mut ())?;
    output.finish()?;
    println!("{}", converter.summary());
    Ok(())
}
