//! Parsed structures, field by field.

use cbf::Database;
use testkit::cases;

#[test]
fn record_headers_match_snapshot() {
    let case = cases("cbf").into_iter().find(|case| case.name == "headers").unwrap();
    let base = Database::open(case.path("cbf")).unwrap();
    let headers: Vec<_> = (0..4).map(|game| base.record_header(game).unwrap()).collect();
    insta::assert_debug_snapshot!(headers);
}
