//! Numbers as people write them.

use serde_json::Value;

/// Formats `103,087`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len().saturating_add(8));
    for (place, digit) in (0..digits.len()).rev().zip(digits.chars()) {
        text.push(digit);
        if place > 0 && place.is_multiple_of(3) {
            text.push(',');
        }
    }
    text
}

/// Formats a count with its noun: `1 game`, `2,000 games`.
#[must_use]
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// Formats a number of games: `1 game`, `2 games`.
#[must_use]
pub fn games(count: u64) -> String {
    counted(count, "game", "games")
}

/// Formats tenths of a per cent: `33.4%`.
#[must_use]
pub fn tenths(share: u32) -> String {
    format!("{}.{}%", share / 10, share % 10)
}

/// Formats a share from 0 to 1: `58.3%`.
#[must_use]
pub fn percent(share: Option<f64>) -> String {
    share.map(|share| format!("{:.1}%", share * 100.0)).unwrap_or_default()
}

/// Formats a number if there is one.
#[must_use]
pub fn number(number: Option<impl std::fmt::Display>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// Formats half points as points: `10½`.
#[must_use]
pub fn points(half_points: u64) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}

/// Formats half points as a decimal number: `10.5`.
#[must_use]
pub fn decimal_points(half_points: u64) -> String {
    let half = if half_points % 2 == 1 { ".5" } else { "" };
    format!("{}{half}", half_points / 2)
}

/// Returns half points as a number of JSON.
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "no base has so many games")]
pub fn json_points(half_points: u64) -> Value {
    (half_points as f64 / 2.0).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_halves() {
        let texts: Vec<_> = [0, 1, 2, 21].map(|n| (points(n), decimal_points(n))).into();
        let expected = [("0", "0"), ("½", "0.5"), ("1", "1"), ("10½", "10.5")]
            .map(|(a, b)| (a.into(), b.into()));
        assert_eq!(texts, expected);
        assert_eq!(tenths(1000), "100.0%");
    }
}
