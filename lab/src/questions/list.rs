//! The questions, and how Scid and pgn-extract are asked.
//!
//! In the words of a program, `BASE` and `TEXT` are the Scid base and the PGN file of all games, `NOTED`
//! and `NOTES` those with comments and variations. `COPY` is a copy of `BASE` that the question changes, and
//! `MARKED` one whose repeated games are marked as deleted. `OUT` is a PGN file to write, and `CRITERIA` a file of
//! criteria for pgn-extract.

/// A question of the program, and the equivalent for another program.
pub(super) struct Question {
    /// The words after `scoresheet`.
    pub(super) ours: &'static [&'static str],
    pub(super) peer: Peer,
    /// Why the programs find different numbers of games, or do different work, if they do.
    pub(super) differs: &'static str,
}

/// How another program is asked.
pub(super) enum Peer {
    /// A script for `lab/peers/scid/ask.tcl`.
    Scid { question: &'static str, count: &'static str },
    /// Options of pgn-extract, and the text of `CRITERIA`.
    Extract { words: &'static [&'static str], criteria: &'static str },
}

const fn scid(question: &'static str) -> Peer {
    counted(question, "")
}

const fn counted(question: &'static str, count: &'static str) -> Peer {
    Peer::Scid { question, count }
}

const fn extract(words: &'static [&'static str], criteria: &'static str) -> Peer {
    Peer::Extract { words, criteria }
}

/// The position after 5... a6 of the Sicilian Defence, Najdorf Variation.
macro_rules! najdorf {
    () => {
        "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"
    };
}

/// Scid's search for material: every number of pieces that the script does not name is free.
macro_rules! material {
    ($wanted:literal) => {
        concat!(
            "sc_search material -wq {0 9} -bq {0 9} -wr {0 9} -br {0 9} -wb {0 9} -bb {0 9} ",
            "-wn {0 9} -bn {0 9} -wm {0 9} -bm {0 9} -wp {0 9} -bp {0 9} -flip 0 -length 1 -filter 2 ",
            $wanted
        )
    };
}

const LIST: &str = "list";
const COUNT: &str = "--count";

/// All questions, in the order of the table.
pub(super) const QUESTIONS: &[Question] = &[
    Question {
        ours: &[LIST, COUNT, "BASE", "--material", "KRP-KR"],
        peer: scid(material!(
            "-wq {0 0} -bq {0 0} -wr {1 1} -br {1 1} -wm {0 0} -bm {0 0} -wb {0 0} -bb {0 0} -wn {0 0} \
             -bn {0 0} -wp {1 1} -bp {0 0} -flip 1"
        )),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--material", "QP*-RRP*"],
        peer: scid(material!(
            "-wq {1 1} -bq {0 0} -wr {0 0} -br {2 2} -wm {0 0} -bm {0 0} -wb {0 0} -bb {0 0} -wn {0 0} \
             -bn {0 0} -flip 1"
        )),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--pattern", "Pd4 !Pc? !Pe?"],
        peer: scid(material!("-pattern {1 wp d 4} -pattern {0 wp c ?} -pattern {0 wp e ?}")),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--pattern", "Ph6 Kg6 kg8"],
        peer: scid(material!("-pattern {1 wp h 6} -pattern {1 wk g 6} -pattern {1 bk g 8}")),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--position", najdorf!()],
        peer: scid(concat!("sc_game startBoard {", najdorf!(), "}; sc_search board RESET E 0 0")),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--where", "WhiteElo>=2700"],
        peer: scid("sc_search header -welo {2700 4000} -filter RESET"),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--elo-diff", "200.."],
        peer: scid(
            "sc_search header -delo {200 4000} -welo {1 4000} -belo {1 4000} -filter RESET; \
             sc_search header -delo {-4000 -200} -welo {1 4000} -belo {1 4000} -filter 1",
        ),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--player", "carlsen", "--against", "anand"],
        peer: scid(
            "sc_search header -white Carlsen -black Anand -filter RESET; \
             sc_search header -white Anand -black Carlsen -filter 1",
        ),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--player", "kasparov"],
        peer: scid("sc_search header -player Kasparov -filter RESET"),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--event", "rapid"],
        peer: scid("sc_search header -event rapid -filter RESET"),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--date", "1990..1995"],
        peer: scid("sc_search header -date {1990.00.00 1995.12.31} -filter RESET"),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--eco", "B90..B99"],
        peer: scid("sc_search header -eco {B90 B99z4} -filter RESET"),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--length", "20..30"],
        peer: scid("sc_search header -length {39 60} -filter RESET"),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--result", "draw"],
        peer: scid("sc_search header -result {=} -filter RESET"),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--tag-missing", "WhiteElo"],
        peer: scid("sc_search header -welo {0 0} -filter RESET"),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "BASE", "--time-class", "blitz"],
        peer: scid("sc_search header -pgn {Blitz} -filter RESET"),
        differs: "Scid has no time classes. It searches the text of each game for Blitz",
    },
    Question {
        ours: &[LIST, COUNT, "TEXT", "--opening", "najdorf"],
        peer: extract(&["-e/usr/share/pgn-extract/eco.pgn", "-TeB9", "-oOUT", "TEXT"], ""),
        differs: "pgn-extract has another table of openings, and takes B90 to B99",
    },
    Question {
        ours: &[LIST, COUNT, "NOTED", "--comment", "Kasparov"],
        peer: scid("sc_search header -pgn {Kasparov} -filter RESET"),
        differs: "Scid searches tags and names, too",
    },
    Question {
        ours: &["tree", "BASE"],
        peer: counted(
            "sc_tree stats $id dbfilter",
            r"regexp {TOTAL:\s+(\d+)} $answer all total; set total",
        ),
        differs: "",
    },
    Question {
        ours: &["player", "kasparov", "BASE"],
        peer: scid(
            "sc_search header -player Kasparov -filter RESET; sc_report player create 5 100; \
             sc_report player best w 10; sc_report player eco 10",
        ),
        differs: "The program reports opponents, rating course, years and time classes as well",
    },
    Question {
        ours: &["crosstable", "BASE", "--event", "chess prelim", "--date", "2020"],
        peer: scid(
            "sc_search header -event {Legends of Chess Prelim} -date {2020.01.01 2020.12.31} -filter RESET; \
             sc_game load [lindex [split [lindex [sc_base gameslist $id 0 1 dbfilter N+] 0] _] 0]; \
             sc_game crosstable plain score allplay",
        ),
        differs: "",
    },
    Question {
        ours: &["stats", "BASE"],
        peer: scid(
            "sc_base stats $id results; sc_base stats $id dates; sc_base stats $id ratings; \
             sc_report opening create 5 100; sc_report opening eco 10",
        ),
        differs: "",
    },
    Question {
        ours: &["stats", "BASE", "--elo", "2700.."],
        peer: scid(
            "sc_search header -welo {2700 4000} -belo {2700 4000} -filter RESET; \
             sc_report opening create 5 100; sc_report opening eco 10",
        ),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "TEXT", "--material", "KRP-KR"],
        peer: extract(&["-zCRITERIA", "-oOUT", "TEXT"], "RP R\n"),
        differs: "pgn-extract leaves out games with the material in few positions. Scid finds 5504",
    },
    Question {
        ours: &[LIST, COUNT, "TEXT", "--pattern", "Ph6 Kg6 kg8"],
        peer: extract(&["-Tf??????k?/*/??????KP/*/*/*/*/*", "-oOUT", "TEXT"], ""),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "TEXT", "--position", najdorf!()],
        peer: extract(&["-xCRITERIA", "-oOUT", "TEXT"], "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6\n"),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "TEXT", "--where", "WhiteElo>=2700"],
        peer: extract(&["-tCRITERIA", "-oOUT", "TEXT"], "WhiteElo >= \"2700\"\n"),
        differs: "",
    },
    Question {
        ours: &[LIST, COUNT, "TEXT", "--player", "kasparov"],
        peer: extract(&["-TpKasparov", "-oOUT", "TEXT"], ""),
        differs: "pgn-extract goes by the beginning of a name and does not find Comp Kasparov's Gambit",
    },
    Question {
        ours: &["convert", "TEXT", "OUT", "--add", "plycount"],
        peer: extract(&["--plycount", "-oOUT", "TEXT"], ""),
        differs: "pgn-extract leaves out a damaged game",
    },
    Question {
        ours: &["convert", "TEXT", "OUT", "--add", "eco,opening"],
        peer: extract(&["-e/usr/share/pgn-extract/eco.pgn", "-oOUT", "TEXT"], ""),
        differs: "pgn-extract leaves out a damaged game. It has another table of openings",
    },
    Question {
        ours: &["convert", "TEXT", "OUT", "--plies", "20"],
        peer: extract(&["--plylimit", "20", "-oOUT", "TEXT"], ""),
        differs: "pgn-extract leaves out a damaged game",
    },
    Question {
        ours: &["convert", "TEXT", "OUT", "--export-format"],
        peer: extract(&["-oOUT", "TEXT"], ""),
        differs: "pgn-extract leaves out a damaged game",
    },
    Question {
        ours: &["convert", "TEXT", "OUT", "--split", "50000"],
        peer: extract(&["-#50000", "TEXT"], ""),
        differs: "pgn-extract leaves out a damaged game",
    },
    Question {
        ours: &["convert", "NOTES", "OUT", "--strip", "comments,variations,glyphs"],
        peer: extract(&["-C", "-V", "-N", "-oOUT", "NOTES"], ""),
        differs: "pgn-extract takes some damaged games for two, and leaves out others",
    },
    Question {
        ours: &["convert", "NOTES", "OUT", "--split-variations"],
        peer: extract(&["--splitvariants", "-oOUT", "NOTES"], ""),
        differs: "The number of pgn-extract is that of games read. It writes 58336",
    },
    Question {
        ours: &["dedupe", "TEXT", "OUT"],
        peer: extract(&["-D", "-oOUT", "TEXT"], ""),
        differs: "pgn-extract compares moves only",
    },
    Question {
        ours: &["edit", "COPY", "set", "Event=World Blitz", "--exact", "--event", "USA-ch"],
        peer: counted("sc_name edit event all {USA-ch} {World Blitz}", "set answer"),
        differs: "Scid renames in memory and writes in place. Our program replaces the files at once",
    },
    Question {
        ours: &["edit", "COPY", "delete", "--date", "..1990"],
        peer: scid(
            "sc_search header -filter 2 -date {0001.01.01 1990.12.31}; \
             sc_base gameflag $id dbfilter set delete",
        ),
        differs: "",
    },
    Question {
        ours: &["edit", "COPY", "dedupe"],
        peer: counted(
            "sc_base duplicates $id -players 1 -colors 1 -event 1 -site 1 -round 1 -year 1 -month 1 \
             -day 1 -result 1 -eco 0 -moves 1",
            "set answer",
        ),
        differs: "Scid leaves one of several games without names",
    },
    Question {
        ours: &["edit", "MARKED", "compact"],
        peer: counted("sc_base compact $id", "sc_base numGames $id"),
        differs: "",
    },
    Question {
        ours: &["check", "TEXT"],
        peer: extract(&["-r", "TEXT"], ""),
        differs: "pgn-extract leaves out a damaged game",
    },
    Question {
        ours: &["convert", "BASE", "OUT", "--sort", "date"],
        peer: counted(
            "sc_base export filter PGN [file join [file dirname $base] out.pgn]",
            "sc_base numGames $id",
        ),
        differs: "Scid cannot sort what it exports",
    },
];
