/** The characters of JSON that separate values. */
const codes = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  array: 0x5b,
  backslash: 0x5c,
  endOfArray: 0x5d,
  object: 0x7b,
  endOfObject: 0x7d,
} as const;

/** A member of a JSON object, with the text of its value. */
export interface Member {
  readonly name: string;
  readonly raw: string;
  readonly value: unknown;
}

/** An item of a playlist, with the text of its source. */
export interface PlaylistItem {
  readonly raw: string;
  /** Empty if the item is not an object. */
  readonly members: readonly Member[];
}

/** A playlist: its items, and the members before and after them. */
export interface Playlist {
  readonly before: readonly Member[];
  readonly items: readonly PlaylistItem[];
  readonly after: readonly Member[];
}

/** A value of an array, or of an object, with the text of its source. */
interface Part {
  /** The text of a member's name; empty in an array. */
  readonly name: string;
  readonly raw: string;
}

/** Maximum size of a playlist in bytes. RetroArch writes about 400 for each game. */
export const maxPlaylistBytes = 16 * 2 ** 20;

/** Limits of the memory for a playlist that RetroArch did not write. */
const maxItems = 100_000;
const maxMembers = 1_000_000;

/**
 * Parses a playlist of RetroArch in JSON (playlist.c, since 1.7.6), in linear time. Keeps the texts
 * of all values, so that numbers and escapes are written as they were read. Returns null for any
 * other text, such as the older form with six lines for each item, and for a list with too many
 * parts.
 */
export function parsePlaylist(text: string): Playlist | null {
  try {
    const members = membersOf(text.trim(), maxMembers);
    const at = members.findIndex(({ name }) => name === 'items');
    const list = members[at];
    const hasVersion = members.some(({ name, value }) => name === 'version' && isText(value));
    const isTwice = members.filter(({ name }) => name === 'items').length !== 1;
    if (list === undefined || isTwice || !hasVersion || !list.raw.startsWith('[')) return null;
    let left = maxMembers;
    const items = partsOf(list.raw, maxItems).map(({ raw }): PlaylistItem => {
      if (raw.startsWith('{')) {
        const item = { raw, members: membersOf(raw, left) };
        left -= item.members.length;
        return item;
      }
      JSON.parse(raw);
      return { raw, members: [] };
    });
    return { before: members.slice(0, at), items, after: members.slice(at + 1) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Returns the value of the last member with a name, which is the one that counts. */
export function valueIn(members: readonly Member[], name: string): unknown {
  return members.findLast((member) => member.name === name)?.value;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Returns the members of an object. Throws SyntaxError. */
function membersOf(text: string, max: number): Member[] {
  if (!text.startsWith('{')) throw new SyntaxError('not an object');
  return partsOf(text, max).map(({ name, raw }) => {
    // Do not parse the items here. They are parsed one by one later, and are usually most of the
    // text.
    const value = name === '"items"' ? null : JSON.parse(raw);
    return { name: String(JSON.parse(name)), raw, value };
  });
}

/**
 * Splits the text of an array or an object, which must end with it. The texts of the values are
 * not checked yet. Throws SyntaxError, also for more than `max` values.
 */
function partsOf(text: string, max: number): Part[] {
  const isObject = text.startsWith('{');
  const end = isObject ? codes.endOfObject : codes.endOfArray;
  const parts: Part[] = [];
  let at = skipBlanks(text, 1);
  while (text.charCodeAt(at) !== end || parts.length > 0) {
    if (parts.length === max) throw new SyntaxError('too many parts');
    let name = '';
    if (isObject) {
      const nameEnd = text.charCodeAt(at) === codes.quote ? endOfText(text, at) : at;
      name = text.slice(at, nameEnd);
      at = skipBlanks(text, nameEnd);
      if (text.charCodeAt(at) !== codes.colon) throw new SyntaxError('no colon');
      at = skipBlanks(text, at + 1);
    }
    const valueEnd = endOfValue(text, at);
    parts.push({ name, raw: text.slice(at, valueEnd) });
    at = skipBlanks(text, valueEnd);
    const code = text.charCodeAt(at);
    if (code === end) break;
    if (code !== codes.comma) throw new SyntaxError('no comma');
    at = skipBlanks(text, at + 1);
  }
  if (at !== text.length - 1) throw new SyntaxError('not the end');
  return parts;
}

/** Returns the end of a value: of a number or a word, or of nested arrays and objects. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) at = endOfText(text, at) - 1;
    else if (code === codes.object || code === codes.array) depth += 1;
    else if (code === codes.endOfObject || code === codes.endOfArray) depth -= 1;
    else if (depth > 0 || !(code === codes.comma || isBlank(code))) continue;
    else return at;
    if (depth < 0) return at;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** Returns the end of a text in quotes. Throws SyntaxError if it has none. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === codes.backslash) at += 1;
    else if (code === codes.quote) return at + 1;
  }
  throw new SyntaxError('no end of a text');
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** Returns true for the blanks of JSON: space, tabulator, and the ends of lines. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
