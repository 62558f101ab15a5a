//! Signs of NAGs.

use chess_core::Nag;

/// Returns the sign that is printed for a NAG: `!`, `±`. `None` for NAGs without a usual sign.
///
/// ```
/// use chess_core::Nag;
/// use print::nag_symbol;
///
/// assert_eq!(nag_symbol(Nag(16)), Some("±"));
/// assert_eq!(nag_symbol(Nag(99)), None);
/// ```
#[must_use]
pub const fn nag_symbol(nag: Nag) -> Option<&'static str> {
    Some(match nag.0 {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 => "□",
        10 => "=",
        13 => "∞",
        14 => "⩲",
        15 => "⩱",
        16 => "±",
        17 => "∓",
        18 => "+−",
        19 => "−+",
        22 | 23 => "⨀",
        32 | 33 => "⟳",
        36 | 37 => "↑",
        40 | 41 => "→",
        44 | 45 => "=/∞",
        132 | 133 => "⇆",
        138 | 139 => "⊕",
        140 => "∆",
        142 => "⌓",
        146 => "N",
        _ => return None,
    })
}

/// Whether a NAG asks for a diagram: `Some(true)` for one with Black below.
pub(super) const fn diagram(nag: Nag) -> Option<bool> {
    match nag.0 {
        220 => Some(false),
        221 => Some(true),
        _ => None,
    }
}
