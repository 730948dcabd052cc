/** An entry of a `metadata.pegasus.txt`: its keys in lower case, with their values. */
export type PegasusEntry = ReadonlyMap<string, string>;

const collectionKeys = ['collection', 'shortname', 'launch', 'extensions', 'directory'];
const gameKeys = ['game', 'file', 'developer', 'publisher', 'genre', 'release', 'description'];

/**
 * Reads a metadata file by the grammar of Pegasus' documentation ("Metadata files"). Throws if
 * Pegasus would report a problem: a line without a key, an unknown or repeated key, an empty value,
 * a game before a collection, a game without a file, a file that is named twice or looks like a
 * URL, or a wrong date.
 */
export function readPegasus(text: string): { collections: PegasusEntry[]; games: PegasusEntry[] } {
  const collections: Map<string, string>[] = [];
  const games: Map<string, string>[] = [];
  let entry: Map<string, string> | undefined;
  let last = '';
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (/^[ \t]/.test(line)) {
      const before = entry?.get(last) ?? '';
      const more = line.trim() === '.' ? '\n\n' : ` ${line.trim()}`;
      entry?.set(last, before + more);
      continue;
    }
    const colon = line.indexOf(':');
    const key = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (colon < 1 || value === '') throw new Error(`wrong line ${JSON.stringify(line)}`);
    if (key === 'collection' || key === 'game') {
      if (key === 'game' && collections.length === 0) throw new Error('a game before a collection');
      entry = new Map();
      (key === 'game' ? games : collections).push(entry);
    }
    if (entry === undefined) throw new Error(`${key} before an entry`);
    const known = entry.has('game') || key === 'game' ? gameKeys : collectionKeys;
    const isKnown = known.includes(key) || /^(assets\.[a-z_]+|x-[a-z-]+)$/.test(key);
    if (!isKnown || entry.has(key)) throw new Error(`unexpected key ${key}`);
    entry.set(key, value);
    last = key;
  }
  const files = games.map((game) => game.get('file') ?? '');
  if (new Set(files).size !== files.length) throw new Error('a file is named twice');
  if (files.some((file) => file === '' || /^[a-z][a-z0-9+.-]+:/i.test(file))) {
    throw new Error('a game without a file, or with a URL');
  }
  for (const game of games) {
    const release = game.get('release') ?? '1985';
    if (!/^\d{4}(-\d{2}(-\d{2})?)?$/.test(release)) throw new Error(`wrong date ${release}`);
  }
  return { collections, games };
}

/** Returns a description as Pegasus shows it, with line breaks for `\n`. */
export function shownText(text: string): string {
  return text.replaceAll('\\n', '\n');
}
