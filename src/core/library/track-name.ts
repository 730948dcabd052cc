/**
 * Which track of which disc a file is, as its name says: `A game (Track 2).bin`, `A game - Track 02.bin`, `track03.bin`.
 * `disc` is the folder and what stands before the number, alike for all tracks of a disc. Null where the name does not say.
 */
export function trackNamed(path: string): { disc: string; number: number } | null {
  const slash = path.lastIndexOf('/');
  const found = /^(.*?)[ _-]*\(?\btrack[ _-]?(\d{1,2})\)?\.(?:bin|raw|iso|img|wav)$/i.exec(
    path.slice(slash + 1),
  );
  if (found === null) return null;
  const [, title = '', number = ''] = found;
  return { disc: `${path.slice(0, slash)}/${title.toLowerCase()}`, number: Number(number) };
}
