//! Parses keyword arguments: filters, and options of formats.

use std::ffi::CString;

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple};
use scoresheet::chess_store::{Encoding, Settings};
use scoresheet::{Filter, Format, OpenOptions, format_named};

use crate::errors::value;

/// Builds a filter from keyword arguments. A value is text in the program's syntax, or the
/// equivalent Python value.
pub(crate) fn filter(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Filter> {
    let mut given: Vec<(String, String)> = Vec::new();
    for (name, argument) in arguments.into_iter().flatten() {
        let name: String = name.extract()?;
        for value in values(&argument)? {
            given.push((name.replace('_', "-"), value));
        }
    }
    let given = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let filter = Filter::named(given).map_err(value)?;
    for (name, message) in filter.warnings() {
        let text = CString::new(format!("{}: {message}", name.replace('-', "_")))?;
        Python::attach(|py| PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 2))?;
    }
    Ok(filter)
}

/// Returns the items of a list, or a single value; `None` has no items.
fn values(argument: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if argument.is_none() {
        return Ok(Vec::new());
    }
    if argument.is_instance_of::<PyList>() {
        return argument.try_iter()?.map(|item| text(&item?)).collect();
    }
    text(argument).map(|text| vec![text])
}

/// Formats a value as text. `True` means yes. A pair is a range; each end may be `None`.
fn text(argument: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(flag) = argument.cast::<PyBool>() {
        return Ok(if flag.is_true() { "yes".into() } else { "no".into() });
    }
    let end = |item: Bound<'_, PyAny>| -> PyResult<String> {
        if item.is_none() { Ok(String::new()) } else { Ok(item.str()?.to_string()) }
    };
    if let Ok(pair) = argument.cast::<PyTuple>() {
        let (first, last) = pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        return Ok(format!("{}..{}", end(first)?, end(last)?));
    }
    Ok(argument.str()?.to_string())
}

pub(crate) fn open_options(
    encoding: Option<&str>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<OpenOptions> {
    let mut open = OpenOptions::default();
    open.encoding = self::encoding(encoding)?;
    open.settings = settings(options)?;
    Ok(open)
}

pub(crate) fn encoding(label: Option<&str>) -> PyResult<Option<Encoding>> {
    let known = |label| {
        Encoding::from_label(label).ok_or_else(|| value(format!("no encoding is called {label:?}")))
    };
    label.map(known).transpose()
}

pub(crate) fn settings(options: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
    let mut settings = Settings::default();
    for (name, option) in options.into_iter().flatten() {
        let name: String = name.extract()?;
        settings.set(name.replace('_', "-"), setting(&option)?);
    }
    Ok(settings)
}

/// Formats an option. A list becomes its items, separated by commas.
fn setting(option: &Bound<'_, PyAny>) -> PyResult<String> {
    if option.is_instance_of::<PyList>() {
        return Ok(values(option)?.join(","));
    }
    text(option)
}

pub(crate) fn format(name: Option<&str>) -> PyResult<Option<&'static Format>> {
    let known = |name| {
        let names =
            || scoresheet::formats().map(|format| format.name).collect::<Vec<_>>().join(", ");
        format_named(name)
            .ok_or_else(|| value(format!("no format is called {name:?}; they are {}", names())))
    };
    name.map(known).transpose()
}
