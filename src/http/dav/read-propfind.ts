import { badRequest } from '../../core/shared/errors.ts';

/** The name of a property: its XML namespace, and its name there. */
export interface PropertyName {
  readonly namespace: string;
  readonly name: string;
}

/** The properties that a PROPFIND requests: all, only the names of all, or these. */
export type WantedProperties = 'all' | 'names' | readonly PropertyName[];

export const davNamespace = 'DAV:';

/**
 * Maximum nesting depth of elements, and maximum number of properties or of namespace prefixes. No
 * known client reaches these limits.
 */
const [maxDepth, maxProperties] = [10, 100];
const xmlName = /^[\p{L}_][\p{L}\p{N}._-]{0,99}$/u;

interface Element extends PropertyName {
  readonly parent: Element | null;
  readonly prefixes: ReadonlyMap<string, string>;
}

/**
 * Returns the properties that the body of a PROPFIND requests; all if there is no body (RFC 4918,
 * 9.1). Throws `bad request` if the body is not a `propfind` in XML.
 */
export function readPropfind(text: string): WantedProperties {
  const body = text.replace(/^\ufeff/, '').trim();
  if (body === '') return 'all';
  let current: Element | null = null;
  let depth = 0;
  let wanted: WantedProperties | null = null;
  const names: PropertyName[] = [];
  for (const { name, attributes, kind } of tagsOf(body)) {
    if (kind === 'close') {
      if (current === null) throw badRequest();
      current = current.parent;
      depth -= 1;
      continue;
    }
    const element: Element = elementOf(name, attributes, current);
    if (depth === 0 && !(wanted === null && isDav(element, 'propfind'))) throw badRequest();
    if (depth === 0) wanted = names;
    if (depth === 1 && isDav(element, 'allprop')) wanted = 'all';
    if (depth === 1 && isDav(element, 'propname')) wanted = 'names';
    if (depth === 2 && current !== null && isDav(current, 'prop')) {
      names.push({ namespace: element.namespace, name: element.name });
    }
    if (kind === 'empty') continue;
    current = element;
    depth += 1;
    if (depth > maxDepth || names.length > maxProperties) throw badRequest();
  }
  if (wanted === null || current !== null || names.length > maxProperties) throw badRequest();
  return wanted;
}

function isDav({ namespace, name }: PropertyName, wanted: string): boolean {
  return namespace === davNamespace && name === wanted;
}

interface Tag {
  readonly name: string;
  readonly attributes: string;
  readonly kind: 'open' | 'close' | 'empty';
}

/**
 * Yields the tags of an XML text. Throws `bad request` for a malformed tag and for a document type
 * declaration.
 */
function* tagsOf(text: string): Generator<Tag> {
  for (let at = text.indexOf('<'); at >= 0; ) {
    const skipped = endOfSkipped(text, at);
    if (skipped !== null) {
      at = text.indexOf('<', skipped);
      continue;
    }
    const end = endOfTag(text, at);
    const inside = text.slice(at + 1, end - 1);
    const isClosing = inside.startsWith('/');
    const isEmpty = !isClosing && inside.endsWith('/');
    const content = inside.slice(isClosing ? 1 : 0, isEmpty ? -1 : undefined);
    const blank = content.search(/\s/);
    const name = blank < 0 ? content : content.slice(0, blank);
    const attributes = blank < 0 ? '' : content.slice(blank);
    yield { name, attributes, kind: isClosing ? 'close' : isEmpty ? 'empty' : 'open' };
    at = text.indexOf('<', end);
  }
}

/** Returns the end of a comment, a CDATA section or a processing instruction; null for a tag. */
function endOfSkipped(text: string, at: number): number | null {
  for (const [start, stop] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
  ] as const) {
    if (!text.startsWith(start, at)) continue;
    const end = text.indexOf(stop, at + start.length);
    if (end < 0) throw badRequest();
    return end + stop.length;
  }
  if (text.startsWith('<!', at)) throw badRequest();
  return null;
}

/** Returns the end of a tag, whose attributes may contain `>`. */
function endOfTag(text: string, at: number): number {
  let quote = '';
  for (let index = at + 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return index + 1;
    else if (character === '<') break;
  }
  throw badRequest();
}

function elementOf(qualified: string, attributes: string, parent: Element | null): Element {
  const colon = qualified.indexOf(':');
  const prefix = colon < 0 ? '' : qualified.slice(0, colon);
  const name = qualified.slice(colon + 1);
  if (!xmlName.test(name)) throw badRequest();
  const prefixes = prefixesOf(attributes, parent?.prefixes ?? new Map());
  const namespace = prefixes.get(prefix);
  if (namespace === undefined && prefix !== '') throw badRequest();
  return { name, namespace: namespace ?? '', parent, prefixes };
}

/**
 * Returns the namespaces that apply inside a tag, by prefix: those of the outer element, and those
 * that the tag's attributes declare.
 */
function prefixesOf(
  attributes: string,
  outer: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (!attributes.includes('xmlns')) return outer;
  const prefixes = new Map(outer);
  const declarations = /\sxmlns(?::([^\s=:]{1,100}))?\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
  for (const [, prefix = '', quoted, apostrophed] of attributes.matchAll(declarations)) {
    prefixes.set(prefix, (quoted ?? apostrophed ?? '').slice(0, 500));
  }
  if (prefixes.size > maxProperties) throw badRequest();
  return prefixes;
}
