import type { IdMarks } from '../shared/id-marks.ts';
import type { EditableField } from '../shared/release-fields.ts';
import type { CoverState, LibraryState, SelectedSet } from '../shared/release-rule.ts';
import type { Actor } from '../shared/requests/actor.ts';
import type { RequestOrder } from './list-orders.ts';
import type { EditedField, ReleaseDetail, ReleaseEdit, ReleaseItem, SourceRow } from './release.ts';
import type { ReleaseLayout } from './release-layout.ts';

/** Selects releases. A release must match all fields; a field that is "" matches every release. */
export interface ReleaseFilter {
  /** The system, compared exactly. */
  readonly system: string;
  /** A part of the name, as in SQL's LIKE: `%` and `_` are wildcards, and ASCII case is ignored. */
  readonly q: string;
  /**
   * Words to find, in any order, in the names and serials of the release and of its sources. Case
   * and accents are ignored. A word of 8, 32 or 40 hexadecimal digits also finds releases with a
   * ROM that has this CRC-32, MD5 or SHA-1.
   */
  readonly search: string;
  /**
   * The name of the platform; only its letters and digits are compared. Like the fields `region`,
   * `genre`, `year` and `publisher`, this may be several values, of which one must match
   * (`filter-values.ts`).
   */
  readonly platform: string;
  /** One of the release's regions; case is ignored. */
  readonly region: string;
  /**
   * `have` selects releases with a matched file in the library, `verified` those with a file that a
   * hash matched, `missing` those without a file. "" or undefined selects all.
   */
  readonly library?: LibraryState | '';
  /** `have` selects releases with a cover, `missing` selects the others. */
  readonly cover?: CoverState | '';
  /** The genre, compared exactly. */
  readonly genre?: string;
  /** The first four characters of the release date, which must be digits. */
  readonly year?: string;
  /** The publisher, compared exactly. */
  readonly publisher?: string;
  /** Selects the releases of a set. */
  readonly set?: SelectedSet | undefined;
}

/**
 * A filter as the records read it. `coveredIds` contains the ids of all releases with a cover. It
 * is set if the filter, the rule of its set or a facet needs it, because the database does not list
 * the covers. The array never changes.
 */
export interface RecordFilter extends ReleaseFilter {
  readonly coveredIds?: readonly number[];
  /** The releases of the filter's set, if it has a preference. The records themselves set it. */
  readonly chosen?: IdMarks;
}

/** Finds the releases with a cover. */
export interface CoveredReleases {
  /**
   * Returns the ids of the releases that have a cover. Returns the same set object until the set
   * changes.
   */
  releasesWithCover(): Promise<ReadonlySet<number>>;
}

/** A filter, and the page of matching releases to return. */
export interface ReleaseQuery extends RecordFilter {
  readonly limit: number;
  readonly offset: number;
  /** The order of the matches; `defaultOrder` if missing. */
  readonly order?: RequestOrder;
  /** If true, `relevance` sorts releases with a file in the library before equally good matches. */
  readonly ownedFirst?: boolean;
}

/** A release in a list, with its platform; "" if it has no platform. */
export type ListedRelease = ReleaseItem & { readonly platform: string };

/** The fields of a release that are not part of a list. */
export type ListedDetail = Pick<ReleaseDetail, 'description' | 'roms'> & {
  /** The name of the parent in a DAT (`cloneof`); "" for none. */
  readonly cloneOf: string;
};

export interface Facet {
  readonly name: string;
  readonly releases: number;
}

export interface Facets {
  readonly systems: readonly Facet[];
  readonly platforms: readonly Facet[];
  readonly regions: readonly Facet[];
  /** These lists have up to `maxValues` values, those with the most releases. */
  readonly genres?: readonly Facet[];
  readonly years?: readonly Facet[];
  readonly publishers?: readonly Facet[];
  readonly library?: Readonly<Record<LibraryState, number>>;
  readonly covers?: Readonly<Record<CoverState, number>>;
}

/** The facets that are counted only on request. */
export const extraFacets = ['genre', 'year', 'publisher', 'library', 'cover'] as const;
export type ExtraFacet = (typeof extraFacets)[number];

/**
 * Options for counting facets. Without `extra`, only systems, platforms and regions are counted.
 */
export interface FacetOptions {
  readonly counting?: FacetCounting;
  readonly extra?: readonly ExtraFacet[];
}

/** Maximum number of genres, years or publishers in facets. */
export const maxValues = 5_000;

/**
 * `with-own`: each list of facets counts the matches of the whole filter. `without-own`: each list
 * ignores the filter's value for its own field, such as the system in the list of systems.
 */
export type FacetCounting = 'with-own' | 'without-own';

/** The orders that have initials. */
export const initialOrders = ['name', 'title'] as const;
export type InitialOrder = (typeof initialOrders)[number];

export interface Initial {
  readonly initial: string;
  /** 0-based position of the first release with this initial in the list. */
  readonly offset: number;
  readonly releases: number;
}

/** A release with its platform and franchise ("" for none), all as of this revision. */
export type FoundRelease = ReleaseDetail & {
  readonly platform: string;
  readonly franchise: string;
  readonly revision: number;
};

/**
 * A release with the origin of each of its values. `sources` is ordered by source id, `edits` by
 * field name.
 */
export type WholeRelease = FoundRelease & {
  readonly sources: readonly SourceRow[];
  readonly edits: readonly EditedField[];
};

/** The revisions of a release at which a write is allowed; null allows every revision. */
export type ExpectedRevisions = ReadonlySet<number> | null;

/** The page of a list: the maximum number of its releases, and the number of those before it. */
export type PageOfList = Pick<ReleaseQuery, 'limit' | 'offset'>;

export interface ReleaseRecords {
  /** Returns one page of the matches, in the requested order. */
  list(query: ReleaseQuery): Promise<ListedRelease[]>;
  /** Returns one page of the matches, ordered by name, then id, as text; see `streamAsText`. */
  listAsText(filter: RecordFilter, page: PageOfList, layout: ReleaseLayout): Promise<string>;
  /**
   * Yields all matches from `offset` on, ordered by name, then id, in batches of a few hundred. The
   * consumer may be slow. A change made meanwhile shows in the following batches.
   */
  stream(filter: RecordFilter, offset: number): AsyncIterable<ListedRelease[]>;
  /**
   * Yields the same releases as `stream`, as texts of a few hundred releases each. `layout`
   * describes the text of one release. The releases are separated by commas.
   */
  streamAsText(filter: RecordFilter, offset: number, layout: ReleaseLayout): AsyncIterable<string>;
  /** Returns the number of matches. The number of releases of a set alone is cached. */
  count(filter: RecordFilter): Promise<number>;
  /** Returns the number of all releases. Takes little time even for a large catalogue. */
  total(): Promise<number>;
  /**
   * Counts the matches by system, by platform and by region, and by the requested other values.
   * Each list is ordered by name.
   */
  facets(filter: RecordFilter, options?: FacetOptions): Promise<Facets>;
  /**
   * Returns the initials of the matches, in the order of the list: the first characters of the
   * names, or of the texts by which the order `title` sorts. The default order is by name.
   */
  initials(filter: RecordFilter, order?: InitialOrder): Promise<Initial[]>;
  /** Returns the details of these releases, by id. Releases that readers cannot see are absent. */
  details(ids: readonly number[]): Promise<ReadonlyMap<number, ListedDetail>>;
  /** Returns these releases, in any order. Releases that readers cannot see are absent. */
  listByIds(ids: readonly number[]): Promise<ListedRelease[]>;
  find(id: number): Promise<FoundRelease | null>;
  findWhole(id: number): Promise<WholeRelease | null>;
  /**
   * Returns the revision of a release; null for an unknown release. The revision changes whenever
   * the result of `findWhole` changes.
   */
  findRevision(id: number): Promise<number | null>;
  /**
   * Edits a release: in one transaction, applies the edit, merges the metadata, and marks the
   * fields as edited. Returns the new revision. Returns null, and writes nothing, when the release
   * is unknown or its revision is not in `expected`.
   */
  edit(
    id: number,
    edit: ReleaseEdit,
    actor: Actor,
    expected?: ExpectedRevisions,
  ): Promise<number | null>;
  /**
   * Discards the edit of a field in one transaction. From then on the field has the value from the
   * imports, including later ones. Does not change a field that was never edited. Returns the same
   * values as `edit`.
   */
  dropEdit(
    id: number,
    field: EditableField,
    actor: Actor,
    expected?: ExpectedRevisions,
  ): Promise<number | null>;
}
