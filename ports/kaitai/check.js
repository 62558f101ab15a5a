// Holds the descriptions of docs/formats/ksy against the program's own dump.
//
//     cargo xtask ports
//
// Reads lines of JSON: {"path", "ksy", "params", "entry", "fields": [{"offset", "length", "name", "value"}]}, a game's fields in
// one file. For each the file is parsed by the description, and each field must be there: one or several fields of the description
// take exactly its bytes; and where the dump's value begins with a number, and the description has a value of the same name, it
// is the same number. (A word of several values, `white rating, date`, is held by its place alone.) Exits with 1 if not.

const fs = require("fs");
const path = require("path");
const vm = require("vm");
const YAML = require("yaml");
const KaitaiStream = require("kaitai-struct/KaitaiStream");
const compiler = require("kaitai-struct-compiler");

const FOLDER = path.join(__dirname, "..", "..", "docs", "formats", "ksy");
const COUNTS = path.join(__dirname, "..", "..", "docs", "coverage", "kaitai.csv");

// The parser of a description, compiled so that it notes where each field stands.
async function parserOf(name) {
  const description = YAML.parse(fs.readFileSync(path.join(FOLDER, name + ".ksy"), "utf8"));
  const files = await compiler.compile("javascript", description, null, true);
  const source = Object.values(files)[0];
  const module = { exports: {} };
  const load = () => KaitaiStream;
  vm.runInThisContext("(function(exports, require, module) {" + source + "\n})")(module.exports, load, module);
  const named = Object.values(module.exports).find((value) => typeof value === "function");
  return typeof module.exports === "function" ? module.exports : named;
}

function parse(Parser, bytes, params) {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const root = new Parser(new KaitaiStream(buffer, 0), null, null, ...params);
  root._read();
  return root;
}

// The ends of all fields by their beginnings.
function leaves(node, found = new Map()) {
  const add = (place) => {
    if (!place || place.end === undefined) return;
    const base = place.ioOffset || 0;
    const ends = found.get(base + place.start) || new Set();
    ends.add(base + place.end);
    found.set(base + place.start, ends);
  };
  for (const [name, place] of Object.entries(node._debug || {})) {
    add(place);
    (place.arr || []).forEach(add);
    const value = node[name];
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof child === "object" && child._debug) {
        if (!Object.keys(child._debug).length && child._read) child._read();
        leaves(child, found);
      }
    }
  }
  return found;
}

// Reads what an entry only leads to: nothing else asks for it.
function readInstances(entry) {
  const type = entry && typeof entry === "object" ? Object.getPrototypeOf(entry) : {};
  const getters = Object.entries(Object.getOwnPropertyDescriptors(type)).filter(([, property]) => property.get);
  for (const [name] of getters) {
    const value = entry[name];
    if (value && value._read && !Object.keys(value._debug || {}).length) value._read();
  }
}

// Whether fields stand exactly from one place to another.
function covered(found, from, to) {
  if (from === to) return true;
  return [...(found.get(from) || [])].some((end) => end > from && end <= to && covered(found, end, to));
}

function plain(name) {
  return name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "");
}

// The value of a field of the description as a number, if it has one.
function numberOf(entry, name) {
  const camel = plain(name).replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
  let value = entry && typeof entry === "object" ? (entry[camel] ?? (entry.fields || {})[camel]) : undefined;
  if (value && typeof value === "object" && value.value !== undefined) value = value.value;
  return typeof value === "number" ? value : undefined;
}

// Where the entry that stands at an offset leads to.
function placeOf({ root, list }, offset) {
  const entry = list[((root._debug.entries || {}).arr || []).findIndex((place) => place.start === offset)];
  return typeof entry === "number" ? Math.abs(entry) : numberOf(entry, "offset");
}

async function main() {
  const parsers = new Map();
  const counts = {};
  let problems = 0;
  const say = (problem) => {
    problems += 1;
    if (problems <= 20) console.log(problem);
  };
  let last = { path: null };
  for (const line of fs.readFileSync(0, "utf8").split("\n").filter((line) => line)) {
    const { path: file, ksy, params, entry, fields } = JSON.parse(line);
    if (!parsers.has(ksy)) parsers.set(ksy, await parserOf(ksy));
    if (last.path !== file) {
      const root = parse(parsers.get(ksy), fs.readFileSync(file), params);
      const list = root.entries || [];
      list.forEach((one) => one && one._read && !Object.keys(one._debug || {}).length && one._read());
      list.forEach(readInstances);
      last = { path: file, root, list, found: leaves(root) };
    }
    const count = (counts[ksy] = counts[ksy] || { files: new Set(), fields: 0, values: 0 });
    count.files.add(file);
    for (const field of fields) {
      count.fields += 1;
      if (!covered(last.found, field.offset, field.offset + field.length)) {
        say(`${file}: ${ksy} has no ${field.name} at ${field.offset}, ${field.length} bytes`);
      }
      const [, led, told] = /^(byte |see id )?(-?\d+)(?=$|[ ,])/.exec(field.value) || [];
      const read = led ? placeOf(last, field.offset) : field.name.includes(",") ? undefined : numberOf(last.list[entry], field.name);
      if (told && read !== undefined) {
        count.values += 1;
        if (Number(told) !== read) say(`${file}: ${field.name} is ${read}, the dump says ${told}`);
      }
    }
  }
  for (const [ksy, { files, fields, values }] of Object.entries(counts)) {
    console.log(`${ksy}: ${files.size} files, ${fields} fields in their places, ${values} numbers compared`);
  }
  if (!keep(counts)) say("docs/coverage/kaitai.csv was out of date. It has been written anew; review the difference.");
  process.exit(problems ? 1 : 0);
}

// Compares the counts with those that docs/coverage has, and writes them anew where they differ. Returns whether they are the same.
function keep(counts) {
  const rows = Object.entries(counts).map(([ksy, { files, fields, values }]) => `${ksy},${files.size},${fields},${values}\n`);
  const text = "description,files_parsed,fields_in_their_places,numbers_compared\n" + rows.join("");
  const same = fs.readFileSync(COUNTS, "utf8") === text;
  if (!same) fs.writeFileSync(COUNTS, text);
  return same;
}

main();
