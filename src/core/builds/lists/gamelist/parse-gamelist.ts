/** An element of a `gamelist.xml`, with the text of its source. */
export interface ListElement {
  readonly name: string;
  readonly raw: string;
}

/** A game, a folder, or a comment of a `gamelist.xml`. */
export interface ListNode extends ListElement {
  /** The opening tag. */
  readonly open: string;
  readonly elements: readonly ListElement[];
  /** The path of the game without `./`; null if there is none. */
  readonly path: string | null;
}

/** A `gamelist.xml`: its nodes, and the text before and after them. */
export interface Gamelist {
  readonly head: string;
  readonly nodes: readonly ListNode[];
  readonly tail: string;
}

interface Tag {
  readonly name: string;
  readonly kind: 'open' | 'close' | 'empty';
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a `gamelist.xml` of any EmulationStation. Returns null if it is not one. ES-DE writes
 * other elements next to the list. They become part of `head` or `tail`.
 */
export function parseGamelist(text: string): Gamelist | null {
  const tags = tagsOf(text);
  let list: Tag | null = null;
  const nodes: ListNode[] = [];
  const stack: Tag[] = [];
  let elements: ListElement[] = [];
  let after = 0;
  for (const tag of tags) {
    if (list === null) {
      if (tag.name !== 'gameList' || tag.kind === 'close') continue;
      const head = text.slice(0, tag.end);
      if (tag.kind === 'empty') {
        return {
          head: `${text.slice(0, tag.start)}<gameList>`,
          nodes,
          tail: `</gameList>${text.slice(tag.end)}`,
        };
      }
      list = tag;
      after = head.length;
      continue;
    }
    if (stack.length === 0 && tag.kind === 'close') {
      addGap(nodes, text.slice(after, tag.start));
      if (tag.name !== list.name) return null;
      return { head: text.slice(0, list.end), nodes, tail: text.slice(tag.start) };
    }
    if (tag.kind === 'open') {
      if (stack.length === 0) elements = [];
      stack.push(tag);
      continue;
    }
    const open = tag.kind === 'empty' ? tag : stack.pop();
    if (open?.name !== tag.name) return null;
    const raw = text.slice(open.start, tag.end);
    if (stack.length === 1) elements.push({ name: tag.name, raw });
    if (stack.length > 0) continue;
    addGap(nodes, text.slice(after, open.start));
    after = tag.end;
    const children = tag.kind === 'empty' ? [] : elements;
    const path = pathIn(children);
    nodes.push({
      ...{ name: tag.name, raw, path },
      open: text.slice(open.start, open.end),
      elements: children,
    });
  }
  return null;
}

/** Adds the text between two nodes, such as a comment, as a node. */
function addGap(nodes: ListNode[], gap: string): void {
  const raw = gap.trim();
  if (raw !== '') nodes.push({ name: '', raw, open: '', elements: [], path: null });
}

/** Yields the tags of an XML text, without comments, CDATA and declarations. */
function* tagsOf(text: string): Generator<Tag> {
  for (let at = text.indexOf('<'); at >= 0; ) {
    const skipped = endOfSkipped(text, at);
    const end = skipped ?? endOfTag(text, at);
    if (end <= at) return;
    if (skipped === null) {
      const inside = text.slice(at + 1, end - 1);
      const kind = inside.startsWith('/') ? 'close' : inside.endsWith('/') ? 'empty' : 'open';
      const name = /^\/?([^\s/]{1,100})/.exec(inside)?.[1] ?? '';
      yield { name, kind, start: at, end };
    }
    at = text.indexOf('<', end);
  }
}

/** Returns the end of a comment, CDATA or declaration; null for a tag, and 0 if it has no end. */
function endOfSkipped(text: string, at: number): number | null {
  for (const [start, stop] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
    ['<!', '>'],
  ] as const) {
    if (!text.startsWith(start, at)) continue;
    const end = text.indexOf(stop, at + start.length);
    return end < 0 ? 0 : end + stop.length;
  }
  return null;
}

/** Returns the end of a tag, whose attributes may contain `>`; 0 if it has no end. */
function endOfTag(text: string, at: number): number {
  let quote = '';
  for (let i = at + 1; i < text.length; i += 1) {
    const character = text.charAt(i);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return i + 1;
    else if (character === '<') return 0;
  }
  return 0;
}

function pathIn(elements: readonly ListElement[]): string | null {
  const raw = elements.find(({ name }) => name === 'path')?.raw;
  if (raw === undefined) return null;
  const text = raw.slice(raw.indexOf('>') + 1, Math.max(raw.lastIndexOf('<'), 0)).trim();
  return decoded(text).replace(/^\.\//, '');
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function decoded(text: string): string {
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,4});/gi, (all, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? all;
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
