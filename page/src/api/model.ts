import type { ResponseOf } from './request.ts';
import type { components, operations } from './schema.ts';

// Short names for the API's types, as used throughout the page.

type Schemas = components['schemas'];

export type NotReady = Schemas['NotReady'];

export type User = Schemas['User'];
export type Role = User['role'];
export type Token = Schemas['Token'];
export type Rom = Schemas['Rom'];
export type Archive = Schemas['Archive'];
export type Edit = Schemas['Edit'];
/** A field of a release that an editor may set. */
export type FieldName = Edit['field'];
/** The values that one source, such as a DAT, states for a release. */
export type SourceRow = Schemas['Source'];

/** The current user, and server information that is visible without signing in. */
export type SessionRecord = ResponseOf<'getSession'>;

export type FacetName =
  | 'system'
  | 'platform'
  | 'region'
  | 'genre'
  | 'year'
  | 'publisher'
  | 'library'
  | 'cover';
export type Facets = Readonly<Partial<Record<FacetName, readonly Facet[]>>>;

export interface Facet {
  readonly value: string;
  readonly releases: number;
}

export type ReleaseItem = Schemas['ReleaseListItem'];
/** The strongest evidence that the library has a release, or `stored` if only the store has it. */
export type Ownership = NonNullable<ReleaseItem['owned']>;
type ListQuery = NonNullable<operations['getReleases']['parameters']['query']>;
/** An order of the list of releases. */
export type Order = NonNullable<ListQuery['order']>;
export type Release = Schemas['Release'];
/** A file on disk that is matched to a release. */
export type LibraryFile = Schemas['LibraryFile'];
