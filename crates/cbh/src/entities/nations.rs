//! Nations by number, as far as genuine bases reveal them.

/// Numbers and names, inferred from the places and teams of these countries.
// cbh §6.4 "Nations"
const NATIONS: [(u8, &str); 45] = [
    (7, "ARG"),
    (10, "AUT"),
    (16, "BLR"),
    (17, "BEL"),
    (23, "BRA"),
    (28, "CAN"),
    (31, "COL"),
    (34, "CUB"),
    (36, "CZE"),
    (37, "DEN"),
    (42, "ENG"),
    (43, "ESP"),
    (49, "FRA"),
    (53, "GER"),
    (55, "GRE"),
    (62, "HUN"),
    (63, "ISL"),
    (64, "IND"),
    (68, "ISR"),
    (70, "ITA"),
    (85, "LTU"),
    (94, "MEX"),
    (96, "MNC"),
    (103, "NED"),
    (105, "NZL"),
    (108, "NOR"),
    (115, "PHI"),
    (116, "POL"),
    (117, "POR"),
    (120, "ROU"),
    (121, "RUS"),
    (127, "SGP"),
    (129, "SLO"),
    (134, "SWE"),
    (135, "SUI"),
    (145, "UKR"),
    (147, "USA"),
    (149, "URS"),
    (156, "YUG"),
    (160, "GDR"),
    (161, "TCH"),
    (196, "INT"),
    (247, "GBR"),
    (249, "MNE"),
    (0, ""),
];

/// Appends the name of a nation, or `#` and its number.
pub(crate) fn push_nation(number: u8, out: &mut String) {
    match NATIONS.iter().find(|(known, _)| *known == number) {
        Some((_, name)) => out.push_str(name),
        None => {
            out.push('#');
            out.push_str(&number.to_string());
        }
    }
}

/// Returns the number of a nation as [`push_nation`] writes it.
pub(crate) fn nation_of(name: &str) -> Option<u8> {
    if let Some((number, _)) = NATIONS.iter().find(|(_, known)| *known == name) {
        return Some(*number);
    }
    let number: u8 = name.strip_prefix('#')?.parse().ok()?;
    let mut again = String::new();
    push_nation(number, &mut again);
    (again == name).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nations_every_number_round_trips() {
        for number in 0..=255 {
            let mut name = String::new();
            push_nation(number, &mut name);
            assert_eq!(nation_of(&name), Some(number), "{name}");
        }
        assert_eq!((nation_of("#53"), nation_of("XXX"), nation_of("GER")), (None, None, Some(53)));
    }
}
