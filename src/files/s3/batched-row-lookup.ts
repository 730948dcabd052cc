import type { ObjectRecords, StoredObject } from '../../core/shared/files/object-records.ts';
import { type ClientContext, currentClient } from '../../core/shared/requests/client-context.ts';

interface RowBatch {
  readonly names: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, StoredObject>>;
}

/**
 * Finds the database rows of an area's files by name. All names that one client looks up at once
 * are read by one statement. An example is all possible covers of a list of releases. Separate
 * statements would exceed the number that a client may have waiting.
 */
export class BatchedRowLookup {
  readonly #records: Pick<ObjectRecords, 'findAll'>;
  readonly #area: string;
  readonly #batches = new Map<ClientContext | undefined, RowBatch>();

  constructor(parts: { records: Pick<ObjectRecords, 'findAll'>; area: string }) {
    this.#records = parts.records;
    this.#area = parts.area;
  }

  /** Returns the row with this name, or null if there is no such row. */
  async find(name: string): Promise<StoredObject | null> {
    const client = currentClient();
    const batch = this.#batches.get(client) ?? this.#beginBatch(client);
    batch.names.add(name);
    return (await batch.rows).get(name) ?? null;
  }

  #beginBatch(client: ClientContext | undefined): RowBatch {
    const names = new Set<string>();
    const read = async () => {
      await null; // lets other callers of this event loop turn add names
      this.#batches.delete(client);
      const rows = await this.#records.findAll(this.#area, [...names]);
      return new Map(rows.map((row) => [row.name, row]));
    };
    const batch = { names, rows: read() };
    this.#batches.set(client, batch);
    return batch;
  }
}
