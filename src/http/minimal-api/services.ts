import type { CoverSearch } from '../../core/covers/cover-search.ts';
import type { Covers } from '../../core/covers/covers.ts';
import type { Library } from '../../core/library/library.ts';
import type { Releases } from '../../core/releases/releases.ts';
import type { PartRevision } from '../../core/shared/requests/part-revision.ts';
import type { Stats } from '../../core/stats/stats.ts';
import type { Store } from '../../core/store/store.ts';
import type { CachedResponses } from '../shared/response-cache/cached-responses.ts';

/** The services and settings that the minimal API uses. */
export interface MinimalApiParts {
  readonly releases: Releases;
  /** Changes whenever the content of release lists or details changes. */
  readonly catalogueRevision: PartRevision;
  readonly covers: Pick<Covers, 'openBundle' | 'sha256Of'>;
  readonly coverSearch: Pick<CoverSearch, 'openOrFetch'>;
  readonly store: Store;
  readonly stats: Stats;
  readonly library: Pick<Library, 'list'>;
  /** The shared token of the store. If it is "", the store needs no token. */
  readonly apiToken: string;
}

/** The services that the endpoints' handlers use. */
export interface RouteParts extends MinimalApiParts {
  /** Cache of responses that depend only on the catalogue. */
  readonly responseCache: CachedResponses;
}
