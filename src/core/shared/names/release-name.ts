import {
  cheatTitles,
  type KindTag,
  kindIn,
  languagesIn,
  type Medium,
  mediumIn,
  revisionIn,
} from './name-labels.ts';
import { regionsIn, regionsOfCodes } from './region-words.ts';

/** The parts of a release's name. */
export interface ReleaseName {
  /** The name without its parentheses and brackets. */
  readonly title: string;
  readonly regions: readonly string[];
  /** Codes such as `En`; empty if the name states none. */
  readonly languages: readonly string[];
  /** The revision as the name states it, such as `Rev 1` or `v1.01`; "" for none. */
  readonly revision: string;
  /** The disc of a set; null if the name states none. */
  readonly disc: Medium | null;
  /** The title of the disc, which follows its number: `Arcade` in `(Disc 1) (Arcade)`. */
  readonly discTitle: string;
  readonly kinds: readonly KindTag[];
  /** All labels except those of regions, languages, the revision and the disc, in order. */
  readonly labels: readonly string[];
}

/** A part of a name in parentheses or brackets, without them. */
interface Label {
  readonly text: string;
  readonly isBracketed: boolean;
}

/**
 * Splits a release's name into its parts, by the conventions of No-Intro, Redump and TOSEC. Each
 * character of the name is read a limited number of times.
 */
export function parseReleaseName(name: string): ReleaseName {
  const title = titleOf(name);
  const found = {
    regions: [] as readonly string[],
    languages: [] as readonly string[],
    revision: revisionOfTitle(title),
    disc: null as Medium | null,
    discTitle: '',
  };
  const kinds = new Set<KindTag>(cheatTitles.some(isIn(title)) ? ['Cheat'] : []);
  const labels: string[] = [];
  let followsDisc = false;
  for (const label of labelsOf(name, title)) {
    const wasDisc = followsDisc;
    followsDisc = false;
    const { text, isBracketed } = label;
    const kind = kindIn(text, isBracketed);
    if (kind !== null) kinds.add(kind);
    const read = isBracketed || kind !== null ? null : readLabel(text, found);
    if (read === null) {
      labels.push(text);
      if (wasDisc && kind === null && !isBracketed) found.discTitle = text;
      continue;
    }
    Object.assign(found, read);
    followsDisc = 'disc' in read;
  }
  return { title, ...found, kinds: [...kinds], labels };
}

/** The parts of a name except its title. */
export type NameParts = Omit<ReleaseName, 'title'>;

/**
 * Calculates values from the parts of names. Caches the values, because many names have the same
 * ending.
 */
export class NameEndings<T> {
  readonly #make: (parts: NameParts) => T;
  readonly #known = new Map<string, T>();

  constructor(make: (parts: NameParts) => T) {
    this.#make = make;
  }

  /** Returns the value for a name. Names with the same ending may get the same object. */
  of(name: string): T {
    const title = titleOf(name);
    if (changesParts.test(title)) return this.#make(parseReleaseName(name));
    const ending = name.slice(title.length);
    let known = this.#known.get(ending);
    if (known === undefined) {
      known = this.#make(parseReleaseName(name));
      if (this.#known.size >= maxKnownEndings) this.#known.clear();
      this.#known.set(ending, known);
    }
    return known;
  }
}

/** Maximum number of cached endings. Real catalogues have 11,000. */
const maxKnownEndings = 50_000;

/** Matches titles that state parts of a name themselves, such as a revision. */
const changesParts = new RegExp(`^\\[| v[0-9]|(?:^| )Rev |${cheatTitles.join('|')}`, 'i');

/**
 * Returns a name without the parentheses and brackets after its title. The database groups releases
 * by the same text (`groupKeyOf`).
 */
export function titleOf(name: string): string {
  const [round, square] = [name.indexOf(' ('), name.indexOf(' [')];
  const end = round < 0 || square < 0 ? Math.max(round, square) : Math.min(round, square);
  return end > 0 ? name.slice(0, end) : name;
}

type Found = Pick<ReleaseName, 'regions' | 'languages' | 'revision' | 'disc'>;

/**
 * Returns the part that a label adds to `found`. Returns null if the label states none of these
 * parts, or only a part that `found` already has.
 */
function readLabel(text: string, found: Found): Partial<Found> | null {
  const regions = regionsIn(text) ?? regionsOfCodes(text);
  if (regions !== null && found.regions.length === 0) return { regions };
  const disc = mediumIn(text);
  if (disc !== null) return { disc: withSide(found.disc, disc) };
  const revision = revisionIn(text);
  if (revision !== null && (found.revision === '' || /^v/i.test(found.revision))) {
    return { revision };
  }
  const languages = languagesIn(text);
  return languages !== null && found.languages.length === 0 ? { languages } : null;
}

function withSide(known: Medium | null, found: Medium): Medium {
  if (known === null) return found;
  return { number: known.number || found.number, side: known.side || found.side };
}

/** Returns the version at the end of a title, where TOSEC states it: `v1.1` or `Rev 2`. */
function revisionOfTitle(title: string): string {
  const words = title.split(' ').slice(-2);
  const [before = '', last = ''] = words;
  if (words.length < 2) return '';
  if (/^v[0-9]/.test(last)) return revisionIn(last) ?? '';
  return before === 'Rev' ? (revisionIn(`Rev ${last}`) ?? '') : '';
}

/**
 * Returns the labels of a name: the parts in parentheses and brackets after its title, and a part
 * in brackets at its start (`[BIOS] Name`). Inner parentheses belong to the outer part.
 */
function labelsOf(name: string, title: string): Label[] {
  const labels: Label[] = [];
  const end = name.startsWith('[') ? name.indexOf('] ') : -1;
  if (end > 0) labels.push({ text: name.slice(1, end), isBracketed: true });
  let depth = 0;
  let from = 0;
  for (let at = title.length; at < name.length; at++) {
    const character = name.charAt(at);
    if (character === '(' || character === '[') {
      if (depth === 0) from = at;
      depth += 1;
    } else if ((character === ')' || character === ']') && depth > 0) {
      depth -= 1;
      if (depth > 0) continue;
      const text = name.slice(from + 1, at).trim();
      if (text !== '') labels.push({ text, isBracketed: name.charAt(from) === '[' });
    }
  }
  return labels;
}

const isIn = (title: string) => (text: string) => title.toLowerCase().includes(text);
