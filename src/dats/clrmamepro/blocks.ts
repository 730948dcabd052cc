/**
 * Kind of a block. `top` is the level outside all blocks. The content of a `skip` block is ignored.
 */
export type BlockKind = 'top' | 'header' | 'row' | 'rom' | 'release' | 'skip';

const HEADERS = new Set(['clrmamepro', 'emulator']);
const ROWS = new Set(['game', 'machine', 'resource', 'software']);

/**
 * Returns true if a text starts like a clrmamepro file: with the word of a header or row block,
 * followed by white space or a parenthesis.
 */
export function isClrmameproStart(text: string): boolean {
  const word = /^[a-z]+(?=[\s(])/.exec(text)?.[0] ?? '';
  return HEADERS.has(word) || ROWS.has(word);
}

/**
 * Returns the kind of a block `word ( ... )` inside a block of kind `outer`. Returns null if
 * `outer` must not contain such a block.
 */
export function findBlockKind(outer: BlockKind, word: string): BlockKind | null {
  if (outer === 'top') return HEADERS.has(word) ? 'header' : ROWS.has(word) ? 'row' : null;
  if (outer !== 'row') return 'skip';
  if (word === 'rom' || word === 'disk') return 'rom';
  return word === 'release' ? 'release' : 'skip';
}
