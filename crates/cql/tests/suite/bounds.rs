//! Explanations, conditions for an index, warnings, and queries that never match.

use chess_core::{Color, GameResult, Piece, Role};
use cql::{Condition, Query};

fn men(letters: &str, min: i64, max: i64) -> Condition {
    let pieces = letters.chars().map(|letter| {
        let color = if letter.is_uppercase() { Color::White } else { Color::Black };
        Piece::new(Role::from_letter(letter.to_ascii_uppercase()).unwrap(), color)
    });
    Condition::Men { pieces: pieces.collect(), min, max }
}

/// Returns the bounds apart from the material of one position.
fn bounds(query: &str) -> Condition {
    fn without(condition: &Condition) -> Option<Condition> {
        let several = |list: &[Condition]| list.iter().filter_map(without).collect::<Vec<_>>();
        Some(match condition {
            Condition::Material { .. } => return None,
            Condition::All(list) => match several(list).as_slice() {
                [only] => only.clone(),
                list => Condition::All(list.to_vec()),
            },
            Condition::OneOf(list) => Condition::OneOf(several(list)),
            other => other.clone(),
        })
    }
    without(Query::parse(query).unwrap().bounds()).unwrap()
}

#[test]
fn bounds_of_one_position_join_its_material() {
    let of = |query: &str| {
        let bounds = Query::parse(query).unwrap().bounds().clone();
        let list = if let Condition::All(list) = bounds { list } else { vec![bounds] };
        list.iter().find_map(|condition| match condition {
            Condition::Material { least, most } => Some((*least, *most)),
            _ => None,
        })
    };
    let open = 64;
    let rook_ending = ([[0, 1, 0, 0, 0], [0; 5]], [[0, 1, 0, 0, 8], [open; 5]]);
    assert_eq!(of("{R==1 A==2 K==1} or mate"), None);
    assert_eq!(of("R==1 [QBN]==0 P<=8"), Some(rook_ending));
    let bare = ([[0; 5], [0, 0, 1, 0, 0]], [[open; 5], [0, 0, 1, 0, 0]]);
    assert_eq!(of("k==1 b==1 a==2 mate"), Some(bare));
    assert_eq!(of("initial find {k==1 b==1 a==2}"), Some(bare));
    // The positions of a sequence are different ones.
    assert_eq!(of("line --> R==1 --> [QBN]==0").unwrap().1[0], [open, 1, open, open, open]);
    assert_eq!(of("P<=8 R>=2"), None);
}

#[test]
fn bounds_of_material_are_ranges() {
    let all = |list: &[Condition]| Condition::All(list.to_vec());
    assert_eq!(bounds("R==1 P>=2"), all(&[men("R", 1, 1), men("P", 2, i64::MAX)]));
    assert_eq!(bounds("Pd4"), men("P", 1, i64::MAX));
    assert_eq!(bounds("Pd4<=1"), Condition::Always);
    assert_eq!(bounds("1<=Q<3"), all(&[men("Q", 1, i64::MAX), men("Q", i64::MIN, 2)]));
    let both = Condition::OneOf(vec![men("Q", 0, 0), men("q", 0, 0)]);
    assert_eq!(bounds("flipcolor {Q==0}"), Condition::OneOf(vec![men("Q", 0, 0), men("q", 0, 0)]));
    assert_eq!(bounds("initial find flipcolor {Q==0}"), both);
    assert_eq!(bounds("not Q or P"), Condition::Always);
}

#[test]
fn bounds_of_header_and_length_are_found() {
    let player = Condition::Player { color: Some(Color::White), text: "Tal".to_owned() };
    assert_eq!(bounds("white \"Tal\""), player);
    assert_eq!(bounds("not white \"Tal\""), Condition::Not(Box::new(player)));
    assert_eq!(bounds("result 1-0"), Condition::Result(GameResult::White));
    assert_eq!(bounds("cql(result 1-0) true"), Condition::Result(GameResult::White));
    assert_eq!(bounds("year>=1990"), Condition::Year { min: 1990, max: i64::MAX });
    assert_eq!(bounds("cql(matchcount 40 90) true"), Condition::HalfMoves { min: 39 });
    assert_eq!(bounds("line --> check{3} --> .*"), Condition::HalfMoves { min: 2 });
    assert_eq!(bounds("path --{4} check"), Condition::HalfMoves { min: 4 });
    assert_eq!(bounds("line --> Q? --> R"), men("R", 1, i64::MAX));
}

#[test]
fn bounds_end_before_counters() {
    assert_eq!(bounds("persistent total+=1 Q==0"), Condition::Always);
    assert_eq!(bounds("message(\"x\") Q==0"), Condition::Always);
    assert_eq!(bounds("Q==0 persistent total+=1 q==0"), men("Q", 0, 0));
    assert_eq!(bounds("x=ply Q==0 comment(\"x\") sort ply"), men("Q", 0, 0));
}

#[test]
fn bounds_of_contradiction_are_never() {
    for query in [
        "Q==1 Q==2",
        "A==3 P>=4",
        "wtm {mate btm}",
        "result 1-0 result 0-1",
        "movenumber<10 Pe4 movenumber>20",
        "flipcolor {Q==1 Q==2}",
        "initial find {Q==1 Q==2}",
        "false",
    ] {
        let query = Query::parse(query).unwrap();
        assert_eq!(query.bounds(), &Condition::Never, "{}", query.text());
        let last = query.warnings().last().unwrap();
        assert_eq!(last.message, "the query can never match", "{}", query.text());
    }
    for query in ["line --> Q==1 --> Q==2", "Q==1 find Q==2", "wtm or btm", "Q==1 child:Q==2"] {
        assert_ne!(bounds(query), Condition::Never, "{query}");
    }
}

#[test]
fn warnings_of_doubtful_queries_name_remedy() {
    for (query, column, message) in [
        ("wtm Q==q", 5, "Q==q compares squares; to compare numbers, write #Q==#q"),
        ("Pa1", 1, "Pa1 can never match: no pawn stands on rank 1 or 8"),
        (
            "flipcolor Pd4 pe5",
            1,
            "flipcolor turns only Pd4; to turn pe5 too, write flipcolor {Pd4 pe5}",
        ),
        ("flipcolor mate", 1, "flipcolor changes nothing here"),
        ("mate e4", 6, "e4 names squares without pieces, so it always matches"),
        ("#P mate", 1, "#P always matches: it is compared with nothing"),
        ("Q==1 Q==2", 6, "this never matches together with the filter of line 1, column 1"),
    ] {
        let query = Query::parse(query).unwrap();
        let warning = query.warnings().first().unwrap();
        assert_eq!((warning.place.column, warning.message.as_str()), (column, message));
    }
}

#[test]
fn explanation_shows_braces_and_variants() {
    for (query, explained) in [
        ("flipcolor Pd4 or pe4", "{one of {Pd4 or pe4}, {pd5 or Pe5}}"),
        ("mate result 1-0 #A+2>=5", "result 1-0\n{{#A + 2} >= 5}\nmate"),
        ("not wtm and Q attacks k", "{not wtm {Q attacks k}}"),
        ("flipvertical [RQ]a-b1-2 child:check", "{one of [QR]a-b1-2, [QR]g-h1-2}\nchild:check"),
        (
            "B[x]ph7(check) player \"Tal\"",
            "{\"Tal\" in player}\n{move from B capture ph7, and after it {check}}",
        ),
        ("initial find up 1 K == [a1,c3]", "initial\n{find {{up 1 1 K} == [a1,c3]}}"),
    ] {
        assert_eq!(Query::parse(query).unwrap().explain(), explained);
    }
}
