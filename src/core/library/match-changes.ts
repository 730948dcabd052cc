/**
 * Counts the files whose release differs from that before the scan, however often the scan matched
 * them.
 */
export class MatchChanges {
  readonly #releases = new Map<string, { before: number | null; after: number | null }>();

  /** Records that a file was matched again, by its record or because it was read again. */
  note(path: string, before: number | null, after: number | null): void {
    const first = this.#releases.get(path)?.before;
    const original = first === undefined ? before : first;
    if (original === after) this.#releases.delete(path);
    else this.#releases.set(path, { before: original, after });
  }

  /** Records that a file was hashed: a match that was lost may be found again by the hashes. */
  settle(path: string, after: number | null): void {
    const release = this.#releases.get(path);
    if (release !== undefined) this.note(path, release.before, after);
  }

  report(): { matchesLost: number; matchesChanged: number } {
    const had = [...this.#releases.values()].filter(({ before }) => before !== null);
    const matchesLost = had.filter(({ after }) => after === null).length;
    return { matchesLost, matchesChanged: had.length - matchesLost };
  }
}
