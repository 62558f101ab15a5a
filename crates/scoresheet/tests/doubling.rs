//! Twice as much of anything in a game takes about twice the time, in every reader and every writer.
//!
//! Each shape is a game that repeats one thing: comments at one place, tags, variations and so on.
//! Each is parsed, written to every format, read again, checked and dumped, at three sizes. Linear
//! work doubles, quadratic work takes four times as long. A step, as where a text no longer fits in
//! one block, shows in one of the two doublings, so the lesser ratio counts; what is above the limit in
//! both is measured at twice the size too. The variable `SCALE`
//! multiplies the sizes, `SHAPE` selects shapes by a part of their name, `FORMATS` selects formats, and `TABLE` names
//! a file for the table, docs/robustness/doubling.csv.

mod shapes;

use std::fs;
use std::path::Path;
use std::time::Duration;

use scoresheet::chess_core::Game;
use scoresheet::chess_store::Diagnostics;
use scoresheet::{Base, Format, Losses};
use shapes::SHAPES;

/// The largest ratio of the time for a size to the time for half of it.
const MOST: f64 = 2.6;
/// Work that takes less is not judged: at these sizes quadratic work takes many times longer.
const FLOOR: Duration = Duration::from_millis(20);
/// How often a pair of sizes is measured before its ratio counts as found.
const ATTEMPTS: usize = 4;

/// Returns the processor time of this thread.
#[cfg(unix)]
fn clock() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap()
}

/// Returns the time of day.
#[cfg(not(unix))]
fn clock() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = clock();
    let done = work();
    (done, clock().saturating_sub(begun))
}

/// Reads all games. Errors are results like others.
fn read_all(base: &mut Base) -> Vec<Game> {
    let (mut reader, mut game, mut games) = (base.reader(), Game::new(), Vec::new());
    loop {
        match reader.read_game(&mut game, &mut Diagnostics::lenient()) {
            Ok(false) => return games,
            Err(error) if error.scope() == scoresheet::chess_store::Scope::Base => return games,
            Ok(true) | Err(_) => games.push(game.clone()),
        }
    }
}

/// Everything that a check, a list and a dump ask of a base.
fn examine(base: &Base) {
    let Some(database) = base.database() else { return };
    let _ = database.check();
    let (mut reader, mut game) = (database.reader(), Game::new());
    for number in 0..database.len() {
        let _ = reader.header(number, &mut game.header, &mut Diagnostics::lenient());
        let _ = reader.summarize(number);
        let _ = reader.game(number, &mut game, &mut Diagnostics::lenient());
        let _ = reader.verify(number, &game);
        // The dump of a game looks through the whole file of names.
        if number < 2 {
            let _ = reader.dump(number, &mut |_| {});
        }
    }
}

/// The kinds of work, in the order of the measurements.
const WORK: [&str; 4] = ["parse", "write", "read", "check"];

/// Measures a text: parses it, writes it to each format, reads and checks the result.
fn measure(text: &str, targets: &[&'static Format], folder: &Path) -> Vec<[Duration; 4]> {
    let source = folder.join("source.pgn");
    fs::write(&source, text).unwrap();
    let (games, parse) = timed(|| read_all(&mut scoresheet::open(&source).unwrap()));
    let each = targets.iter().map(|format| {
        let folder = tempfile::tempdir_in(folder).unwrap();
        let path = folder.path().join("base").with_extension(format.extensions[0]);
        let mut losses = Losses::new();
        let (finished, write) = timed(|| {
            let mut output = scoresheet::create_as(&path, format, &Default::default()).unwrap();
            for game in &games {
                // A format may refuse the game; that takes time as well.
                let _ = output.write(game, &mut losses);
            }
            output.finish().is_ok()
        });
        if !finished || format.open.is_none() {
            return [parse, write, Duration::ZERO, Duration::ZERO];
        }
        let (base, read) = timed(|| {
            let mut base = scoresheet::open(&path).ok()?;
            read_all(&mut base);
            Some(base)
        });
        let check = base.map_or(Duration::ZERO, |base| timed(|| examine(&base)).1);
        [parse, write, read, check]
    });
    each.collect()
}

fn scale() -> f64 {
    std::env::var("SCALE").map_or(1.0, |scale| scale.parse().unwrap())
}

/// The least times for a quarter of a size, for half of it, and for all of it.
type Times = [Duration; 3];

/// Returns the lesser ratio of two doublings, or `None` if the work takes too little time to tell.
fn ratio([quarter, half, whole]: Times) -> Option<f64> {
    let ratio =
        |small: Duration, large: Duration| large.as_secs_f64() / small.as_secs_f64().max(1e-9);
    (whole >= FLOOR).then(|| ratio(quarter, half).min(ratio(half, whole)))
}

#[test]
fn work_on_twice_as_much_of_anything_takes_twice_the_time() {
    let targets = shapes::targets();
    let only = std::env::var("SHAPE").unwrap_or_default();
    let folder = tempfile::tempdir().unwrap();
    let (mut rows, mut grown) = (Vec::new(), Vec::new());
    for shape in SHAPES.iter().filter(|shape| shape.name.contains(&only)) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small sizes")]
        let size = (shape.size as f64 * scale()) as usize;
        let texts = [size / 4, size / 2, size].map(shape.text);
        let mut best: Vec<[Times; 4]> = vec![[[Duration::MAX; 3]; 4]; targets.len()];
        let mut left: Vec<usize> = (0..targets.len()).collect();
        // The least time of several attempts, of the formats that have not passed yet.
        for _ in 0..ATTEMPTS {
            let formats: Vec<&'static Format> = left.iter().map(|at| targets[*at]).collect();
            for (which, text) in texts.iter().enumerate() {
                for (at, times) in left.iter().zip(measure(text, &formats, folder.path())) {
                    for (least, time) in best[*at].iter_mut().zip(times) {
                        least[which] = least[which].min(time);
                    }
                }
            }
            let is_slow =
                |times: &Times, most: f64| ratio(*times).is_some_and(|found| found > most);
            left.retain(|at| best[*at].iter().any(|times| is_slow(times, MOST)));
            // Nothing is left, or what is left is certainly quadratic.
            if left.iter().all(|at| best[*at].iter().any(|times| is_slow(times, MOST + 0.8))) {
                break;
            }
        }
        // A step can span both doublings: a text of more than a MiB is parsed several times while it is
        // read. Quadratic work is still quadratic at twice the size.
        if !left.is_empty() {
            let formats: Vec<&'static Format> = left.iter().map(|at| targets[*at]).collect();
            let text = (shape.text)(size * 2);
            let mut twice = vec![[Duration::MAX; 4]; left.len()];
            for _ in 0..ATTEMPTS {
                for (least, times) in twice.iter_mut().zip(measure(&text, &formats, folder.path()))
                {
                    least.iter_mut().zip(times).for_each(|(least, time)| *least = time.min(*least));
                }
            }
            for (at, twice) in left.iter().zip(twice) {
                for (times, time) in best[*at].iter_mut().zip(twice) {
                    *times = [times[1], times[2], time];
                }
            }
        }
        let (mut worst, mut slowest) = ((0.0, String::new()), (Duration::ZERO, String::new()));
        for (format, works) in targets.iter().zip(&best) {
            for (work, times) in WORK.iter().zip(works) {
                let name = format!("{work} {}", if *work == "parse" { "pgn" } else { format.name });
                if let Some(ratio) = ratio(*times) {
                    if ratio > worst.0 {
                        worst = (ratio, name.clone());
                    }
                    if ratio > MOST {
                        let shape = shape.name;
                        grown.push(format!("{shape}, {name}, size {size}: {times:?}, {ratio:.2}"));
                    }
                }
                slowest = slowest.max((times[2], name));
            }
        }
        // Work under the floor has no ratio.
        let judged =
            if worst.1.is_empty() { ",".to_owned() } else { format!("{:.2},{}", worst.0, worst.1) };
        let (time, slowest) = (slowest.0.as_secs_f64() * 1e3, slowest.1);
        rows.push(format!("{},{size},{time:.1},{slowest},{judged}", shapes::cell(shape.name)));
    }
    shapes::put_table("repeated,size,slowest_ms,slowest_work,largest_ratio,of_work", &rows);
    assert!(grown.is_empty(), "slower than in proportion:\n{}", grown.join("\n"));
}
