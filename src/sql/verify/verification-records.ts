import type { Clock } from '../../core/shared/clock.ts';
import type { FilePart, StoredRecord, VerifyRecords } from '../../core/verify/ports.ts';
import type {
  Finding,
  Position,
  Verification,
  VerifyPart,
} from '../../core/verify/verification.ts';
import type { Engine } from '../engine/engine.ts';

const columns = ['name', 'size', 'mtime_ns', 'sha256'] as const;

/** Stores the current verification, and reads the records that files are compared with. */
export class SqlVerifyRecords implements VerifyRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  begin(parts: readonly VerifyPart[]): Promise<Verification> {
    const wanted = JSON.stringify(parts);
    const startedAt = this.#clock.timestamp();
    return this.#engine.write(async (trx) => {
      const row = await trx.selectFrom('verification').selectAll().executeTakeFirst();
      if (row?.parts === wanted) {
        const { started_at, part, after, files, bytes } = row;
        return {
          startedAt: started_at,
          position: { part: part as VerifyPart, after, files, bytes },
        };
      }
      await trx.deleteFrom('verification').execute();
      await trx.deleteFrom('verification_finding').execute();
      const position: Position = { part: parts[0] ?? 'database', after: '', files: 0, bytes: 0 };
      await trx
        .insertInto('verification')
        .values({ id: 1, parts: wanted, started_at: startedAt, ...position })
        .execute();
      return { startedAt, position };
    });
  }

  savePosition(
    { part, after, files, bytes }: Position,
    findings: readonly Finding[],
  ): Promise<void> {
    const insert =
      'INSERT INTO verification_finding (part, kind, path, reason) VALUES (?, ?, ?, ?)';
    const rows = findings.map((found) => [found.part, found.kind, found.path, found.reason]);
    return this.#engine.write(async (trx, bulk) => {
      await trx.updateTable('verification').set({ part, after, files, bytes }).execute();
      if (rows.length > 0) await bulk.run(insert, rows);
    });
  }

  end(): Promise<Finding[]> {
    return this.#engine.write(async (trx) => {
      const rows = await trx
        .selectFrom('verification_finding')
        .select(['part', 'kind', 'path', 'reason'])
        .orderBy('id')
        .execute();
      await trx.deleteFrom('verification').execute();
      await trx.deleteFrom('verification_finding').execute();
      return rows as Finding[];
    });
  }

  async recorded(part: FilePart, after: string, limit: number): Promise<StoredRecord[]> {
    const rows = await this.#engine.read
      .selectFrom('stored_file')
      .select(columns)
      .where('area', '=', part)
      .where('name', '>', after)
      .orderBy('name')
      .limit(limit)
      .execute();
    return rows.map(toRecorded);
  }

  async recordOf(part: FilePart, name: string): Promise<StoredRecord | null> {
    const row = await this.#engine.read
      .selectFrom('stored_file')
      .select(columns)
      .where('area', '=', part)
      .where('name', '=', name)
      .executeTakeFirst();
    return row === undefined ? null : toRecorded(row);
  }

  async recordedBytes(part: FilePart): Promise<number> {
    const row = await this.#engine.read
      .selectFrom('stored_file')
      .select((each) => each.fn.sum<number | null>('size').as('bytes'))
      .where('area', '=', part)
      .executeTakeFirst();
    return Number(row?.bytes ?? 0);
  }

  findDatabaseDamage(): Promise<string | null> {
    return this.#engine.findFault();
  }
}

function toRecorded(row: {
  name: string;
  size: number;
  mtime_ns: bigint | number;
  sha256: string;
}): StoredRecord {
  const { name, size, mtime_ns, sha256 } = row;
  return { name, size, mtimeNs: BigInt(mtime_ns), sha256 };
}
