import type { components } from './schema.ts';

// What the server is about to say beyond its OpenAPI document of today; each type goes once the document has it.

export type User = components['schemas']['User'];
export type Role = User['role'];
export type Token = components['schemas']['Token'] & { readonly current?: boolean };
export type Rom = components['schemas']['Rom'];
export type Archive = components['schemas']['Archive'];
export type Facets = Readonly<Record<'system' | 'platform' | 'region', readonly Facet[]>>;

export interface Facet {
  readonly value: string;
  readonly releases: number;
}

/** GET `/session`. */
export interface SessionRecord {
  readonly user: User | null;
  /** Null when strangers may not know. */
  readonly releases: number | null;
  /** The stamp of the server's build; null from a server that has none of these extensions. */
  readonly version: string | null;
  readonly sign_in_required: boolean;
}

export type ReleaseItem = Omit<components['schemas']['ReleaseListItem'], 'cover_tag'> & {
  /** Null without cover; absent from a server that does not say. */
  readonly cover_tag?: string | null | undefined;
};

export interface SourceRow {
  readonly id: number;
  readonly source: string;
  readonly name: string;
  readonly region: string;
  readonly serial: string;
  readonly description: string;
  /** Whether the release shows this row's fields. */
  readonly shown: boolean;
  /** Whether the source's newest version no longer lists it. */
  readonly gone: boolean;
}

export interface Edit {
  readonly field: string;
  readonly edited_at: string;
  /** What the imports say. */
  readonly imported: string | null;
}

export type Release = Omit<components['schemas']['Release'], 'cover_tag'> & {
  readonly cover_tag?: string | null | undefined;
  readonly sources?: readonly SourceRow[];
  readonly edits?: readonly Edit[];
};

/** A file on disk that is this release. */
export interface LibraryFile {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly method: string;
  readonly rom: string | null;
  /** For editors. */
  readonly path?: string;
}
