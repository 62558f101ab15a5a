// The moves of a game as a tree, and as text.

/** @typedef {import("./reader.js").Game} Game */

/**
 * @typedef {object} Node a position of a game, and the move that led to it
 * @property {number} id
 * @property {string} fen
 * @property {string} [san] absent at the start of the game
 * @property {string} [number]
 * @property {string[]} marks the squares of the move
 * @property {number[]} nags
 * @property {string[]} before comments before the move
 * @property {string[]} comments comments after the move
 * @property {Node | null} parent
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
 * Returns the tree of a game. A variation is a sibling of the move that it replaces.
 * @param {Game} game
 * @returns {Node[]} all nodes; the first is the start position
 */
export function treeOf(game) {
  /** @type {Node[]} */
  const nodes = [];
  // A node comes after its parent, and the main move before the variations.
  for (const { parent, marks = [], ...rest } of game.nodes) {
    const before = parent === null ? null : nodes[parent];
    /** @type {Node} */
    const node = { ...rest, id: nodes.length, marks, parent: before, next: [] };
    nodes.push(node);
    before?.next.push(node);
  }
  return nodes;
}

/**
 * Returns a comment without its commands, which the board shows.
 * @param {string} text
 */
export function plainComment(text) {
  return text.replace(/\[%[^\]]*\]/g, " ").replace(/\s+/g, " ").trim();
}

/**
 * Renders the moves as elements. Each move is a button, so that keyboards and screen readers find it.
 * @param {Node[]} nodes
 * @param {string} result
 * @param {Document} document
 */
export function movesElement(nodes, result, document) {
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
  for (const text of nodes[0].comments) comment(root, text);
  // A stack of the lines yet to be rendered, because recursion could overflow.
  /** @type {{into: Element, node: Node | undefined, numbered: boolean, siblings: Node[]}[]} */
  const stack = [{ into: root, node: nodes[0].next[0], numbered: true, siblings: nodes[0].next.slice(1) }];
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
  if (result) root.append(make("span", "result", result));
  return root;
}
