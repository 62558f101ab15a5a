// The pieces, drawn for this project: shapes of a square of 45.

/** The filled outline of each piece, and the lines on it. */
/** @type {Record<string, {body: string, lines: string}>} */
const SHAPES = {
  p: {
    body: "M22.5 8.5a5.6 5.6 0 0 1 3.6 9.9c2.9 1.6 3.4 3.1 3.4 3.1h-3.1c.3 4.8 1.9 8.2 5.1 10.9 1.6 1.4 2 2.6 2 4.6h-22c0-2 .4-3.2 2-4.6 3.2-2.7 4.8-6.1 5.1-10.9h-3.1s.5-1.5 3.4-3.1a5.6 5.6 0 0 1 3.6-9.9z",
    lines: "M13.6 32.6h17.8",
  },
  r: {
    body: "M10.5 8.5h5.2v3.6h4.2V8.5h5.2v3.6h4.2V8.5h5.2v8.2l-3.4 2.9 1 12 3.1 2.5v2.9h-25.4v-2.9l3.1-2.5 1-12-3.4-2.9z",
    lines: "M13.9 19.6h17.2M12.9 31.6h19.2",
  },
  n: {
    body: "M19.8 10.6 18.6 6.2l4.2 3.3c8.3 1.6 12.3 8.5 12.3 17.5 0 3.7-.6 6.6-1.2 10H13.6c0-7.2 6.9-8.6 7.7-14.9-2.2 1.9-4.6 2-6.3 3.3-1.2.9-1.9 2.4-3.6 2.4-2 0-3.9-2.2-3.3-4 1-2.7 3.1-4.3 3.7-7 .5-2.7 3.2-5.6 8-6.2z",
    lines: "M14.1 32.9h20.5M16.6 15.3l.9-.5M10.6 24.3l.7-.4M24.4 12.4c4.7 2.6 6.9 8.4 6.6 16.1",
  },
  b: {
    body: "M22.5 5.6a2.5 2.5 0 0 1 1.9 4.2c4.7 3 7.6 7.4 7.6 11.6 0 3-1.5 5.4-4.2 7l1 3.6c3.7.3 6.2 1.6 7.2 5h-27c1-3.4 3.500-4.700 7.200-5l1-3.600c-2.700-1.600-4.200-4-4.200-7 0-4.200 2.900-8.600 7.600-11.600a2.500 2.500 0 0 1 1.900-4.200z",
    lines: "M17.200 28.400h10.600M16.200 32h12.600M22.500 14.800v7.400M18.800 18.500h7.400",
  },
  q: {
    body: "M8.3 10.400a2.300 2.300 0 1 1 2.200 3.900l4.100 9.200 1.700-12.100a2.300 2.300 0 1 1 3.200-.300l3 11.700 3-11.700a2.300 2.300 0 1 1 3.200.300l1.700 12.100 4.100-9.200a2.300 2.300 0 1 1 2.200-3.900 2.300 2.300 0 0 1-.100 4.300l-3.600 15 1.600 4.400c.500 1.400.400 2-.200 3.100h-23.800c-.600-1.100-.700-1.700-.200-3.100l1.600-4.400-3.600-15a2.300 2.300 0 0 1-.100-4.300z",
    lines: "M12 29.700c6.700-1.900 14.300-1.900 21 0M11.200 33.600c7.200-1.800 15.400-1.800 22.600 0",
  },
  k: {
    body: "M21 4.800h3v2.600h2.900v3H24v3.300c1.300.800 2 2 2 3.600 1.600-1.200 3.400-1.900 5.200-1.900 3.900 0 6.900 2.900 6.900 6.600 0 3.400-2 6.100-5.600 8.300l.6 7.100H11.900l.6-7.100c-3.600-2.200-5.600-4.900-5.600-8.300 0-3.700 3-6.600 6.900-6.600 1.800 0 3.600.7 5.200 1.900 0-1.600.7-2.800 2-3.600v-3.300h-2.900v-3H21z",
    lines: "M12.500 30.300c6.500-1.900 13.500-1.900 20 0M12.200 33.900c6.700-1.800 13.900-1.800 20.600 0M22.500 28.700v-4.500c0-3 1.500-5.300 3.500-6.900M22.500 24.200c0-3-1.500-5.300-3.500-6.900",
  },
};

/**
 * Returns the piece of a FEN letter as SVG.
 * @param {string} letter
 */
export function pieceShape(letter) {
  const white = letter === letter.toUpperCase();
  const { body, lines } = SHAPES[letter.toLowerCase()];
  const [fill, edge, line] = white ? ["#fdfcf9", "#24211d", "#24211d"] : ["#35322e", "#13110f", "#d8d2c6"];
  return (
    `<path d="${body}" fill="${fill}" stroke="${edge}" stroke-width="1.5" stroke-linejoin="round"/>` +
    `<path d="${lines}" fill="none" stroke="${line}" stroke-width="1.3" stroke-linecap="round"/>`
  );
}

const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/**
 * Returns the name of the piece of a FEN letter.
 * @param {string} letter
 */
export function pieceName(letter) {
  const name = NAMES[/** @type {keyof typeof NAMES} */ (letter.toLowerCase())];
  return `${letter === letter.toUpperCase() ? "white" : "black"} ${name}`;
}
