// Bounds of records: without them a small index could name one long record again and again. (scid §4.1.7, cbh §4.1.7)

const EVERY = 8;
const ALWAYS = 512;

/** Of all places where records begin, in order, the first, the ninth, the seventeenth and so on. */
export function boundsOf(offsets) {
  return Float64Array.from(offsets).sort().filter((_, index) => index % EVERY === 0);
}

/** The index of the first bound at or after `offset`. */
function firstBound(bounds, offset) {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bounds[middle] < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Where a record ends at the latest; whether that is before its own end, and whether a bound is the cause.
 */
export function boundedEnd({ offset, length }, bounds, fileLength) {
  const own = offset + length;
  const bound = bounds[firstBound(bounds, offset) + 1];
  const most = length > ALWAYS && bound !== undefined ? Math.max(bound, offset + ALWAYS) : own;
  const end = Math.min(own, most, fileLength);
  return { end, cut: end < own, shared: most < Math.min(own, fileLength) };
}
