import type { Actor } from '../shared/actor.ts';
import type { EditableField } from '../shared/release-fields.ts';
import type { EditedField, ReleaseDetail, ReleaseEdit, ReleaseItem, SourceRow } from './release.ts';

/** Which releases; "" everywhere means all. */
export interface ReleaseFilter {
  /** Exact system, "" for all. */
  readonly system: string;
  /** Substring of the name as SQL LIKE sees it: `%` and `_` are wildcards, ASCII case is ignored; "" for all. */
  readonly q: string;
  /**
   * Words in any order, found in the names and serials of the release and of its sources; case and accents are ignored.
   * A word of 8, 32 or 40 hexadecimal digits also finds the releases that have a ROM with that CRC-32, MD5 or SHA-1.
   */
  readonly search: string;
  /** The platform's name, compared by letters and digits. */
  readonly platform: string;
  /** One of the regions of the release, whatever their case. */
  readonly region: string;
  /** Whether the library has a file that was matched with it; "", or nothing, for all. */
  readonly library?: 'have' | 'missing' | '';
}

/** By name (code point), then id; or the newest first, by id. */
export type ListOrder = 'name' | 'newest';

/** One page of what a filter finds. */
export interface ReleaseQuery extends ReleaseFilter {
  readonly limit: number;
  readonly offset: number;
  /** By name unless it is told. */
  readonly order?: ListOrder;
}

/** A release as listed, with its platform ("" for none). */
export type ListedRelease = ReleaseItem & { readonly platform: string };

/** What a list leaves out of a release. */
export type ListedDetail = Pick<ReleaseDetail, 'description' | 'roms'>;

/**
 * How a release is written in a list: the first text, the first field's value as JSON, the second text and so on; one text
 * more than fields.
 */
export interface ReleaseLayout {
  readonly texts: readonly string[];
  readonly fields: readonly (keyof ReleaseItem)[];
}

export interface Facet {
  readonly name: string;
  readonly releases: number;
}

export interface Facets {
  readonly systems: readonly Facet[];
  readonly platforms: readonly Facet[];
  readonly regions: readonly Facet[];
}

/** Whether the filter's own part counts in the list of a part: in that of systems the filter by system. */
export type FacetCounting = 'with-own' | 'without-own';

export interface Initial {
  readonly initial: string;
  /** Where its releases start in the list. */
  readonly offset: number;
  readonly releases: number;
}

/** A release with its platform and franchise ("" for none), as it was when it had this revision. */
export type FoundRelease = ReleaseDetail & {
  readonly platform: string;
  readonly franchise: string;
  readonly revision: number;
};

/** With all that is known of how it came to show what it shows: by source id, and by the name of the field. */
export type WholeRelease = FoundRelease & {
  readonly sources: readonly SourceRow[];
  readonly edits: readonly EditedField[];
};

/** The revisions that a release may have for a write to be made; null for any. */
export type Expected = ReadonlySet<number> | null;

export interface ReleaseRecords {
  /** One page, in the order that is asked for. */
  list(query: ReleaseQuery): Promise<ListedRelease[]>;
  /**
   * Everything that the filter finds from the offset on, by name, then id, some hundred at a time. A reader may
   * take its time; what is written meanwhile shows from the next batch on.
   */
  stream(filter: ReleaseFilter, offset: number): AsyncIterable<ListedRelease[]>;
  /** The same as texts, each of some hundred releases by a layout, with commas between them. */
  streamWritten(
    filter: ReleaseFilter,
    offset: number,
    layout: ReleaseLayout,
  ): AsyncIterable<string>;
  count(filter: ReleaseFilter): Promise<number>;
  /** How many there are. Quick however many. */
  total(): Promise<number>;
  /** How many releases are found by system, platform and region, each ordered by its name. */
  facets(filter: ReleaseFilter, counting?: FacetCounting): Promise<Facets>;
  /** The first characters of the names in the order of the list. */
  initials(filter: ReleaseFilter): Promise<Initial[]>;
  /** Of each of these releases that readers see, by id. */
  details(ids: readonly number[]): Promise<ReadonlyMap<number, ListedDetail>>;
  find(id: number): Promise<FoundRelease | null>;
  findWhole(id: number): Promise<WholeRelease | null>;
  /** Another one with every change of what `findWhole` finds; null when the release is unknown. */
  findRevision(id: number): Promise<number | null>;
  /**
   * Applies the edit, merges the metadata and marks the fields as edited, in one transaction. Returns the revision after
   * it; null, and nothing is written, when the release is unknown or its revision is not expected.
   */
  edit(id: number, edit: ReleaseEdit, actor: Actor, expected?: Expected): Promise<number | null>;
  /**
   * Takes back that a field was edited, in one transaction: from then on it shows what imports say, now and later. What
   * was never edited stays. Returns as `edit`.
   */
  dropEdit(
    id: number,
    field: EditableField,
    actor: Actor,
    expected?: Expected,
  ): Promise<number | null>;
}
