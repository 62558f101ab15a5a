//! Lists the games of an archive, one per line, as the list of jose does.
//!
//! ```console
//! $ cargo run --example jose_list fixtures/movecode/basic/base.jose
//! Anderssen, Adolf - Kieseritzky, Lionel 1851.06.21 1-0
//! Beta, B - Alpha, A 2024.01.02 1/2-1/2
//! Alpha, A - Beta, B 2024.01.02 0-1
//! Alpha, A - Beta, B 2024.01.02 *
//! Alpha, A - Beta, B 2024.01.02 *
//! ```

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: jose_list ARCHIVE.jose")?;
    for game in movecode::Database::open(path)?.games() {
        let game = game?;
        let header = &game.header;
        println!("{} - {} {} {}", header.white, header.black, header.date, header.result);
    }
    Ok(())
}
