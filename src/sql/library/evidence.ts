import type { Candidate, Evidence } from '../../core/library/candidate.ts';
import { type Method, methods } from '../../core/library/library-file.ts';
import type { LookUp } from '../../core/library/look-up.ts';
import type { CatalogueEvidence } from '../../core/library/ports.ts';
import { forEachInSlices } from '../../core/shared/slices.ts';
import type { Database } from '../engine.ts';
import { findCandidates } from './candidates.ts';
import { catalogueVersion } from './catalogue-version.ts';
import { findPointers, keysOf } from './pointers.ts';

/** What the catalogue says about files: a few queries for all look-ups together. */
export class SqlCatalogueEvidence implements CatalogueEvidence {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async find(lookUps: readonly LookUp[]): Promise<Evidence[]> {
    const pointers = await findPointers(this.#db, lookUps);
    const ids = Object.values(pointers).flatMap((map) => [...map.values()].flatMap((s) => [...s]));
    const candidates = await findCandidates(this.#db, new Set(ids));
    const found: Evidence[] = [];
    await forEachInSlices(lookUps, (lookUp) => {
      const of = (method: Method): Candidate[] => {
        const pointedAt = new Set(
          keysOf(lookUp, method).flatMap((key) => [...(pointers[method].get(key) ?? [])]),
        );
        return [...pointedAt].flatMap((id) => candidates.get(id) ?? []);
      };
      const evidence = Object.fromEntries(methods.map((method) => [method, of(method)]));
      found.push(evidence as Record<Method, Candidate[]>);
    });
    return found;
  }

  async candidate(releaseId: number): Promise<Candidate | null> {
    return (await findCandidates(this.#db, new Set([releaseId]))).get(releaseId) ?? null;
  }

  version(): Promise<string> {
    return catalogueVersion(this.#db);
  }
}
