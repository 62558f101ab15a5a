// The bytes of a game, coloured by field.

/** @typedef {import("./reader.js").Field} Field */

/** The number of bytes in a row. */
const ROW = 16;
/** The number of bytes that are shown at first. */
const MOST = 6000;

const hex = (/** @type {number} */ number, /** @type {number} */ digits) => number.toString(16).padStart(digits, "0");

/**
 * @param {{fields: Field[], damage: string | null}} dump
 * @returns {HTMLElement}
 */
export function bytesElement(dump) {
  const root = document.createElement("div");
  root.className = "hex";
  if (dump.damage) {
    const damage = document.createElement("p");
    damage.className = "damage";
    damage.textContent = dump.damage;
    root.append(damage);
  }
  const pre = document.createElement("div");
  const table = document.createElement("table");
  table.className = "plain fields";
  table.innerHTML = "<thead><tr><th></th><th>At</th><th>Field</th><th>Value</th></tr></thead>";
  /** @type {HTMLTableCellElement} */ (table.querySelector("th")).innerHTML = '<span class="vh">Colour</span>';
  const rows = table.createTBody();
  let file = "";
  let next = -1;
  let count = 0;
  /** @type {HTMLElement | null} */
  let grid = null;
  /** @type {HTMLElement | null} */
  let bytes = null;
  let ascii = "";
  let column = 0;
  const endRow = () => {
    if (bytes && column > 0) {
      bytes.append(" ".repeat(3 * (ROW - column)));
      const text = document.createElement("span");
      text.className = "at";
      text.textContent = ` ${ascii}`;
      bytes.append(text);
    }
    ascii = "";
    column = 0;
    bytes = null;
  };
  dump.fields.forEach((field, index) => {
    if (field.file !== file) {
      endRow();
      file = field.file;
      next = -1;
      const title = document.createElement("h3");
      title.textContent = `.${file}`;
      grid = document.createElement("div");
      grid.className = "dump";
      // In a narrow pane it scrolls horizontally, also by keyboard.
      grid.tabIndex = 0;
      grid.setAttribute("role", "group");
      grid.setAttribute("aria-label", `Bytes of .${file}`);
      pre.append(title, grid);
    }
    if (field.bytes.length > 0 && field.offset !== next) endRow();
    field.bytes.forEach((byte, place) => {
      if (count++ >= MOST) return;
      if (!bytes || column === ROW) {
        endRow();
        const at = document.createElement("span");
        at.className = "at";
        at.textContent = hex(field.offset + place, 8);
        bytes = document.createElement("span");
        grid?.append(at, bytes);
      }
      const one = document.createElement("span");
      one.className = `b f${index % 8}`;
      one.dataset.field = String(index);
      one.textContent = hex(byte, 2);
      one.title = `${field.name}${field.value ? `: ${field.value}` : ""}`;
      bytes.append(one);
      ascii += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·";
      column++;
    });
    next = field.offset + field.bytes.length;
    const row = rows.insertRow();
    row.dataset.field = String(index);
    row.insertCell().innerHTML = `<span class="swatch f${index % 8}"></span>`;
    row.insertCell().textContent = `.${field.file} ${hex(field.offset, 4)}`;
    row.insertCell().textContent = field.name;
    row.insertCell().textContent = field.value;
  });
  endRow();
  if (count > MOST) {
    const note = document.createElement("p");
    note.textContent = `The first ${MOST} bytes of ${count}; all fields are below.`;
    pre.append(note);
  }
  root.append(pre, table);
  root.addEventListener("mouseover", ({ target }) => {
    const field = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("[data-field]"))?.dataset.field;
    for (const one of root.querySelectorAll(".on")) one.classList.remove("on");
    if (field === undefined) return;
    for (const one of root.querySelectorAll(`[data-field="${field}"]`)) one.classList.add("on");
  });
  return root;
}
