import type { Actor } from '../shared/actor.ts';
import { notFound } from '../shared/errors.ts';
import type { ReleaseQuery, ReleaseRecords } from './ports.ts';
import type { ReleaseDetail, ReleaseEdit, ReleaseItem } from './release.ts';

/** The catalogue: listing, searching, reading and editing releases. */
export class Releases {
  readonly #records: ReleaseRecords;

  constructor(records: ReleaseRecords) {
    this.#records = records;
  }

  /** One page, ordered by name, then id. */
  async list(query: ReleaseQuery): Promise<ReleaseItem[]> {
    // A pattern that could only be a mistake or an attack finds nothing, at no cost (decisions.md).
    if (query.q.includes('\0') || [...query.q].length > 1000) return [];
    return this.#records.list(query);
  }

  /** Throws `not found`. */
  async get(id: number): Promise<ReleaseDetail> {
    const release = await this.#records.find(id);
    if (release === null) throw notFound();
    return release;
  }

  /** Throws `not found`; cheaper than `get`. */
  async mustExist(id: number): Promise<void> {
    if (!(await this.#records.exists(id))) throw notFound();
  }

  /** Throws `not found`. What is edited here is never overwritten by an import. */
  async edit(id: number, edit: ReleaseEdit, actor: Actor): Promise<void> {
    if (!(await this.#records.edit(id, edit, actor))) throw notFound();
  }
}
