//! Tests of convert and repair.

use std::fs;
use std::io::{Read, Write};

use insta::assert_snapshot;

#[cfg(unix)]
use crate::place::interruptible;
use crate::place::{GAMES, Place, command};

#[test]
fn convert_pgn_to_pgn_is_identical() {
    let place = Place::new();
    let ran = place.run("convert games.pgn copy.pgn").well();
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", "2 games read, 2 written\n"));
    assert_eq!(place.text("copy.pgn"), GAMES);
}

#[test]
fn convert_standard_streams_are_accepted() {
    let place = Place::new();
    assert_eq!(place.run("convert games.pgn -").well().out, GAMES);
    assert_eq!(place.run_words(&["convert", "-", "-", "--quiet"], GAMES).well().out, GAMES);
    let quiet = place.run("convert --quiet games.pgn -").well();
    assert_eq!(quiet.err, "");
}

#[test]
fn convert_many_inputs_writes_one_base() {
    let place = Place::new();
    fs::create_dir_all(place.path("disk/deep")).unwrap();
    fs::write(place.path("disk/b.pgn"), GAMES).unwrap();
    fs::write(place.path("disk/readme.txt"), "no base").unwrap();
    place.run("convert games.pgn disk/deep/a.dci").well();
    let ran = place.run("convert disk games.pgn all.pgn").well();
    assert_eq!(ran.err, "6 games read, 6 written\n");
    let all = place.text("all.pgn");
    assert!(all.starts_with(GAMES) && all.ends_with(GAMES));
    assert_eq!(all.matches("[Event \"Club evening\"]").count(), 3);
    let ran = place.run("convert disk/*.pgn some.pgn").well();
    assert_eq!(ran.err, "2 games read, 2 written\n");
}

#[test]
fn convert_bad_input_of_many_is_reported_and_skipped() {
    let place = Place::new();
    fs::write(place.path("bad.si4"), "not a base").unwrap();
    assert_snapshot!(place.run("convert games.pgn bad.si4 all.pgn"));
    assert_eq!(place.text("all.pgn"), GAMES);
}

#[test]
fn convert_thread_count_keeps_output() {
    let place = Place::new();
    fs::write(place.path("many.pgn"), GAMES.repeat(150)).unwrap();
    place.run("convert many.pgn many.cdp");
    let export = |name, threads| {
        place.run_words(&["convert", name, "-", "--threads", threads], "").well().out
    };
    for name in ["many.pgn", "many.cdp"] {
        let alone = export(name, "1");
        assert_eq!(alone.matches("[Event ").count(), 300);
        for threads in ["2", "5"] {
            assert!(export(name, threads) == alone, "{name} by {threads} threads");
        }
    }
    assert!(export("many.pgn", "2") == GAMES.repeat(150));
}

#[test]
fn input_compressed_text_is_read() {
    let place = Place::new();
    for (name, bytes) in packed() {
        fs::write(place.path(name), bytes).unwrap();
        let ran = place.run(&format!("convert {name} -"));
        // The workspace may build the library with xz for another package.
        if name == "d.pgn.xz" && !cfg!(feature = "xz") && ran.code != 0 {
            assert!(ran.code == 3 && ran.err.contains("build it with `--features xz`"), "{ran}");
        } else {
            assert_eq!(ran.well().out, GAMES, "{name}");
        }
    }
}

/// Returns the games as each compressor writes them.
fn packed() -> [(&'static str, Vec<u8>); 4] {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(GAMES.as_bytes()).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(GAMES.as_bytes()).unwrap();
    let (first, second) = GAMES.split_at(GAMES.len() / 2);
    let frame = |text: &str| {
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        ruzstd::encoding::compress_to_vec(text.as_bytes(), level)
    };
    let zstd = [frame(first), frame(second)].concat();
    let options = lzma_rust2::XzOptions::with_preset(0);
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    xz.write_all(GAMES.as_bytes()).unwrap();
    [
        ("a.pgn.gz", gzip.finish().unwrap()),
        ("b.pgn.bz2", bzip2.finish().unwrap()),
        ("c.pgn.zst", zstd),
        ("d.pgn.xz", xz.finish().unwrap()),
    ]
}

/// A zip archive as The Week in Chess publishes it, and one of several texts.
#[test]
fn input_zip_archive_texts_are_read() {
    let place = Place::new();
    let options = |method| zip::write::SimpleFileOptions::default().compression_method(method);
    let write = |name: &str, files: &[(&str, &str)], method| {
        let mut archive = zip::ZipWriter::new(fs::File::create(place.path(name)).unwrap());
        for (file, text) in files {
            archive.start_file(*file, options(method)).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        archive.finish().unwrap();
    };
    let deflated = zip::CompressionMethod::Deflated;
    write("twic1.zip", &[("twic1.pgn", GAMES)], deflated);
    write(
        "two.zip",
        &[("a.pgn", GAMES), ("read.me", "x"), ("b/c.PGN", GAMES)],
        zip::CompressionMethod::Stored,
    );
    write("none.zip", &[("read.me", "x")], deflated);
    assert_eq!(place.run("convert twic1.zip -").well().out, GAMES);
    assert_eq!(place.run("convert two.zip -").well().out, GAMES.repeat(2));
    let ran = place.run("info none.zip");
    assert!(ran.code == 3 && ran.err.contains("without a text of games"), "{ran}");
    fs::create_dir(place.path("folder")).unwrap();
    fs::rename(place.path("twic1.zip"), place.path("folder/twic1.zip")).unwrap();
    assert_eq!(place.run("convert folder -").well().out, GAMES);
    let bytes = fs::read(place.path("two.zip")).unwrap();
    fs::write(place.path("cut.zip"), &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(place.run("info cut.zip").code, 3);
}

/// The page writes a base of several files as one archive.
#[test]
fn input_zip_archive_base_is_read() {
    let place = Place::new();
    let write = |name: &str, files: &[&str], folder: &str| {
        let mut archive = zip::ZipWriter::new(fs::File::create(place.path(name)).unwrap());
        for file in files {
            let options = zip::write::SimpleFileOptions::default();
            archive.start_file(format!("{folder}{file}"), options).unwrap();
            archive.write_all(&fs::read(place.path(file)).unwrap()).unwrap();
        }
        archive.finish().unwrap();
    };
    for format in scoresheet::formats().filter(|format| format.open_inputs.is_some()) {
        if format.create.is_none() {
            continue;
        }
        let before = place.files();
        let name = format!("base-{}.{}", format.name, format.extensions[0]);
        place.run(&format!("convert games.pgn {name} --to {}", format.name));
        let files = place.files();
        let files: Vec<&str> =
            files.iter().filter(|file| !before.contains(file)).map(String::as_str).collect();
        let list = place.run(&format!("list --json {name}")).well().out;
        let zip = format!("{}.zip", format.name);
        for folder in ["", "games/2026/"] {
            write(&zip, &files, folder);
            assert_eq!(place.run(&format!("list --json {zip}")).well().out, list, "{zip}");
        }
        let ran = place.run(&format!("edit {zip} delete 1"));
        assert!(ran.code == 3 && ran.err.contains("in place"), "{ran}");
    }
    write("two.zip", &["base-si4.si4", "base-si4.sg4", "base-dcg.dci"], "");
    let ran = place.run("info two.zip");
    assert!(ran.code == 3 && ran.err.contains("several bases"), "{ran}");
}

#[test]
fn json_lines_read_back_and_rows_do_not() {
    let place = Place::new();
    place.run("convert games.pgn games.jsonl").well();
    assert_eq!(place.text("games.jsonl").lines().count(), 2);
    assert_eq!(place.run("convert games.jsonl -").well().out, GAMES);
    assert_eq!(place.run("convert games.pgn - --to jsonl").well().out, place.text("games.jsonl"));
    fs::write(place.path("bad.jsonl"), "{\"tags\":[]}\n").unwrap();
    let ran = place.run("check bad.jsonl");
    assert!(ran.code == 1 && ran.out.contains("line 1") && ran.out.contains("fen"), "{ran}");
    let ran = place.run("convert games.pgn games.csv").well();
    assert!(ran.err.contains("  lost   comment "), "{ran}");
    let rows = place.text("games.csv");
    assert!(rows.starts_with("Event,Site,") && rows.contains(",13,e2e4 e7e5 g1f3 "), "{rows}");
    assert!(rows.contains(",e4 e5 Nf3 Nc6 Bc4 d6 Nc3 Bg4 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#\n"), "{rows}");
    let ran = place.run("list games.csv");
    assert!(ran.code == 3 && ran.err.contains("cannot be read"), "{ran}");
}

#[test]
fn convert_losses_are_summed_and_reported() {
    let place = Place::new();
    let ran = place.run("convert games.pgn old.cbf --report losses.jsonl");
    assert_eq!(ran.code, 0, "{ran}");
    assert_snapshot!("losses", ran);
    assert_snapshot!("losses_report", place.text("losses.jsonl"));
}

#[test]
fn strict_base_warning_is_error() {
    let place = Place::new();
    place.run("convert games.pgn base.cbh");
    fs::remove_file(place.path("base.cbs")).unwrap();
    let ran = place.run("check --json base.cbh");
    assert!(ran.code == 1 && ran.out.contains("\"cbh-missing-file\""), "{ran}");
    for line in ["convert base.cbh out.pgn", "convert base.cbh out.pgn --sort=white"] {
        let ran = place.run(&format!("{line} --strict"));
        assert!(ran.code == 3 && ran.err.contains("[cbh-missing-file]"), "{ran}");
        assert!(ran.err.lines().count() == 1 && !place.path("out.pgn").exists(), "{ran}");
        // Every game has lost a name.
        let ran = place.run(line);
        assert!(ran.code == 4 && ran.err.contains("[cbh-missing-file]"), "{ran}");
        fs::remove_file(place.path("out.pgn")).unwrap();
    }
}

#[test]
fn strict_loss_is_error() {
    let place = Place::new();
    let ran = place.run("convert --strict games.pgn old.cbf");
    assert_eq!(ran.code, 3, "{ran}");
    assert_snapshot!("strict", ran);
    assert_eq!(place.files(), ["games.pgn"]);
}

#[test]
fn convert_existing_output_is_kept() {
    let place = Place::new();
    fs::write(place.path("there.pgn"), "mine").unwrap();
    let ran = place.run("convert games.pgn there.pgn");
    assert_eq!((ran.code, place.text("there.pgn").as_str()), (3, "mine"), "{ran}");
    assert_snapshot!("exists", ran);
    place.run("convert --force games.pgn there.pgn").well();
    assert_eq!(place.text("there.pgn"), GAMES);
    let ran = place.run("convert --force games.pgn games.pgn");
    assert_eq!((ran.code, place.text("games.pgn").as_str()), (2, GAMES), "{ran}");
}

#[test]
fn convert_damaged_game_is_kept_up_to_damage() {
    let place = Place::new();
    place.take_fixture("scid/bad_no_end");
    let line = "convert fixtures/scid/bad_no_end/base.si4 out.pgn --verbose";
    assert_snapshot!("damaged", place.run(line));
    assert_eq!(place.text("out.pgn").matches("[Event ").count(), 3);
}

#[test]
fn repair_damaged_base_is_sound() {
    let place = Place::new();
    place.take_fixture("scid/bad_no_end");
    let line = "repair fixtures/scid/bad_no_end/base.si4 sound.dci";
    assert_eq!(place.run(line).code, 0);
    place.run("check sound.dci").well();
    assert_eq!(place.run("list --json sound.dci").well().out.lines().count(), 3);
    let line = "repair --drop fixtures/scid/bad_no_end/base.si4 fewer.dci";
    assert_eq!(place.run(line).code, 0);
    assert_eq!(place.run("list --json fewer.dci").well().out.lines().count(), 2);
}

#[test]
fn repair_damaged_chessbase_base_is_sound() {
    for (case, damage) in [
        ("bad_illegal_move", ""),
        ("bad_record_cut", ""),
        ("bad_names", ""),
        ("variations", "cba"),
        ("variations", "cbp"),
        ("variations", "cbj"),
    ] {
        let place = Place::new();
        place.take_fixture(&format!("cbh/{case}"));
        let base = format!("fixtures/cbh/{case}/base");
        if !damage.is_empty() {
            // The base without one of its files, and with an extra word in another.
            fs::remove_file(place.path(&format!("{base}.{damage}"))).unwrap();
            let moves = place.path(&format!("{base}.cbg"));
            let mut bytes = fs::read(&moves).unwrap();
            bytes.extend_from_slice(b"more");
            fs::write(&moves, bytes).unwrap();
        }
        let ran = place.run(&format!("repair {base}.cbh sound.cbh"));
        // Without the file of players, every game is damaged.
        assert_eq!(ran.code, if damage == "cbp" { 4 } else { 0 }, "{case}: {ran}");
        let ran = place.run("check sound.cbh").well();
        assert!(ran.err.contains("sound"), "{case}: {ran}");
    }
}

#[test]
fn output_closed_pipe_is_no_error() {
    let place = Place::new();
    fs::write(place.path("many.pgn"), GAMES.repeat(5000)).unwrap();
    for words in [["convert", "many.pgn", "-"], ["list", "many.pgn", "--csv"]] {
        let mut child = command(&place.path("")).args(words).spawn().unwrap();
        let mut first = [0; 100];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    }
}

#[cfg(unix)]
#[test]
fn convert_interrupt_leaves_no_partial_file() {
    let place = Place::new();
    fs::create_dir(place.path("elsewhere")).unwrap();
    let words = ["convert", "-", "out.pgn", "--report", "elsewhere/report"];
    let mut child = interruptible(&place.path("")).args(words).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(GAMES.repeat(300).as_bytes()).unwrap();
    let began = || place.files().iter().any(|name| name.starts_with("out.pgn~"));
    testkit::wait_until(std::time::Duration::from_secs(20), began);
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    // The input stays open: the program must end all the same.
    let status = child.wait().unwrap();
    drop(input);
    assert_eq!(status.code(), Some(130));
    assert_eq!(place.files(), ["elsewhere", "games.pgn"]);
    assert_eq!(fs::read_dir(place.path("elsewhere")).unwrap().count(), 0);
}

/// `<(zstdcat games.pgn.zst)` of a shell is the path of a pipe.
#[cfg(unix)]
#[test]
fn input_path_of_pipe_is_read() {
    let place = Place::new();
    let made = std::process::Command::new("mkfifo").arg(place.path("pipe")).status();
    assert!(made.unwrap().success());
    for (line, said) in [
        ("list pipe --count", "2 of 2 games"),
        ("convert pipe out.si4", "2 games read, 2 written"),
        ("convert --from pgn pipe out.dci", "2 games read, 2 written"),
    ] {
        let pipe = place.path("pipe");
        let feeder = std::thread::spawn(move || drop(fs::write(pipe, GAMES)));
        let ran = place.run(line).well();
        assert!(
            format!("{}{}", ran.out, ran.err).contains(said),
            "{line}: {} {}",
            ran.out,
            ran.err
        );
        feeder.join().unwrap();
    }
    let ran = place.run("dedupe pipe out.pgn");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("pipe cannot be read twice"), "{}", ran.err);
}

/// Warnings about a base as a whole are printed, not only those about its games.
#[test]
fn convert_base_warning_is_printed() {
    let place = Place::new();
    place.take_fixture("scid/plain");
    fs::remove_file(place.path("fixtures/scid/plain/base.sn4")).unwrap();
    for line in [
        "convert {} names.pgn",
        "list {}",
        "tree {}",
        "show {} 1",
        "convert {} --sort white sorted.pgn",
    ] {
        let line = line.replace("{}", "fixtures/scid/plain/base.si4");
        let ran = place.run(&line);
        assert!(ran.err.contains("base.sn4: this file of the base is missing"), "{ran}");
    }
    let ran = place.run("list --quiet fixtures/scid/plain/base.si4");
    assert!(!ran.err.contains("missing"), "{}", ran.err);
}

/// A game of `plies` half-moves: knights go out and come back.
fn long_game(plies: usize) -> String {
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(plies);
    format!("{} *\n\n", moves.collect::<Vec<_>>().join(" "))
}

#[test]
fn convert_writer_warnings_are_told_and_strict_refuses_them() {
    let place = Place::new();
    fs::write(place.path("long.pgn"), long_game(400)).unwrap();
    let ran = place.run("convert long.pgn x.cbf --report found.jsonl");
    assert!(ran.err.contains("[cbf-many-moves]"), "{ran}");
    let found = place.text("found.jsonl");
    assert!(found.contains("\"base\":\"x.cbf\""), "{found}");
    assert!(found.contains("\"game\":1,\"kind\":\"deviation\""), "{found}");
    assert!(found.contains("cbf-many-moves"), "{found}");
    let strict = place.run("convert long.pgn y.cbf --strict");
    assert!(strict.code != 0 && strict.err.contains("y.cbf: byte 0, game 1"), "{strict}");
    assert!(!place.path("y.cbf").exists());
    let sorted = place.run("convert long.pgn z.cbf --sort date");
    assert!(sorted.err.contains("[cbf-many-moves]"), "{sorted}");
    fs::write(place.path("many.pgn"), long_game(2).repeat(4001)).unwrap();
    let ran = place.run("convert many.pgn many.cbf");
    assert!(ran.err.contains("[cbf-many-games]"), "{ran}");
}

#[test]
fn convert_to_dcg_as_described_reads_back() {
    let place = Place::new();
    let game = "[SetUp \"1\"]\n[FEN \"8/P7/8/8/8/8/7k/4K3 w - - 0 1\"]\n\n1. a8=Q *\n";
    fs::write(place.path("queen.pgn"), game).unwrap();
    place.run("convert queen.pgn queen.dci --option promotions=described").well();
    fs::write(place.path("rook.pgn"), game.replace("=Q", "=R")).unwrap();
    place.run("edit queen.dci append rook.pgn");
    let ran = place.run("convert queen.dci - --to pgn");
    assert!(ran.out.contains("a8=Q") && ran.out.contains("a8=R"), "{ran}");
    assert!(ran.err.contains("[dcg-promotions-unsure]"), "{ran}");
    place.run("convert rook.pgn rook.dci").well();
    let ran = place.run("convert rook.dci - --to pgn").well();
    assert!(ran.out.contains("a8=R"), "{ran}");
}

/// A base that is a folder is found by its name, among other bases too, and by a pattern.
#[test]
fn jose_folder_is_a_base() {
    let place = Place::new();
    let from = testkit::workspace_root().join("fixtures/movecode/folder");
    for folder in ["tables", "x.jose"] {
        fs::create_dir(place.path(folder)).unwrap();
        for entry in fs::read_dir(&from).unwrap() {
            let entry = entry.unwrap();
            if entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "MYD" || extension == "frm")
            {
                fs::copy(entry.path(), place.path(folder).join(entry.file_name())).unwrap();
            }
        }
    }
    let games = place.run("convert tables/IO_Game.MYD - --to pgn").well().out;
    for words in ["tables", "x.jose", "tables --from jose", "tables/*", "tables/IO_*"] {
        let ran = place.run(&format!("convert {words} - --to pgn")).well();
        assert_eq!(ran.out, games, "{words}");
    }
    assert!(place.run("info x.jose").well().out.contains("jose"));
    place.run("check tables").well();
    fs::copy(place.path("games.pgn"), place.path("tables/games.pgn")).unwrap();
    let both = place.run("list tables --csv").well().out;
    assert_eq!(
        both.lines().count(),
        place.run("list x.jose games.pgn --csv").well().out.lines().count()
    );
}

#[test]
fn convert_chess_assistant_names_files_that_are_not_copied() {
    let place = Place::new();
    place.run("convert games.pgn ca.cdp");
    fs::write(place.path("ca.AXX"), "x").unwrap();
    let ran = place.run("convert ca.cdp new.pgn");
    assert!(ran.err.contains("ca.AXX"), "{ran}");
}

#[test]
fn convert_drawings_of_scid_become_squares_and_arrows() {
    let place = Place::new();
    let game = "[Event \"E\"]\n\n1. e4 {good [%draw full,d5,red] [%draw arrow,e4,e5,green]} \
                1... e5 {[%mark c5 yellow]} 2. d4 {[%draw circle,b5,#000070]} *\n";
    fs::write(place.path("drawn.pgn"), game).unwrap();
    let standard = "1. e4 {[%csl Rd5][%cal Ge4e5] good} 1... e5 {[%csl Yc5]} 2. d4 {[%csl Bb5]} *";
    let moves = |place: &Place, line: &str| {
        let text = place.run(line).out.replace('\n', " ");
        text[text.find("1. e4").unwrap()..].trim().to_owned()
    };
    for base in ["o.cbh", "o.2cbh"] {
        let ran = place.run(&format!("convert drawn.pgn {base} -v"));
        assert!(ran.err.contains("[%draw circle,b5,#000070] becomes [%csl Bb5]"), "{}", ran.err);
        assert_eq!(ran.err.matches("becomes").count(), 1, "{}", ran.err);
        assert_eq!(moves(&place, &format!("convert {base} - --to pgn")), standard);
    }
    let option = "convert drawn.pgn - --to pgn --to-option drawings=standard";
    assert_eq!(moves(&place, option), standard);
    place.run("convert drawn.pgn o.si4").well();
    assert!(moves(&place, "convert o.si4 - --to pgn").contains("[%draw arrow,e4,e5,green]"));
}

#[test]
fn convert_variation_without_moves_keeps_its_text() {
    let place = Place::new();
    let line = r#"{"tags":[],"fen":null,"line":["e2e4","e7e5","(",{"comment":"text"},")","g1f3"]}"#;
    fs::write(place.path("empty.jsonl"), line).unwrap();
    for target in ["o.pgn", "o.dci", "o.cbf", "o.cbh", "o.2cbh"] {
        let ran = place.run(&format!("convert empty.jsonl {target} -v"));
        assert!(ran.err.contains("comment-moved"), "{target}: {}", ran.err);
        assert!(!ran.err.contains("variation  "), "{target}: {}", ran.err);
        let text = place.run(&format!("convert {target} - --to pgn")).out;
        assert!(text.contains("1. e4 e5 {text} 2. Nf3"), "{target}: {text}");
    }
    for target in ["o.si4", "o.si5", "o.cdp", "o.jose"] {
        place.run(&format!("convert empty.jsonl {target}")).well();
        assert!(place.run(&format!("convert {target} - --to jsonl")).out.contains(r#""(",{"#));
    }
}

#[test]
fn convert_line_ends_are_one_line_end_or_a_loss() {
    let place = Place::new();
    let line = r#"{"tags":[],"fen":null,"line":["e2e4",{"comment":"a\r\r\nb\r\nc\rd"}]}"#;
    fs::write(place.path("ends.jsonl"), line).unwrap();
    for target in ["o.dci", "o.si4", "o.si5", "o.cbf", "o.cdp", "o.jose", "o.cbh", "o.2cbh"] {
        let ran = place.run(&format!("convert ends.jsonl {target}"));
        assert!(ran.err.contains("characters"), "{target}: {}", ran.err);
        let read = place.run(&format!("convert {target} - --to jsonl")).out;
        assert!(read.contains(r#""a\nb\nc\rd""#), "{target}: {read}");
        fs::write(place.path("again.jsonl"), read).unwrap();
        place.run(&format!("convert again.jsonl again.{}", &target[2..])).well();
    }
}

#[test]
fn convert_letters_without_byte_lose_marks_and_name_code_page() {
    let place = Place::new();
    fs::write(place.path("letters.pgn"), "[White \"Ćirić\"]\n[Black \"Иванов, Пётр\"]\n\n*\n")
        .unwrap();
    for target in ["o.cdp", "o.cbf"] {
        let ran = place.run(&format!("convert letters.pgn {target}"));
        assert!(ran.err.contains("--to-encoding windows-1251"), "{}", ran.err);
        assert!(place.run(&format!("list {target}")).out.contains("Ciric"));
        let ran = place.run(&format!("convert letters.pgn {target} -f --to-encoding windows-1251"));
        assert!(!ran.err.contains("--to-encoding"), "{}", ran.err);
    }
}
