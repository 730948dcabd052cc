// Limits on the content of one DAT file. They are far above real values: in libretro-dats, the
// longest text has 1,152 characters and the longest row 1,525. No row there has more than two ROMs.
// A MAME software list has five levels of elements.

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
 * Maximum size, in UTF-8 bytes, of the replacement texts of all entity references in a file
 * together. See decisions.md, "Imports".
 */
export const MAX_EXPANSION = 64 * 1024;
