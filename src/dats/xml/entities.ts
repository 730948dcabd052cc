import { MAX_DOCTYPE, MAX_EXPANSION } from '../limits.ts';
import { excerpt } from '../normalise.ts';

const PREDEFINED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * Matches white space, or one declaration, comment or processing instruction of an internal subset
 * (XML 1.0, 2.8).
 */
const DECLARATION =
  /\s+|<!--.*?-->|<\?.*?\?>|<!(?:ELEMENT|ATTLIST|NOTATION|ENTITY)\s(?:[^"'<>]|"[^"]*"|'[^']*')*>/sy;

const ENTITY = /^<!ENTITY\s+([^\s"'%&;]+)\s+(?:"([^"]*)"|'([^']*)')\s*>$/;

/**
 * Returns a map from entity names to texts, in the form that saxes uses. The map contains the
 * predefined entities and the entities that `doctype` declares. Each lookup of a declared entity
 * adds the length of its text to a total, which `MAX_EXPANSION` limits.
 *
 * Only internal entities of plain text are accepted. Calls `refuse` with a reason for any other
 * entity: external entities, parameter entities, entities that contain markup, and entities that
 * use entities that are not predefined. An external DTD is not fetched.
 */
export function entitiesOf(
  doctype: string,
  refuse: (reason: string) => never,
): Record<string, string> {
  if (doctype.length > MAX_DOCTYPE) refuse(`a DOCTYPE of more than ${MAX_DOCTYPE} characters`);
  const entities: Record<string, string> = Object.assign(Object.create(null), PREDEFINED);
  let expanded = 0;
  const count = (length: number) => {
    expanded += length;
    if (expanded > MAX_EXPANSION)
      refuse(`entities that expand to more than ${MAX_EXPANSION} bytes`);
  };
  for (const [name, value] of declaredIn(internalSubset(doctype), refuse)) {
    // If an entity is declared several times, the first declaration is used (XML 1.0, 4.2). A
    // declaration cannot change a predefined entity (XML 1.0, 4.6).
    if (name in entities) continue;
    const length = Buffer.byteLength(value);
    Object.defineProperty(entities, name, {
      get() {
        count(length);
        return value;
      },
    });
  }
  return entities;
}

/**
 * Returns the text between the brackets of a DOCTYPE. Earlier brackets in quotes are skipped,
 * because they belong to identifiers of the DTD.
 */
function internalSubset(doctype: string): string {
  return /^(?:[^"'[]|"[^"]*"|'[^']*')*\[(.*)\]\s*$/s.exec(doctype)?.[1] ?? '';
}

function* declaredIn(
  subset: string,
  refuse: (reason: string) => never,
): Generator<[name: string, value: string]> {
  let at = 0;
  while (at < subset.length) {
    DECLARATION.lastIndex = at;
    const text = DECLARATION.exec(subset)?.[0];
    if (text === undefined) {
      const rest = subset.slice(at);
      return refuse(
        rest.startsWith('%')
          ? 'parameter entities are not taken'
          : `a DOCTYPE that cannot be read at ${excerpt(rest)}`,
      );
    }
    at += text.length;
    if (text.startsWith('<!ENTITY')) yield entityOf(text, refuse);
  }
}

function entityOf(text: string, refuse: (reason: string) => never): [name: string, value: string] {
  if (/^<!ENTITY\s+%/.test(text)) return refuse('parameter entities are not taken');
  const [, name, double, single] = ENTITY.exec(text) ?? [];
  if (name === undefined) {
    return refuse(
      /^<!ENTITY\s+[^\s"']+\s+(?:SYSTEM|PUBLIC)\s/.test(text)
        ? 'external entities are not taken'
        : `an entity that cannot be read: ${excerpt(text)}`,
    );
  }
  return [name, plainText(name, double ?? single ?? '', refuse)];
}

/**
 * Returns an entity's replacement text (XML 1.0, 4.5) as it will appear in the document. Refuses an
 * entity that contains markup or uses entities that are not predefined.
 */
function plainText(name: string, literal: string, refuse: (reason: string) => never): string {
  if (literal.includes('%')) return refuse('parameter entities are not taken');
  const replacement = literal.replace(/&#([0-9]+|x[0-9a-fA-F]+);/g, (_, code) => character(code));
  if (replacement.includes('<') && !(name in PREDEFINED)) {
    return refuse(`entity "${name}" holds markup`);
  }
  return replacement.replace(/&([^;]*);?/g, (reference, inner: string) => {
    const code = /^#([0-9]+|x[0-9a-fA-F]+)$/.exec(inner)?.[1];
    if (code !== undefined) return character(code);
    return PREDEFINED[inner] ?? refuse(`entity "${name}" uses another one: ${excerpt(reference)}`);
  });

  function character(code: string): string {
    const point = code.startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number(code);
    const isCharacter = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    if (!isCharacter || point < 9) return refuse(`entity "${name}" names no character`);
    return String.fromCodePoint(point);
  }
}
