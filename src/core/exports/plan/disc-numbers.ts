/**
 * The number of a disc in a name, as Redump writes it: `Game (USA) (Disc 2)`, also `(Disc 1 of 2)`.
 */
const discPart = /\(Dis[ck] ([0-9]{1,3})(?: of [0-9]{1,3})?\)/i;

/** Returns the number of the disc in a name, and the name without it; null if it has none. */
export function discOf(name: string): { number: number; rest: string; before: string } | null {
  const match = discPart.exec(name);
  if (match === null) return null;
  const before = name.slice(0, match.index).trimEnd();
  const after = name.slice(match.index + match[0].length).trim();
  return { number: Number(match[1]), rest: after === '' ? before : `${before} ${after}`, before };
}

/** Maximum number of releases that are compared as discs of one game. */
const maxDiscs = 200;

/**
 * Yields groups of releases. The discs of one game form a group, ordered by disc number. Every
 * other release forms a group of its own. The releases must be ordered by name, so that discs of a
 * game follow one another. Editions of the same disc are not joined.
 */
export async function* joinDiscs<Release extends { readonly name: string }>(
  batches: AsyncIterable<readonly Release[]>,
): AsyncGenerator<readonly [Release, ...Release[]]> {
  let before = '';
  let waiting: Release[] = [];
  for await (const batch of batches) {
    for (const release of batch) {
      const disc = discOf(release.name);
      const isNext = disc !== null && disc.before === before && waiting.length < maxDiscs;
      if (!isNext) {
        yield* groupsOf(waiting);
        waiting = [];
      }
      before = disc?.before ?? '';
      if (disc === null) yield [release];
      else waiting.push(release);
    }
  }
  yield* groupsOf(waiting);
}

function* groupsOf<Release extends { readonly name: string }>(
  releases: readonly Release[],
): Generator<readonly [Release, ...Release[]]> {
  const byRest = new Map<string, { number: number; release: Release }[]>();
  for (const release of releases) {
    const disc = discOf(release.name);
    if (disc === null) continue;
    const discs = byRest.get(disc.rest) ?? [];
    byRest.set(disc.rest, [...discs, { number: disc.number, release }]);
  }
  for (const discs of byRest.values()) {
    const ordered = discs.toSorted((a, b) => a.number - b.number);
    const isGame = new Set(ordered.map(({ number }) => number)).size === ordered.length;
    const [first, ...rest] = ordered.map(({ release }) => release);
    if (first === undefined) continue;
    if (isGame) yield [first, ...rest];
    else for (const each of [first, ...rest]) yield [each];
  }
}
