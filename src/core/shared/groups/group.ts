import type { KindTag } from '../names/name-labels.ts';

/** A release of a group, with the data that decides between editions. */
export interface GroupRelease {
  readonly id: number;
  readonly name: string;
  /** The regions, separated by commas; "" if they are not known. */
  readonly region: string;
  readonly serial: string;
  /**
   * A text that identifies the ROMs, such as a hash. It orders releases of the same name and
   * serial, because ids depend on the order of imports.
   */
  readonly content: string;
}

/** A disc of an edition. */
export interface EditionDisc {
  readonly release: GroupRelease;
  /** Number in the set, from 1; null if the name states none. */
  readonly disc: number | null;
}

/**
 * The parts of a name that all discs of an edition have in common. Many editions may share an
 * object.
 */
export interface Traits {
  readonly regions: readonly string[];
  /** The languages that the name states, as codes such as `En`. */
  readonly languages: readonly string[];
  readonly kinds: readonly KindTag[];
  /** The other labels of the name, without titles of discs. */
  readonly labels: readonly string[];
}

/** One edition of a game: all its discs. A disc may belong to several editions. */
export interface Edition {
  /** The name of the first disc, without the number of the disc. */
  readonly name: string;
  readonly title: string;
  readonly traits: Traits;
  /** The revision, such as `Rev 1`; "" if there is none. */
  readonly revision: string;
  /** The discs in the order of their numbers and sides. */
  readonly discs: readonly EditionDisc[];
}

/** Returns the kinds and labels of an edition, each once. */
export function tagsOf({ kinds, labels }: Traits): string[] {
  return [...new Set<string>([...kinds, ...labels])];
}
