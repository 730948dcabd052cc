/** What a block says; a block of kind `skip` is read only to find its end. */
export type BlockKind = 'top' | 'header' | 'row' | 'rom' | 'release' | 'skip';

const HEADERS = new Set(['clrmamepro', 'emulator']);
const ROWS = new Set(['game', 'machine', 'resource', 'software']);

/** Whether text begins with a word, and what ends it, that clrmamepro files begin with. */
export function isClrmameproStart(text: string): boolean {
  const word = /^[a-z]+(?=[\s(])/.exec(text)?.[0] ?? '';
  return HEADERS.has(word) || ROWS.has(word);
}

/** The kind of the block `word ( ... )` inside a block of kind `outer`; null where none can be. */
export function findBlockKind(outer: BlockKind, word: string): BlockKind | null {
  if (outer === 'top') return HEADERS.has(word) ? 'header' : ROWS.has(word) ? 'row' : null;
  if (outer !== 'row') return 'skip';
  if (word === 'rom' || word === 'disk') return 'rom';
  return word === 'release' ? 'release' : 'skip';
}
