/** Counts the files whose release is another than before the scan, however often they were matched in it. */
export class MatchChanges {
  readonly #releases = new Map<string, { before: number | null; after: number | null }>();

  /** A file was matched again, with what was known of it or with what was read anew. */
  note(path: string, before: number | null, after: number | null): void {
    const first = this.#releases.get(path)?.before;
    const original = first === undefined ? before : first;
    if (original === after) this.#releases.delete(path);
    else this.#releases.set(path, { before: original, after });
  }

  /** A file was hashed: what was lost before may be found by that. */
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
