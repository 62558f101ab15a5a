//! Serves the files of the page, and the files of the bases by ranges.
//!
//! A request names a file by its exact path in a table, which is made at the start. So no path of a request
//! reaches the disk.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::Path;

use hyper::body::Bytes;
use scoresheet::Input;
use scoresheet::chess_store::io::ReadAt as _;

use crate::{Answer, Source};

/// The most bytes that are sent at a time. The page asks for 8 MiB at most.
const MAX_RANGE: u64 = 16 << 20;

/// The media types of the page's files, by extension.
const TYPES: [(&str, &str); 7] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("svg", "image/svg+xml"),
    ("wasm", "application/wasm"),
    ("webmanifest", "application/manifest+json"),
];

/// The policy of the page. The rest is in its own head.
pub(crate) const POLICY: &str = "frame-ancestors 'none'";

/// The files that are served, by path.
#[derive(Default)]
pub(crate) struct Site {
    page: HashMap<String, (&'static str, Bytes)>,
    bases: HashMap<String, BaseFile>,
}

/// A file of a base.
pub(crate) struct BaseFile {
    pub(crate) input: Input,
    pub(crate) size: u64,
    /// The path under which the base answers.
    pub(crate) answers: String,
}

/// The file of a path.
pub(crate) enum Named<'a> {
    File(&'static str, Bytes),
    Base(&'a BaseFile),
}

impl Site {
    /// Reads the files of the page into memory. Files of other types and folders are left out.
    pub(crate) fn read(folder: &Path) -> io::Result<Site> {
        let mut site = Site::default();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            let known = TYPES.iter().find(|(known, _)| *known == extension);
            if let Some((_, media_type)) = known.filter(|_| path.is_file()) {
                site.page.insert(format!("/page/{name}"), (media_type, fs::read(&path)?.into()));
            }
        }
        let index = site.page.get("/page/index.html").cloned();
        let missing = || io::Error::new(io::ErrorKind::NotFound, "there is no index.html");
        site.page.insert("/page/".to_owned(), index.ok_or_else(missing)?);
        Ok(site)
    }

    /// Adds the files of the bases. Returns the address of the page with all of them.
    pub(crate) fn add(&mut self, sources: &[Source]) -> io::Result<String> {
        let mut addresses = Vec::new();
        for source in sources {
            for (place, path) in source.files().iter().enumerate() {
                let file = File::open(path)?;
                let size = file.metadata()?.len();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let name: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
                let answers = format!("/{}/", source.path_name());
                let address = format!("/files{answers}{}", name.replace('+', "%20"));
                if place == 0 {
                    addresses.push(address.clone());
                }
                self.bases.insert(address, BaseFile { input: file.into(), size, answers });
            }
        }
        let addresses: String =
            form_urlencoded::byte_serialize(addresses.join(" ").as_bytes()).collect();
        Ok(format!("/page/?src={addresses}"))
    }

    pub(crate) fn find(&self, path: &str) -> Option<Named<'_>> {
        let of_page = self.page.get(path).map(|(kind, bytes)| Named::File(kind, bytes.clone()));
        of_page.or_else(|| self.bases.get(path).map(Named::Base))
    }
}

/// Parses the only form of a `Range` that is served: `bytes=0-65535`. The end may be left out or lie behind
/// the end of the file.
pub(crate) fn parse_range(text: &str, size: u64) -> Option<Range<u64>> {
    let (start, last) = text.strip_prefix("bytes=")?.split_once('-')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let start = Some(start).filter(|text| is_number(text))?.parse::<u64>().ok()?;
    let end = match last {
        "" => size,
        _ => Some(last).filter(|text| is_number(text))?.parse::<u64>().ok()?.checked_add(1)?,
    };
    let end = end.min(size).min(start.saturating_add(MAX_RANGE));
    (start < end).then_some(start..end)
}

/// Reads a range of a file.
pub(crate) fn read_range(input: &Input, range: &Range<u64>) -> Result<Bytes, Answer> {
    let length = range.end.saturating_sub(range.start);
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    match input.read_full(range.start, &mut bytes) {
        Ok(count) if count == bytes.len() => Ok(bytes.into()),
        _ => Err(Answer::text(503, "the file of the base cannot be read any more\n")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_range_of_one_range_is_cut_to_the_file() {
        for (text, expected) in [
            ("bytes=0-9", Some(0..10)),
            ("bytes=90-", Some(90..100)),
            ("bytes=90-1000", Some(90..100)),
            ("bytes=100-", None),
            ("bytes=5-4", None),
            ("bytes=-5", None),
            ("bytes=0-1,3-4", None),
            ("bytes=+1-2", None),
            ("lines=0-1", None),
            ("bytes=0-18446744073709551615", None),
        ] {
            assert_eq!(parse_range(text, 100), expected, "{text}");
        }
        assert_eq!(parse_range("bytes=1-", u64::MAX), Some(1..MAX_RANGE + 1));
    }
}
