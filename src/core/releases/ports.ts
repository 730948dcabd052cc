import type { Actor } from '../shared/actor.ts';
import type { EditableField } from '../shared/release-fields.ts';
import type { EditedField, ReleaseDetail, ReleaseEdit, ReleaseItem, SourceRow } from './release.ts';

/** Which releases to select; "" in a field means all. */
export interface ReleaseFilter {
  /** Exact system, "" for all. */
  readonly system: string;
  /**
   * Substring of the name in SQL LIKE terms: `%` and `_` are wildcards, ASCII case is ignored; ""
   * for all.
   */
  readonly q: string;
  /**
   * Words in any order, found in the names and serials of the release and of its sources. Case and
   * accents are ignored. A word of 8, 32 or 40 hexadecimal digits also finds the releases that have
   * a ROM with that CRC-32, MD5 or SHA-1.
   */
  readonly search: string;
  /** The platform's name, compared by letters and digits only. */
  readonly platform: string;
  /** One of the release's regions, ignoring case. */
  readonly region: string;
  /** Whether the library has a file matched to the release; "" or undefined for all. */
  readonly library?: 'have' | 'missing' | '';
}

/** By name (code point), then id; or newest first, by id. */
export type ListOrder = 'name' | 'newest';

/** One page of a filter's matches. */
export interface ReleaseQuery extends ReleaseFilter {
  readonly limit: number;
  readonly offset: number;
  /** By name unless given. */
  readonly order?: ListOrder;
}

/** A release as listed, with its platform ("" for none). */
export type ListedRelease = ReleaseItem & { readonly platform: string };

/** The fields of a release that a list leaves out. */
export type ListedDetail = Pick<ReleaseDetail, 'description' | 'roms'>;

/**
 * The text of a release in a list. It consists of the first text, the first field's value as JSON,
 * the second text and so on. There is one more text than fields.
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

/**
 * Whether a facet applies its own part of the filter when it counts, such as the filter by system
 * in the facet of systems.
 */
export type FacetCounting = 'with-own' | 'without-own';

export interface Initial {
  readonly initial: string;
  /** Offset in the list where its releases start. */
  readonly offset: number;
  readonly releases: number;
}

/** A release with its platform and franchise ("" for none), in the state of this revision. */
export type FoundRelease = ReleaseDetail & {
  readonly platform: string;
  readonly franchise: string;
  readonly revision: number;
};

/** A release with the origin of everything it shows: rows by source id, edits by field name. */
export type WholeRelease = FoundRelease & {
  readonly sources: readonly SourceRow[];
  readonly edits: readonly EditedField[];
};

/** The revisions that a release may have for a write to succeed; null for any. */
export type Expected = ReadonlySet<number> | null;

export interface ReleaseRecords {
  /** Returns one page, in the requested order. */
  list(query: ReleaseQuery): Promise<ListedRelease[]>;
  /**
   * Streams all matches from the offset on, by name, then id, in batches of a few hundred. The
   * reader may be slow; concurrent changes show from the next batch on.
   */
  stream(filter: ReleaseFilter, offset: number): AsyncIterable<ListedRelease[]>;
  /**
   * Streams the same as texts of a few hundred releases each, rendered by a layout, with commas
   * between them.
   */
  streamWritten(
    filter: ReleaseFilter,
    offset: number,
    layout: ReleaseLayout,
  ): AsyncIterable<string>;
  count(filter: ReleaseFilter): Promise<number>;
  /** Returns the number of all releases; fast for any number. */
  total(): Promise<number>;
  /** Counts matching releases by system, platform and region, each ordered by name. */
  facets(filter: ReleaseFilter, counting?: FacetCounting): Promise<Facets>;
  /** Returns the first characters of the names, in list order. */
  initials(filter: ReleaseFilter): Promise<Initial[]>;
  /** Returns the details of each of these releases that is visible to readers, by id. */
  details(ids: readonly number[]): Promise<ReadonlyMap<number, ListedDetail>>;
  find(id: number): Promise<FoundRelease | null>;
  findWhole(id: number): Promise<WholeRelease | null>;
  /**
   * Returns the revision, which changes whenever the result of `findWhole` changes; null for an
   * unknown release.
   */
  findRevision(id: number): Promise<number | null>;
  /**
   * Applies the edit, merges the metadata and marks the fields as edited, in one transaction.
   * Returns the new revision. Returns null, and writes nothing, when the release is unknown or its
   * revision is not expected.
   */
  edit(id: number, edit: ReleaseEdit, actor: Actor, expected?: Expected): Promise<number | null>;
  /**
   * Drops the edit of a field in one transaction: from then on the field shows the imports' value,
   * now and later. A field that was never edited does not change. Returns as `edit`.
   */
  dropEdit(
    id: number,
    field: EditableField,
    actor: Actor,
    expected?: Expected,
  ): Promise<number | null>;
}
