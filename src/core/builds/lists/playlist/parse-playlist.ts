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

/**
 * Parses a playlist of RetroArch in JSON (playlist.c, since 1.7.6), in linear time. The texts of
 * all values stay, so numbers and escapes are written as they were read. Returns null for anything
 * else, also for the older form with six lines for each item.
 */
export function parsePlaylist(text: string): Playlist | null {
  try {
    const members = membersOf(text.trim());
    const at = members.findIndex(({ name }) => name === 'items');
    const list = members[at];
    const hasVersion = members.some(({ name, value }) => name === 'version' && isText(value));
    const isTwice = members.filter(({ name }) => name === 'items').length !== 1;
    if (list === undefined || isTwice || !hasVersion || !list.raw.startsWith('[')) return null;
    const items = partsOf(list.raw).map(({ raw }): PlaylistItem => {
      if (raw.startsWith('{')) return { raw, members: membersOf(raw) };
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
function membersOf(text: string): Member[] {
  if (!text.startsWith('{')) throw new SyntaxError('not an object');
  return partsOf(text).map(({ name, raw }) => {
    // The items are read one by one later, and most often they are almost the whole text.
    const value = name === '"items"' ? null : JSON.parse(raw);
    return { name: String(JSON.parse(name)), raw, value };
  });
}

/**
 * Splits the text of an array or an object, which must end with it. The texts of the values are
 * not checked yet. Throws SyntaxError.
 */
function partsOf(text: string): Part[] {
  const isObject = text.startsWith('{');
  const end = isObject ? '}' : ']';
  const parts: Part[] = [];
  let at = skipBlanks(text, 1);
  while (text[at] !== end || parts.length > 0) {
    let name = '';
    if (isObject) {
      const nameEnd = text[at] === '"' ? endOfText(text, at) : at;
      name = text.slice(at, nameEnd);
      at = skipBlanks(text, nameEnd);
      if (text[at] !== ':') throw new SyntaxError('no colon');
      at = skipBlanks(text, at + 1);
    }
    const valueEnd = endOfValue(text, at);
    parts.push({ name, raw: text.slice(at, valueEnd) });
    at = skipBlanks(text, valueEnd);
    if (text[at] === end) break;
    if (text[at] !== ',') throw new SyntaxError('no comma');
    at = skipBlanks(text, at + 1);
  }
  if (at !== text.length - 1) throw new SyntaxError('not the end');
  return parts;
}

/** Returns the end of a value: of a number or a word, or of nested arrays and objects. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfText(text, at) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (depth > 0 || !/[,\s]/.test(character)) continue;
    else return at;
    if (depth < 0) return at;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** Returns the end of a text in quotes. Throws SyntaxError if it has none. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '"') return at + 1;
  }
  throw new SyntaxError('no end of a text');
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text.charAt(at))) at += 1;
  return at;
}
