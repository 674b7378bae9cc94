/** Places, each once: going up, or all of them going down. */
export type Places = ArrayLike<number>;

/** Places of both, each once; both go the same way, and so does the answer. */
export function together(one: Places, other: Places, descending: boolean): Float64Array {
  const all = new Float64Array(one.length + other.length);
  const beyond = descending ? -Infinity : Infinity;
  let count = 0;
  for (let at = 0, beside = 0; at < one.length || beside < other.length; count += 1) {
    const a = one[at] ?? beyond;
    const b = other[beside] ?? beyond;
    const isFirst = descending ? a >= b : a <= b;
    all[count] = isFirst ? a : b;
    if (isFirst) at += 1;
    if (!isFirst || a === b) beside += 1;
  }
  return all.subarray(0, count);
}

/** Where a place stands among others that go up; -1 where it does not. */
export function indexOfPlace(places: Places, place: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? Infinity) < place) low = middle + 1;
    else high = middle;
  }
  return places[low] === place ? low : -1;
}
