/**
 * Returns the disc and track number that a file name states. Examples are `A game (Track 2).bin`,
 * `A game - Track 02.bin` and `track03.bin`. `disc` consists of the folder and the text before the
 * number, which are the same for all tracks of a disc. Returns null if the name states no track.
 */
function trackNamed(path: string): { disc: string; number: number } | null {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  // Because of the lookbehind, a match can start only at the start of a run of spaces, underscores
  // and hyphens. A long run is therefore read only once.
  const found = /(?<![ _-])[ _-]*\(?\btrack[ _-]?(\d{1,2})\)?\.(?:bin|raw|iso|img|wav)$/i.exec(
    name,
  );
  if (found === null) return null;
  const title = name.slice(0, found.index);
  const number = found[1] ?? '';
  return { disc: `${path.slice(0, slash)}/${title.toLowerCase()}`, number: Number(number) };
}

/** Groups the track files of each folder by disc, according to their names. */
export class TracksByName {
  readonly #discs = new Map<string, Map<number, string> | null>();

  add(path: string): void {
    const track = trackNamed(path);
    if (track === null) return;
    const tracks = this.#discs.get(track.disc);
    if (tracks === null) return;
    if (tracks?.has(track.number)) this.#discs.set(track.disc, null);
    else if (tracks) tracks.set(track.number, path);
    else this.#discs.set(track.disc, new Map([[track.number, path]]));
  }

  /**
   * Returns a list of paths for each disc with several tracks. Each list is ordered by track
   * number. A disc is left out if two of its files have the same track number.
   */
  lists(): string[][] {
    return [...this.#discs.values()].flatMap((tracks) =>
      tracks !== null && tracks.size > 1
        ? [[...tracks].sort(([a], [b]) => a - b).map(([, path]) => path)]
        : [],
    );
  }
}
