import type { AnswerOf } from './request.ts';
import type { components } from './schema.ts';

// What the API speaks of, by the page's names.

type Schemas = components['schemas'];

export type User = Schemas['User'];
export type Role = User['role'];
export type Token = Schemas['Token'];
export type Rom = Schemas['Rom'];
export type Archive = Schemas['Archive'];
export type Edit = Schemas['Edit'];
/** What one source says of a release. */
export type SourceRow = Schemas['Source'];

/** Who is asking, and what everybody may know of the server. */
export type SessionRecord = AnswerOf<'getSession'>;

export type Facets = Readonly<Record<'system' | 'platform' | 'region', readonly Facet[]>>;

export interface Facet {
  readonly value: string;
  readonly releases: number;
}

export type ReleaseItem = Schemas['ReleaseListItem'];
export type Release = Schemas['Release'];
/** A file on disk that is this release. */
export type LibraryFile = Schemas['LibraryFile'];
