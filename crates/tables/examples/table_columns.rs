//! Lists the columns of a table. A Parquet reader shows the same names, as DuckDB does with
//! `DESCRIBE SELECT * FROM 'games.parquet'`.
//!
//! ```console
//! $ cargo run --example table_columns games
//! Event Text: Tournament, match or kind of game
//! ...
//! White Text: Player of the white pieces
//! ...
//! ```

use tables::Rows;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows = match std::env::args().nth(1).as_deref() {
        Some("games") => Rows::Games,
        Some("plies") => Rows::Plies,
        _ => return Err("usage: table_columns games|plies".into()),
    };
    for field in rows.fields().iter().filter(|field| field.usual) {
        println!("{} {:?}: {}", field.name, field.kind, field.help);
    }
    Ok(())
}
