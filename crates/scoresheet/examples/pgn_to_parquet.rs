//! Writes games to a Parquet file, as DuckDB and Spark read it.
//!
//! ```console
//! $ cargo run --features scoresheet/tables --example pgn_to_parquet fixtures/scid/plain/base.si4 target/example.parquet
//! 6 games read, 6 written
//! ```

use scoresheet::{Converter, CreateOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        return Err("usage: pgn_to_parquet BASE NEW.parquet".into());
    };
    let mut output = scoresheet::create(output, &CreateOptions::default())?;
    let mut converter = Converter::new();
    converter.run(&mut scoresheet::open(input)?, &mut output, &mut ())?;
    output.finish()?;
    println!("{}", converter.summary());
    Ok(())
}
