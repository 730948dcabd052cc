import type { ObjectRecords, StoredObject } from '../../core/shared/files/object-records.ts';
import { type Asker, currentAsker } from '../../core/shared/requests/client-context.ts';

interface Asked {
  readonly names: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, StoredObject>>;
}

/**
 * Finds the database rows of an area's files by name. All names that one client looks up at once
 * are read by one statement. An example is all possible covers of a list of releases. Separate
 * statements would exceed the number that a client may have waiting.
 */
export class RowsTogether {
  readonly #records: Pick<ObjectRecords, 'findAll'>;
  readonly #area: string;
  readonly #asked = new Map<Asker | undefined, Asked>();

  constructor(parts: { records: Pick<ObjectRecords, 'findAll'>; area: string }) {
    this.#records = parts.records;
    this.#area = parts.area;
  }

  /** Returns the row with this name, or null if there is no such row. */
  async find(name: string): Promise<StoredObject | null> {
    const asker = currentAsker();
    const asked = this.#asked.get(asker) ?? this.#begin(asker);
    asked.names.add(name);
    return (await asked.rows).get(name) ?? null;
  }

  #begin(asker: Asker | undefined): Asked {
    const names = new Set<string>();
    const read = async () => {
      await null; // lets other callers of this event loop turn add names
      this.#asked.delete(asker);
      const rows = await this.#records.findAll(this.#area, [...names]);
      return new Map(rows.map((row) => [row.name, row]));
    };
    const asked = { names, rows: read() };
    this.#asked.set(asker, asked);
    return asked;
  }
}
