/**
 * Counts the files that got another release, or lost their release, during a scan. A file that is
 * matched several times counts once.
 */
export class MatchChanges {
  readonly #releases = new Map<string, { before: number | null; after: number | null }>();

  /** Records the releases of a file before and after the file was matched again. */
  record(path: string, before: number | null, after: number | null): void {
    const first = this.#releases.get(path)?.before;
    const original = first === undefined ? before : first;
    if (original === after) this.#releases.delete(path);
    else this.#releases.set(path, { before: original, after });
  }

  /**
   * Updates the release of a file after hashing. Affects only files that are already recorded as
   * changed, because hashing may restore a lost match.
   */
  update(path: string, after: number | null): void {
    const release = this.#releases.get(path);
    if (release !== undefined) this.record(path, release.before, after);
  }

  report(): { matchesLost: number; matchesChanged: number } {
    const matchedBefore = [...this.#releases.values()].filter(({ before }) => before !== null);
    const matchesLost = matchedBefore.filter(({ after }) => after === null).length;
    return { matchesLost, matchesChanged: matchedBefore.length - matchesLost };
  }
}
