// Limits on the content of one DAT file, far above real ones. In libretro-dats the longest text has
// 1,152 characters, the longest row 1,525, and no row has more than two ROMs. A MAME software list
// is 5 deep.

/** Maximum characters of one name, text, attribute list or comment. */
export const MAX_TOKEN = 1024 * 1024;

/** Maximum characters of one row (or header) as written in the file. */
export const MAX_ROW = 16 * 1024 * 1024;

export const MAX_ROMS = 100_000;

/** Maximum nesting depth of elements or blocks. */
export const MAX_DEPTH = 64;

/** Maximum characters of a DOCTYPE with its internal subset. */
export const MAX_DOCTYPE = 64 * 1024;

/**
 * Maximum UTF-8 bytes of all uses of a file's own entities together, see decisions.md "Imports".
 */
export const MAX_EXPANSION = 64 * 1024;
