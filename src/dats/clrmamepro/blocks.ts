/** The kind of a block. A block of kind `skip` is read only to find its end. */
export type BlockKind = 'top' | 'header' | 'row' | 'rom' | 'release' | 'skip';

const HEADERS = new Set(['clrmamepro', 'emulator']);
const ROWS = new Set(['game', 'machine', 'resource', 'software']);

/**
 * Whether text begins with a word, and the delimiter after it, with which clrmamepro files begin.
 */
export function isClrmameproStart(text: string): boolean {
  const word = /^[a-z]+(?=[\s(])/.exec(text)?.[0] ?? '';
  return HEADERS.has(word) || ROWS.has(word);
}

/**
 * Returns the kind of the block `word ( ... )` inside a block of kind `outer`; null if it is not
 * allowed there.
 */
export function findBlockKind(outer: BlockKind, word: string): BlockKind | null {
  if (outer === 'top') return HEADERS.has(word) ? 'header' : ROWS.has(word) ? 'row' : null;
  if (outer !== 'row') return 'skip';
  if (word === 'rom' || word === 'disk') return 'rom';
  return word === 'release' ? 'release' : 'skip';
}
