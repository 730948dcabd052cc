// Limits on the content of one DAT file, far above real values. In libretro-dats, the longest text
// has 1,152 characters, and the longest row has 1,525. No row in libretro-dats has more than two
// ROMs. A MAME software list has five levels of elements.

/** Maximum number of characters in one name, text, attribute list or comment. */
export const MAX_TOKEN = 1024 * 1024;

/** Maximum number of characters in one row or header, as written in the file. */
export const MAX_ROW = 16 * 1024 * 1024;

export const MAX_ROMS = 100_000;

/** Maximum depth of nested elements or blocks. */
export const MAX_DEPTH = 64;

/** Maximum number of characters in a DOCTYPE, including its internal subset. */
export const MAX_DOCTYPE = 64 * 1024;

/**
 * Maximum total size of the replacement texts of all entity references in a file, in UTF-8 bytes.
 * See docs/api/decisions.md, "Imports".
 */
export const MAX_EXPANSION = 64 * 1024;
