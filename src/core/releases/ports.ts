import type { Actor } from '../shared/actor.ts';
import type { ReleaseDetail, ReleaseEdit, ReleaseItem } from './release.ts';

export interface ReleaseQuery {
  /** Exact system, "" for all. */
  readonly system: string;
  /** Substring of the name as SQL LIKE sees it: `%` and `_` are wildcards, ASCII case is ignored; "" for all. */
  readonly q: string;
  readonly limit: number;
  readonly offset: number;
}

export interface ReleaseRecords {
  /** Ordered by name (code point), then id. */
  list(query: ReleaseQuery): Promise<ReleaseItem[]>;
  find(id: number): Promise<ReleaseDetail | null>;
  exists(id: number): Promise<boolean>;
  /** Applies the edit, merges the metadata and marks the fields as edited, in one transaction; false when unknown. */
  edit(id: number, edit: ReleaseEdit, actor: Actor): Promise<boolean>;
}
