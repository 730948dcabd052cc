import { type Asker, currentAsker } from '../../core/shared/asker.ts';
import type { ObjectRecords, StoredObject } from '../../core/shared/object-records.ts';

interface Asked {
  readonly names: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, StoredObject>>;
}

/**
 * Finds rows of an area by name. Names that one client looks up at once are read by one statement,
 * for example all possible covers of a list of releases. With one statement each, there would be
 * more than a client may have waiting.
 */
export class RowsTogether {
  readonly #records: Pick<ObjectRecords, 'findAll'>;
  readonly #area: string;
  readonly #asked = new Map<Asker | undefined, Asked>();

  constructor(parts: { records: Pick<ObjectRecords, 'findAll'>; area: string }) {
    this.#records = parts.records;
    this.#area = parts.area;
  }

  /** Returns the row, or null if there is none with this name. */
  async find(name: string): Promise<StoredObject | null> {
    const asker = currentAsker();
    const asked = this.#asked.get(asker) ?? this.#begin(asker);
    asked.names.add(name);
    return (await asked.rows).get(name) ?? null;
  }

  #begin(asker: Asker | undefined): Asked {
    const names = new Set<string>();
    const read = async () => {
      await null; // until all lookups of this turn have been added
      this.#asked.delete(asker);
      const rows = await this.#records.findAll(this.#area, [...names]);
      return new Map(rows.map((row) => [row.name, row]));
    };
    const asked = { names, rows: read() };
    this.#asked.set(asker, asked);
    return asked;
  }
}
