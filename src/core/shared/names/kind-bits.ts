import { lowerAscii } from '../text.ts';
import { type KindTag, kindTags } from './name-labels.ts';
import { NameEndings, parseReleaseName } from './release-name.ts';

/**
 * Returns the kinds that a name states as bits: the bit `1 << i` stands for `kindTags[i]`. The
 * database stores these bits of each release. If other kinds are read from names, a migration must
 * store the bits of all releases again.
 */
export function kindBitsOf(name: string): number {
  return bitsOf(parseReleaseName(name).kinds);
}

/**
 * Works like `kindBitsOf`, but faster for many names, because it caches the bits of name endings.
 */
export class KindBits {
  readonly #endings = new NameEndings(({ kinds }) => bitsOf(kinds));

  of(name: string): number {
    return this.#endings.of(name);
  }
}

/** Tags, in the forms in which the database searches release names for them. */
export interface WantedTags {
  /** The bits of the kinds among the tags. */
  readonly bits: number;
  /** The other tags in parentheses and in brackets, in lower case (`lowerAscii`). */
  readonly labels: readonly string[];
}

/** Splits tags into kinds, such as `Demo`, and other labels of names. */
export function wantedTags(tags: readonly string[]): WantedTags {
  const wanted = [...new Set(tags.map((tag) => lowerAscii(tag.trim())))];
  const kinds = kindTags.filter((kind) => wanted.includes(kind.toLowerCase()));
  const others = wanted.filter((tag) => !kinds.some((kind) => kind.toLowerCase() === tag));
  return { bits: bitsOf(kinds), labels: others.flatMap((tag) => [`(${tag})`, `[${tag}]`]) };
}

function bitsOf(kinds: readonly KindTag[]): number {
  return kinds.reduce((bits, kind) => bits | (1 << kindTags.indexOf(kind)), 0);
}
