// The shadow DOM of the element.

import { pieceShape } from "./pieces.js";

/**
 * Name, label, example, meaning, width and rank of each field. The first rank is always visible, the second where
 * there is room, the third behind the button for more filters.
 * @type {[string, string, string, string, string, number][]}
 */
const FIELDS = [
  ["player", "Player", "Carlsen, M", "Either player. An initial stands for a given name: Carlsen, M", "wide", 1],
  ["against", "Against", "Anand", "The opponent of the player: the games of two players against each other, with either colour", "wide", 2],
  ["event", "Event", "Olympiad", "Any part of the name: Olympiad", "wide", 1],
  ["opening", "Opening", "najdorf", "Words of the name (najdorf, sicilian dragon) or codes (B90..B99), by the moves that were played", "wide", 2],
  ["date", "Date", "1990..1995", "A year, a month such as 1990-05, a day, or a range: 1990..1995", "half", 1],
  ["eco", "ECO", "B90..B99", "The code that the base gives: B90, a range such as B90..B99, or a beginning such as B", "half", 1],
  ["result", "Result", "1-0", "1-0, 0-1, draw or *", "half", 1],
  ["elo", "Both Elo", "2500..", "2500.. is 2500 or more, 2400..2600 a range, 2700 exactly 2700; both players count", "half", 1],
  ["moves", "Opening moves", "1. e4 c5 2. Nf3", "The first moves of the game: 1. e4 c5 2. Nf3", "wide", 2],
  ["site", "Site", "Baden-Baden", "Any part of the place: Baden-Baden", "wide", 3],
  ["length", "Length", "..20", "Moves of the game: ..20 is at most 20, 60.. at least 60", "half", 3],
  ["timeClass", "Time", "blitz", "bullet, blitz, rapid, classical or correspondence; several with commas", "half", 3],
  ["material", "Material", "KRP-KR", "Material on the board, of either colour: KRP-KR is rook and pawn against rook", "half", 3],
  ["pattern", "Pattern", "Pd4 pd5 @20..", "Pieces on squares: Pd4 a white pawn, pd5 a black one, .e4 nothing, @20.. from move 20 on", "wide", 3],
  ["comment", "Comment", "novelty", "Words in a comment, as a regular expression: novelty", "wide", 3],
  ["cql", "Query", "line --> check --> mate", "A query in CQL, for moves, motifs and manoeuvres: mate, B[x]h7(check), line --> check --> mate", "wide", 3],
  ["where", "Other tags", "Round<5", "A test of any tag: Round<5, WhiteTitle=GM, WhiteElo>=2600", "wide", 3],
];

/** @param {string} path */
const icon = (path) => `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;

/** @param {string} css address of the style sheet */
export function template(css) {
  const fields = FIELDS.map(
    ([name, label, example, meaning, size, rank]) =>
      `<label class="${size}" data-rank="${rank}"><span class="label">${label}</span>` +
      `<input name="${name}" placeholder="${example}" title="${meaning}" autocomplete="off" autocapitalize="off" spellcheck="false"></label>`,
  ).join("");
  const holder = document.createElement("template");
  holder.innerHTML = `
<link rel="stylesheet" href="${css}">
<div class="app">
  <div class="bar">
    <slot name="title"></slot>
    <select id="bases" aria-label="Base" hidden></select>
    <span class="about"></span>
    <span class="grow"></span>
    <button data-open="files" hidden>Open files</button>
    <button data-open="folder" hidden>Open a folder</button>
    <button class="plain" data-theme aria-label="Dark or light" title="Dark or light">◐</button>
    <input type="file" id="files" multiple hidden aria-label="Files">
    <input type="file" id="folder" webkitdirectory hidden aria-label="Folder">
  </div>
  <div class="welcome">
    <div class="drop">
      <svg viewBox="0 0 45 45" aria-hidden="true">${pieceShape("N")}</svg>
      <h2>Drop chess databases here</h2>
      <p>All files of a base, or the folder or archive that they are in. They are read in your browser and go nowhere else.</p>
      <div class="buttons">
        <button class="main" data-open="files">Open files</button>
        <button data-open="folder">Open a folder</button>
      </div>
      <p class="formats">ChessBase (.2cbh, .cbh, .cbv, and .cbf of the old disks), Chess Assistant, Scid 3, 4 and 5, jose, Simple Chess
        Database, PGN and JSON lines; also in .zip, .gz, .bz2, .xz and .zst. Beside a base an opening book: .bin, .ctg, .abk, .obk, .fbk.</p>
    </div>
  </div>
  <div class="work" data-side="games" hidden>
    <div class="switch" role="group" aria-label="What to show" hidden>
      <button data-side="games" aria-pressed="true">Games</button>
      <button data-side="board" aria-pressed="false">Board</button>
    </div>
    <section class="list" aria-label="Games">
      <form class="filters" aria-label="Filter">
        ${fields}
        <span class="chip" hidden>Position <button type="button" id="no-position" aria-label="Do not look for the position">✕</button></span>
        <span class="spelling" data-rank="3">
          <input type="file" id="spelling" accept=".ssp,.txt" hidden aria-label="Spelling file">
          <button type="button" id="spell" title="Scid's file of spellings (spelling.ssp): all spellings of a name in it are one name, for players, events and sites">Spelling file</button>
        </span>
        <span class="chip" id="spelt" hidden><span></span> <button type="button" aria-label="Do without the spelling file">✕</button></span>
        <button type="button" id="more" aria-expanded="false">More filters</button>
        <button type="button" id="clear" hidden>Clear</button>
        <span class="wrong" role="alert" hidden></span>
        <span class="people" role="status" hidden></span>
        <span class="hint" role="note" hidden></span>
      </form>
      <div class="status">
        <span id="count" role="status"></span>
        <progress max="1" aria-label="Progress" hidden></progress>
        <span class="grow"></span>
        <button id="openings" aria-pressed="false" title="Shows the names of openings in the table">Openings</button>
        <button id="unmark" hidden>Unmark</button>
        <select id="format" aria-label="Format to save in">
          <option value="pgn">PGN</option>
          <option value="si4">Scid 4</option>
          <option value="jsonl">JSON lines</option>
          <option value="csv">CSV</option>
        </select>
        <button id="export" title="Saves the games of the table. Mark some with the space bar or Ctrl and a click to save only these" disabled>Save</button>
      </div>
      <div class="table"></div>
    </section>
    <section class="pane" aria-label="Game">
      <div class="title"><h2></h2><p></p><p class="opening"></p><div class="notes"></div></div>
      <div class="panebody">
      <div class="boardbox">
        <div class="board" role="img" tabindex="0"></div>
        <p class="vh" id="said" aria-live="polite"></p>
        <div class="buttons" role="group" aria-label="Moves">
          <button data-go="first" aria-label="To the beginning" title="Home">${icon("M6 4v16M20 5 9 12l11 7z")}</button>
          <button data-go="back" aria-label="One move back" title="←">${icon("M17 5 7 12l10 7z")}</button>
          <button data-go="on" aria-label="One move on" title="→">${icon("M7 5l10 7-10 7z")}</button>
          <button data-go="last" aria-label="To the end" title="End">${icon("M18 4v16M4 5l11 7-11 7z")}</button>
          <button data-go="flip" aria-label="Turn the board" title="F">${icon("M8 20V5m0 0L4 9m4-4 4 4M16 4v15m0 0 4-4m-4 4-4-4")}</button>
          <button data-go="search" aria-expanded="false">Find position</button>
        </div>
        <div class="search" hidden>
          <div class="palette" role="group" aria-label="Pieces to set"></div>
          <label><span class="vh">Position as FEN</span><input type="text" class="fen" spellcheck="false" autocomplete="off" aria-describedby="fenwrong"></label>
          <p class="wrong" id="fenwrong" role="alert" hidden></p>
          <div class="line">
            <label>To move <select class="turn"><option value="">either</option><option value="w">White</option><option value="b">Black</option></select></label>
            <label><input type="checkbox" class="deep"> in variations too</label>
          </div>
          <div class="line">
            <button class="main" data-set="find">Find games</button>
            <button data-set="start">Starting position</button>
            <button data-set="empty">Empty board</button>
            <button data-set="cancel">Cancel</button>
          </div>
        </div>
      </div>
      <div class="lower">
        <div class="tabs" role="tablist" aria-label="About the game">
          <button role="tab" id="tab-moves" aria-selected="true" aria-controls="panel" data-tab="moves">Moves</button>
          <button role="tab" id="tab-tree" aria-selected="false" aria-controls="panel" data-tab="tree" tabindex="-1">Tree</button>
          <button role="tab" id="tab-tags" aria-selected="false" aria-controls="panel" data-tab="tags" tabindex="-1">Tags</button>
          <button role="tab" id="tab-bytes" aria-selected="false" aria-controls="panel" data-tab="bytes" tabindex="-1">Bytes</button>
          <button role="tab" id="tab-damage" aria-selected="false" aria-controls="panel" data-tab="damage" tabindex="-1">Damage</button>
        </div>
        <div class="panel" id="panel" role="tabpanel" tabindex="0" aria-labelledby="tab-moves"></div>
      </div>
      </div>
    </section>
  </div>
  <div class="message" role="alert" hidden><span></span><button>Close</button></div>
</div>`;
  return holder.content;
}
