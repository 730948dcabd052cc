/**
 * Counts the files whose release changed during a scan. A file that is matched several times is
 * counted once.
 */
export class MatchChanges {
  readonly #releases = new Map<string, { before: number | null; after: number | null }>();

  /** Records the release of a file before and after it was matched again. */
  note(path: string, before: number | null, after: number | null): void {
    const first = this.#releases.get(path)?.before;
    const original = first === undefined ? before : first;
    if (original === after) this.#releases.delete(path);
    else this.#releases.set(path, { before: original, after });
  }

  /**
   * Updates the release of a file after hashing. Only files already recorded as changed are
   * affected, because hashing may restore a lost match.
   */
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
