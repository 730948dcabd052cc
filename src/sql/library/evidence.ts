import { type Method, methods } from '../../core/library/library-file.ts';
import type { Candidate, Evidence } from '../../core/library/match/candidate.ts';
import type { LookupKeys } from '../../core/library/match/lookup-keys.ts';
import type { CatalogueEvidence } from '../../core/library/ports.ts';
import { Slices } from '../../core/shared/concurrency/slices.ts';
import type { Database } from '../engine/engine.ts';
import { findCandidates } from './candidates.ts';
import { catalogueVersion } from './catalogue-version.ts';
import { findReleasesByKeys, keysOf } from './releases-by-key.ts';

/**
 * Searches the catalogue for evidence about library files. A few queries serve all look-ups of a
 * call.
 */
export class SqlCatalogueEvidence implements CatalogueEvidence {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async find(lookups: readonly LookupKeys[]): Promise<Evidence[]> {
    const pointers = await findReleasesByKeys(this.#db, lookups);
    const slices = new Slices();
    const ids = new Set<number>();
    for (const some of Object.values(pointers).flatMap((map) => [...map.values()])) {
      if (slices.isOver) await slices.next();
      for (const id of some) ids.add(id);
    }
    const candidates = await findCandidates(this.#db, ids);
    const of = async (keys: LookupKeys, method: Method): Promise<Candidate[]> => {
      const matched = new Set<Candidate>();
      for (const key of keysOf(keys, method)) {
        if (slices.isOver) await slices.next();
        for (const id of pointers[method].get(key) ?? []) {
          const candidate = candidates.get(id);
          if (candidate !== undefined) matched.add(candidate);
        }
      }
      return [...matched];
    };
    const found: Evidence[] = [];
    for (const keys of lookups) {
      const evidence: Partial<Record<Method, Candidate[]>> = {};
      for (const method of methods) evidence[method] = await of(keys, method);
      found.push(evidence as Record<Method, Candidate[]>);
    }
    return found;
  }

  async candidate(releaseId: number): Promise<Candidate | null> {
    return (await findCandidates(this.#db, new Set([releaseId]))).get(releaseId) ?? null;
  }

  version(): Promise<string> {
    return catalogueVersion(this.#db);
  }
}
