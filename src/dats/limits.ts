// Bounds on what one DAT file may ask for, far above what real ones hold: in libretro-dats the longest text
// has 1,152 characters, the longest row 1,525 and no row more than two ROMs; a MAME software list is 5 deep.

/** Characters of one name, text, attribute list or comment. */
export const MAX_TOKEN = 1024 * 1024;

/** Characters of one row (or header) as written in the file. */
export const MAX_ROW = 16 * 1024 * 1024;

export const MAX_ROMS = 100_000;

/** Elements or blocks inside one another. */
export const MAX_DEPTH = 64;

/** Characters of a DOCTYPE with its internal subset. */
export const MAX_DOCTYPE = 64 * 1024;

/** UTF-8 bytes that all uses of a file's own entities come to, see decisions.md "Imports". */
export const MAX_EXPANSION = 64 * 1024;
