//! Pictures of reports, as SVG inside the page.

use crate::html::escape;

/// Width of a picture, in its own units.
const WIDTH: f64 = 720.0;
/// Colours that people who cannot tell red from green can tell apart.
const COLOURS: [&str; 4] = ["#1f6fb2", "#b9bec5", "#c8641b", "#e9ebee"];
/// Space for the labels at the left.
const LEFT: f64 = 48.0;
/// Space for half a label at the right.
const RIGHT: f64 = 16.0;
/// The most years that have a place each in a picture.
const MAX_YEARS: u16 = 500;

/// A bar: its label and the sizes of its parts.
pub(crate) struct Bar {
    pub(crate) label: String,
    pub(crate) parts: [u64; 4],
}

/// Returns a bar for each year from the first to the last, so that gaps can be seen. Games without a
/// year have a bar at the end.
pub(crate) fn by_year(years: &[(Option<u16>, [u64; 4])]) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Vec::new();
    let known = || years.iter().filter_map(|(year, _)| *year);
    let is_short = known()
        .min()
        .zip(known().max())
        .is_some_and(|(first, last)| last.saturating_sub(first) <= MAX_YEARS);
    let mut next = known().next().unwrap_or(0);
    for (year, parts) in years {
        while is_short && year.is_some_and(|year| next < year) {
            bars.push(Bar { label: next.to_string(), parts: [0; 4] });
            next = next.saturating_add(1);
        }
        let label = year.map_or_else(|| "?".to_owned(), |year| year.to_string());
        bars.push(Bar { label, parts: *parts });
        next = year.map_or(next, |year| year.saturating_add(1));
    }
    bars
}

impl Bar {
    fn sum(&self) -> u64 {
        self.parts.iter().sum()
    }
}

#[allow(clippy::cast_precision_loss, reason = "a picture needs no such precision")]
fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn start(title: &str, height: f64) -> String {
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" \
         width=\"{WIDTH}\" height=\"{height:.0}\" role=\"img\" font-family=\"system-ui,sans-serif\" \
         font-size=\"12\" fill=\"#1d1f21\">\n<title>{title}</title>\n"
    )
}

/// Draws the names of the parts above a picture.
fn legend(names: [&str; 4], bars: &[Bar], out: &mut String) {
    let mut x = LEFT;
    for (place, (name, colour)) in names.iter().zip(COLOURS).enumerate() {
        if bars.iter().all(|bar| bar.parts.get(place).is_none_or(|part| *part == 0)) {
            continue;
        }
        let name = escape(name);
        out.push_str(&format!(
            "<rect x=\"{x:.0}\" y=\"4\" width=\"11\" height=\"11\" fill=\"{colour}\" \
             stroke=\"#8a9099\" stroke-width=\".5\"/><text x=\"{:.0}\" y=\"14\">{name}</text>\n",
            x + 16.0
        ));
        x += 100.0;
    }
}

/// Draws one column a bar, with the parts above each other: games by year. Returns `None` for fewer
/// than two bars.
pub(crate) fn columns(title: &str, names: [&str; 4], bars: &[Bar]) -> Option<String> {
    const TOP: f64 = 26.0;
    const HEIGHT: f64 = 150.0;
    let highest = bars.iter().map(Bar::sum).max().filter(|sum| *sum > 0)?;
    if bars.len() < 2 {
        return None;
    }
    let mut svg = start(title, TOP + HEIGHT + 22.0);
    legend(names, bars, &mut svg);
    let step = (WIDTH - LEFT - RIGHT) / f64::from(u32::try_from(bars.len()).unwrap_or(u32::MAX));
    let every = label_distance(step);
    grid(highest, TOP, HEIGHT, &mut svg);
    let mut x = LEFT;
    for (place, bar) in bars.iter().enumerate() {
        let mut y = TOP + HEIGHT;
        for (part, colour) in bar.parts.iter().zip(COLOURS) {
            let height = ratio(*part, highest) * HEIGHT;
            y -= height;
            if *part > 0 {
                let (x, width) = (x + step * 0.08, step * 0.84);
                svg.push_str(&format!(
                    "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" \
                     fill=\"{colour}\"/>\n"
                ));
            }
        }
        if place % every == 0 {
            let (middle, label) = (x + step / 2.0, escape(&bar.label));
            let y = TOP + HEIGHT + 15.0;
            svg.push_str(&format!(
                "<text x=\"{middle:.1}\" y=\"{y:.0}\" text-anchor=\"middle\">{label}</text>\n"
            ));
        }
        x += step;
    }
    svg.push_str("</svg>");
    Some(svg)
}

/// Returns the distance of labels, in bars, at which they do not touch.
fn label_distance(step: f64) -> usize {
    [1, 2, 5, 10, 20, 50, 100, 200, 500]
        .into_iter()
        .find(|n| f64::from(*n) * step >= 40.0)
        .map_or(1000, |n| usize::try_from(n).unwrap_or(1000))
}

/// Draws lines at the whole, the half and zero.
fn grid(highest: u64, top: f64, height: f64, out: &mut String) {
    for (value, y) in [(highest, top), (highest / 2, f64::NAN), (0, top + height)] {
        let y = if y.is_nan() { top + height * (1.0 - ratio(value, highest)) } else { y };
        out.push_str(&format!(
            "<line x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#d9dce0\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>\n",
            LEFT - 6.0,
            y + 4.0
        ));
    }
}

/// Draws a bar of full width for each entry, divided by its parts: results by colour.
pub(crate) fn shares(title: &str, names: [&str; 4], bars: &[Bar]) -> Option<String> {
    const STEP: f64 = 26.0;
    const LABELS: f64 = 110.0;
    if bars.iter().all(|bar| bar.sum() == 0) {
        return None;
    }
    let rows = f64::from(u32::try_from(bars.len()).unwrap_or(u32::MAX));
    let mut svg = start(title, 24.0 + rows * STEP);
    legend(names, bars, &mut svg);
    let mut y = 24.0;
    for bar in bars {
        let label = escape(&bar.label);
        svg.push_str(&format!("<text x=\"0\" y=\"{:.0}\">{label}</text>\n", y + 14.0));
        let mut x = LABELS;
        for (part, colour) in bar.parts.iter().zip(COLOURS) {
            let width = ratio(*part, bar.sum()) * (WIDTH - LABELS);
            if *part > 0 {
                svg.push_str(&format!(
                    "<rect x=\"{x:.2}\" y=\"{y:.0}\" width=\"{width:.2}\" height=\"20\" \
                     fill=\"{colour}\"/>\n"
                ));
            }
            if width > 36.0 {
                let ink = if colour == COLOURS[0] { "#fff" } else { "#1d1f21" };
                let (middle, base) = (x + width / 2.0, y + 14.0);
                svg.push_str(&format!(
                    "<text x=\"{middle:.1}\" y=\"{base:.0}\" text-anchor=\"middle\" \
                     fill=\"{ink}\">{part}</text>\n"
                ));
            }
            x += width;
        }
        y += STEP;
    }
    svg.push_str("</svg>");
    Some(svg)
}

/// Draws values by year as a line. Returns `None` for fewer than two points.
pub(crate) fn course(title: &str, points: &[(u16, u16)]) -> Option<String> {
    const TOP: f64 = 12.0;
    const HEIGHT: f64 = 170.0;
    let [(first, _), .., (last, _)] = points else { return None };
    let values = || points.iter().map(|(_, value)| *value);
    let (lowest, highest) = (values().min()?, values().max()?);
    // Whole fifties around the values.
    let (bottom, top) = (lowest / 50 * 50, highest.div_ceil(50).saturating_mul(50));
    let top = top.max(bottom.saturating_add(50));
    let range = f64::from(top.saturating_sub(bottom));
    let years = f64::from(last.saturating_sub(*first)).max(1.0);
    let x = |year: u16| LEFT + 8.0 + f64::from(year - first) / years * (WIDTH - LEFT - 40.0);
    let y = |value: u16| TOP + HEIGHT - f64::from(value - bottom) / range * HEIGHT;
    let mut svg = start(title, TOP + HEIGHT + 24.0);
    let step = [50u16, 100, 200, 500, 1000, 5000, 20_000];
    let step = step.into_iter().find(|step| range / f64::from(*step) <= 6.0).unwrap_or(20_000);
    for value in (bottom..=top).step_by(step.into()) {
        let height = y(value);
        svg.push_str(&format!(
            "<line x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{height:.1}\" y2=\"{height:.1}\" \
             stroke=\"#d9dce0\"/><text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>\n",
            LEFT - 6.0,
            height + 4.0
        ));
    }
    let line: Vec<String> =
        points.iter().map(|(year, value)| format!("{:.1},{:.1}", x(*year), y(*value))).collect();
    svg.push_str(&format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
        line.join(" "),
        COLOURS[0]
    ));
    let distance = (WIDTH - LEFT - 40.0) / years;
    let every = u16::try_from(label_distance(distance)).unwrap_or(1000);
    for (year, value) in points {
        svg.push_str(&format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{}\"><title>{year}: {value}</title>\
             </circle>\n",
            x(*year),
            y(*value),
            COLOURS[0]
        ));
    }
    for year in (*first..=*last).step_by(every.max(1).into()) {
        let base = TOP + HEIGHT + 17.0;
        svg.push_str(&format!(
            "<text x=\"{:.1}\" y=\"{base:.0}\" text-anchor=\"middle\">{year}</text>\n",
            x(year)
        ));
    }
    svg.push_str("</svg>");
    Some(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_by_year_show_gaps_of_usual_length() {
        let labels = |years: &[Option<u16>]| -> String {
            let years: Vec<_> = years.iter().map(|year| (*year, [1; 4])).collect();
            by_year(&years).iter().map(|bar| format!("{}:{} ", bar.label, bar.sum())).collect()
        };
        assert_eq!(labels(&[]), "");
        assert_eq!(labels(&[None]), "?:4 ");
        assert_eq!(labels(&[Some(1990), Some(1992), None]), "1990:4 1991:0 1992:4 ?:4 ");
        assert_eq!(labels(&[Some(1), Some(9999)]), "1:4 9999:4 ");
    }

    #[test]
    fn pictures_of_too_few_values_are_left_out() {
        let bar = |parts| Bar { label: "<1>".into(), parts };
        let names = ["won", "drawn", "lost", "open"];
        assert!(columns("t", names, &[]).is_none());
        assert!(columns("t", names, &[bar([1, 0, 0, 0])]).is_none());
        assert!(columns("t", names, &[bar([0; 4]), bar([0; 4])]).is_none());
        assert!(shares("t", names, &[bar([0; 4])]).is_none());
        assert!(course("t", &[]).is_none());
        assert!(course("t", &[(1990, 2500)]).is_none());
    }

    #[test]
    fn pictures_of_extreme_values_are_finite() {
        let bar = |parts| Bar { label: "<1>".into(), parts };
        let names = ["won", "drawn", "lost", "open"];
        let bars = [bar([u64::MAX / 4; 4]), bar([1, 0, 0, 0])];
        let pictures = [
            columns("a & b", names, &bars).unwrap(),
            shares("a & b", names, &bars).unwrap(),
            course("a & b", &[(1, 1), (9999, 65_535)]).unwrap(),
            course("a & b", &[(1990, 2500), (1990, 2500)]).unwrap(),
        ];
        for picture in pictures {
            assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
            assert!(picture.contains("<title>a &amp; b</title>"), "{picture}");
            assert!(!picture.contains("<1>"), "{picture}");
        }
    }
}
