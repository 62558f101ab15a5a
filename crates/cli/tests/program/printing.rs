//! Tests of pages to read and to print: `.html` and `.typ`.

use std::fs;

use crate::place::Place;

const GAMES: &str = "[Event \"<script>alert(1)</script> & \\\"x\\\"\"]\n[White \"Tal, M <b>\"]\n\
    [Black \"#set text(red)\"]\n[Result \"1-0\"]\n[Annotator \"\\\\ $x$\"]\n[WhiteElo \"2600\"]\n\n\
    {Start [%csl Ge4,Rd5]} 1. e4! c5 $16 (1... e5 $220 2. Nf3 (2. Bc4 Nf6 (2... Bc5 3. Qh5 (3. c3 Nf6 \
    (3... d6))))) 2. Nf3 {[%clk 0:01:02] <i>fine</i> ]#x [%cal Gg1f3] [#]} d6 $99 1-0\n\n\
    [White \"A\"]\n[Black \"B\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 *\n\n";

fn printed(name: &str, options: &str) -> String {
    let place = Place::new();
    fs::write(place.path("in.pgn"), GAMES).unwrap();
    place.run(format!("convert in.pgn {name} {options}").trim_end()).well();
    fs::read_to_string(place.path(name)).unwrap()
}

#[test]
fn html_page_has_contents_games_and_diagrams() {
    let page = printed("out.html", "");
    insta::assert_snapshot!(page);
    assert_eq!(page.matches("<figure").count(), 4);
    assert_eq!(page.matches("<figure class=\"small\">").count(), 1);
    for element in ["div", "article", "span", "bdi", "h2", "figure", "svg", "g", "b", "li", "a"] {
        let open = page.matches(&format!("<{element}>")).count()
            + page.matches(&format!("<{element} ")).count();
        assert_eq!(open, page.matches(&format!("</{element}>")).count(), "{element}");
    }
}

#[test]
fn html_page_escapes_texts_of_games() {
    let page = printed("out.html", "");
    for text in ["<script", "<i>fine", "M <b>"] {
        assert!(!page.contains(text), "{text}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;"));
    assert!(page.contains("&lt;i&gt;fine&lt;/i&gt; ]#x"));
}

#[test]
fn html_page_of_one_game_has_no_contents_and_given_title() {
    let place = Place::new();
    fs::write(place.path("in.pgn"), GAMES).unwrap();
    let words =
        ["convert", "in.pgn", "-", "--to", "html", "--games", "2", "--to-option", "title=A&B"];
    let page = place.run_words(&words, "").well().out;
    assert!(page.contains("<title>A&amp;B</title>") && page.contains("<h1>A&amp;B</h1>"), "{page}");
    assert!(!page.contains("<nav") && page.contains("<article id=\"g1\">"), "{page}");
}

#[test]
fn typst_document_has_texts_as_literals() {
    let page = printed("out.typ", "");
    let body = page.split_once("#outline").unwrap().1;
    insta::assert_snapshot!(body);
    // Outside of string literals there is nothing but calls of this program.
    let mut outside = String::new();
    let mut letters = body.chars();
    let mut is_in = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if is_in => drop(letters.next()),
            '"' => is_in = !is_in,
            letter if !is_in => outside.push(letter),
            _ => {}
        }
    }
    assert!(!is_in);
    for text in ["script", "set text", "$x$", "fine"] {
        assert!(!outside.contains(text) && body.contains(text), "{text}");
    }
}

#[test]
fn pages_do_not_depend_on_threads_and_order_is_kept() {
    let one = printed("out.html", "--threads 1");
    assert_eq!(one, printed("out.html", "--threads 4"));
    assert!(one.find("id=\"g1\"") < one.find("id=\"g2\""));
}

#[test]
fn pages_control_characters_are_lost_by_name() {
    let place = Place::new();
    fs::write(place.path("in.pgn"), "[White \"A\u{1}\u{202e}\"]\n\n{x\u{7}} *\n\n").unwrap();
    for (name, count) in [("out.html", 2), ("out.typ", 2)] {
        let ran = place.run(&format!("convert in.pgn {name}")).well();
        assert!(ran.err.contains("characters"), "{ran}");
        let page = fs::read_to_string(place.path(name)).unwrap();
        assert!(!page.contains(['\u{1}', '\u{7}']), "{name}");
        assert!(page.matches('\u{fffd}').count() >= count, "{name}");
    }
    let page = fs::read_to_string(place.path("out.typ")).unwrap();
    assert!(!page.contains('\u{202e}'));
}

#[test]
fn pages_many_nested_variations_are_not_nested_elements() {
    let place = Place::new();
    let game = format!("1. e4 {} {} *\n", "(1. d4 ".repeat(3000), ")".repeat(3000));
    fs::write(place.path("in.pgn"), game).unwrap();
    place.run("convert in.pgn out.html").well();
    let page = fs::read_to_string(place.path("out.html")).unwrap();
    assert_eq!(page.matches("class=\"variation\"").count(), 4);
    assert_eq!(page.matches("(1.&nbsp;d4").count(), 2996);
}

#[test]
fn pages_are_written_and_not_read() {
    let place = Place::new();
    fs::write(place.path("in.pgn"), GAMES).unwrap();
    for name in ["out.html", "out.typ"] {
        place.run(&format!("convert in.pgn {name}")).well();
        let ran = place.run(&format!("convert {name} back.pgn"));
        assert_eq!(ran.code, 3, "{ran}");
        assert!(ran.err.contains("not read") && ran.err.lines().count() == 1, "{ran}");
    }
}
