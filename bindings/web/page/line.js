// The moves of a game as a tree, and as text.

/** @typedef {import("./reader.js").Game} Game */

/**
 * @typedef {object} Node a position of a game, and the move that led to it
 * @property {number} id its index in the tree of the game; -1 if the game does not have it
 * @property {string} fen
 * @property {string} [san] absent at the start of the game
 * @property {string} [number]
 * @property {string[]} marks the squares of the move
 * @property {number[]} nags
 * @property {string[]} before comments before the move
 * @property {string[]} comments comments after the move
 * @property {import("./reader.js").Opening} [opening]
 * @property {Node | null} parent absent at the start, and at the beginning of a part of a long game
 * @property {number | null} parentId the index of the parent
 * @property {Node[]} next the main move, then the first moves of the variations
 */

const GLYPHS = new Map([
  [1, "!"], [2, "?"], [3, "!!"], [4, "??"], [5, "!?"], [6, "?!"], [7, "□"], [8, "□"], [10, "="], [11, "="],
  [13, "∞"], [14, "⩲"], [15, "⩱"], [16, "±"], [17, "∓"], [18, "+−"], [19, "−+"], [20, "+−"], [21, "−+"],
  [22, "⨀"], [23, "⨀"], [32, "⟳"], [33, "⟳"], [36, "→"], [37, "→"], [40, "→"], [41, "→"], [44, "=∞"],
  [45, "=∞"], [132, "⇆"], [133, "⇆"], [138, "⊕"], [139, "⊕"], [140, "∆"], [142, "⌓"], [145, "RR"], [146, "N"],
  [220, "D"], [221, "D"],
]);
const WORDS = new Map([
  [1, "good move"], [2, "mistake"], [3, "brilliant move"], [4, "blunder"], [5, "interesting move"],
  [6, "dubious move"], [7, "only move"], [10, "equal"], [13, "unclear"], [14, "White is slightly better"],
  [15, "Black is slightly better"], [16, "White is better"], [17, "Black is better"], [18, "White is winning"],
  [19, "Black is winning"], [146, "novelty"],
]);

/**
 * @param {number} nag
 */
export function glyph(nag) {
  return GLYPHS.get(nag) ?? `$${nag}`;
}

/**
 * @param {number} nag
 */
export function glyphWords(nag) {
  return WORDS.get(nag) ?? `annotation ${nag}`;
}

/**
 * Returns the positions of a part of a game. A variation is a sibling of the move that it replaces.
 * @param {import("./reader.js").Part} part
 * @returns {Node[]} in the order of the game; the first of all is the start position
 */
export function treeOf(part) {
  /** @type {Node[]} */
  const nodes = [];
  // A node comes after its parent, and the main move before the variations.
  for (const { parent, marks = [], ...rest } of part.nodes) {
    const before = parent === null ? null : (nodes[parent - part.first] ?? null);
    /** @type {Node} */
    const node = { ...rest, id: part.first + nodes.length, marks, parent: before, parentId: parent, next: [] };
    nodes.push(node);
    before?.next.push(node);
  }
  return nodes;
}

/** @typedef {{fen: string, san: string, number: string, marks: string[], opening?: import("./reader.js").Opening | null}} Beside */

/**
 * Returns a move of the tree or of the board as a position that the game does not have.
 * @param {Node} parent
 * @param {Beside} branch
 * @returns {Node}
 */
export function besideGame(parent, { fen, san, number, marks, opening }) {
  return {
    id: -1, fen, san, number, marks, opening: opening ?? undefined, nags: [], before: [], comments: [],
    parent, parentId: parent.id, next: [],
  };
}

const boardOf = (/** @type {Node} */ node) => node.fen.split(" ", 1)[0];

/**
 * Returns the position of a line in another game. Moves that the game does not have stand beside it.
 * @param {Node} root the start of the game
 * @param {Node} node
 */
export function inGame(root, node) {
  const line = [node];
  for (let at = node.parent; at; at = at.parent) line.push(at);
  if (boardOf(line[line.length - 1]) !== boardOf(root)) return root;
  let at = root;
  for (const own of line.reverse().slice(1)) {
    const same = at.next.find((next) => boardOf(next) === boardOf(own));
    at = same ?? { ...own, id: -1, nags: [], before: [], comments: [], parent: at, parentId: at.id, next: [] };
  }
  return at;
}

/**
 * Returns the moves that led to a position, as text. Of a long line, the last ones.
 * @param {Node} node
 */
export function lineTo(node) {
  const words = [];
  /** @type {Node | null} */
  let at = node;
  for (; at?.san && words.length < 40; at = at.parent) {
    const black = at.number?.endsWith("...");
    words.push(black && at.parent?.san ? at.san : `${at.number} ${at.san}`);
  }
  return `${at?.san ? "… " : ""}${words.reverse().join(" ")}`;
}

/**
 * Returns the last name on the way to a position.
 * @param {Node | null} node
 */
export function openingOf(node) {
  for (let at = node; at; at = at.parent) if (at.opening) return at.opening;
  return undefined;
}

/**
 * Returns a comment without its commands, which the board shows.
 * @param {string} text
 */
export function plainComment(text) {
  return text.replace(/\[%[^\]]*\]/g, " ").replace(/\s+/g, " ").trim();
}

/**
 * Renders the moves as elements. Each move is a button, so that keyboards and screen readers find it. Of a long
 * game, a part is rendered, with buttons for the parts beside it.
 * @param {Node[]} nodes
 * @param {number} total the number of positions of the game
 * @param {string} result
 * @param {Document} document
 */
export function movesElement(nodes, total, result, document) {
  const make = (/** @type {string} */ name, /** @type {string} */ className, text = "") => {
    const element = document.createElement(name);
    element.className = className;
    element.textContent = text;
    return element;
  };
  const comment = (/** @type {Element} */ into, /** @type {string} */ text) => {
    const plain = plainComment(text);
    if (plain) into.append(make("span", "comment", `${plain}`), " ");
  };
  const move = (/** @type {Element} */ into, /** @type {Node} */ node, /** @type {boolean} */ numbered) => {
    for (const text of node.before) comment(into, text);
    // A move number and its move stay on one line.
    const pair = make("span", "pair");
    if (numbered || !node.number?.endsWith("...")) pair.append(make("span", "no", node.number), " ");
    const button = make("button", "mv", node.san);
    button.dataset.node = String(node.id);
    button.tabIndex = -1;
    if (node.nags.length) {
      const signs = make("span", "nag", node.nags.map(glyph).join(" "));
      signs.setAttribute("aria-hidden", "true");
      button.append(signs, make("span", "vh", `, ${node.nags.map(glyphWords).join(", ")}`));
    }
    pair.append(button);
    into.append(pair, " ");
    for (const text of node.comments) comment(into, text);
  };
  const root = make("div", "moves");
  const beside = (/** @type {number} */ id, /** @type {string} */ text) => {
    const button = make("button", "beside", text);
    button.dataset.part = String(id);
    root.append(button, " ");
  };
  const [first, end] = [nodes[0].id, nodes[0].id + nodes.length];
  if (first > 0) beside(first - 1, `${first.toLocaleString("en")} moves before`);
  else for (const text of nodes[0].comments) comment(root, text);
  // A stack of the lines yet to be rendered, because recursion could overflow. A part begins within several lines.
  /** @type {{into: Element, node: Node | undefined, numbered: boolean, siblings: Node[]}[]} */
  const stack = nodes.filter(({ parent, id }) => !parent && id > 0).reverse()
    .map((node) => ({ into: root, node, numbered: true, siblings: [] }));
  if (first === 0) stack.push({ into: root, node: nodes[0].next[0], numbered: true, siblings: nodes[0].next.slice(1) });
  while (stack.length) {
    const top = stack[stack.length - 1];
    if (top.node) {
      const { node } = top;
      move(top.into, node, top.numbered);
      const breaks = node.comments.some((text) => plainComment(text)) || top.siblings.length > 0;
      const open = top.siblings;
      top.node = node.next[0];
      top.siblings = node.next.slice(1);
      top.numbered = breaks;
      for (const first of open) {
        const into = make("span", "variation");
        into.setAttribute("role", "group");
        into.setAttribute("aria-label", "variation");
        top.into.append(into, " ");
        stack.push({ into, node: first, numbered: true, siblings: [] });
      }
    } else {
      stack.pop();
    }
  }
  if (end < total) beside(end, `${(total - end).toLocaleString("en")} moves after`);
  if (result) root.append(make("span", "result", result));
  return root;
}
