import { createHash } from 'node:crypto';

/**
 * A set of ids. Uses one byte for each id between the smallest and the largest one, so that a
 * database can look up ids without an index.
 */
export class IdMarks {
  /** The smallest id; 0 for an empty set. */
  readonly first: number;
  /** For each id from `first` on: 1 if the set contains the id, otherwise 0. */
  readonly bytes: Uint8Array;
  /** Number of ids. */
  readonly size: number;

  constructor(parts: readonly Iterable<number>[]) {
    let [first, last] = [Number.MAX_SAFE_INTEGER, 0];
    for (const ids of parts) {
      for (const id of ids) {
        if (id < first) first = id;
        if (id > last) last = id;
      }
    }
    this.first = last === 0 ? 0 : first;
    this.bytes = new Uint8Array(last === 0 ? 0 : last - first + 1);
    let size = 0;
    for (const ids of parts) {
      for (const id of ids) {
        if (this.bytes[id - first] === 0) size += 1;
        this.bytes[id - first] = 1;
      }
    }
    this.size = size;
  }

  has(id: number): boolean {
    return this.bytes[id - this.first] === 1;
  }

  /** Returns the ids in ascending order. */
  list(): number[] {
    const ids: number[] = [];
    for (let at = this.bytes.indexOf(1); at >= 0; at = this.bytes.indexOf(1, at + 1)) {
      ids.push(this.first + at);
    }
    return ids;
  }
}

/** Maximum difference between two ids of a list. The marks use one byte for each id in between. */
const maxSpan = 16_000_000;
/** The marks of lists. The same list, such as all covered releases, is often used again. */
const marksOfLists = new WeakMap<readonly number[], IdMarks | null>();

/**
 * Returns the marks of a list of ids, which must not change. Returns null if the ids are too far
 * apart, for example because they come from files with arbitrary numbers as names.
 */
export function marksOf(ids: readonly number[]): IdMarks | null {
  const known = marksOfLists.get(ids);
  if (known !== undefined) return known;
  let [first, last] = [Number.MAX_SAFE_INTEGER, 0];
  for (const id of ids) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  const marks = last - first > maxSpan ? null : new IdMarks([ids]);
  marksOfLists.set(ids, marks);
  return marks;
}

const digests = new WeakMap<readonly number[], string>();

/** Returns a text that is the same for lists of the same ids. A list must not change. */
export function digestOf(ids: readonly number[]): string {
  const known = digests.get(ids);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(Float64Array.from(ids).sort()).digest('base64');
  digests.set(ids, digest);
  return digest;
}
