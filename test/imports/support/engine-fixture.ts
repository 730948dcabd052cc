import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { DatIntake } from '../../../src/core/imports/dat-intake.ts';
import type { DatOptions, ImportOutcome, StageRows } from '../../../src/core/imports/ports.ts';
import { systemClock } from '../../../src/core/shared/clock.ts';
import { readDat } from '../../../src/dats/read-dat.ts';
import type { Engine, Work } from '../../../src/sql/engine/engine.ts';
import { openDatabase } from '../../../src/sql/engine/open.ts';
import type { WriteOptions } from '../../../src/sql/engine/write-options.ts';
import { SqlImportRecords } from '../../../src/sql/imports/import-records.ts';
import { placeDatabase } from '../../support/data/new-catalogue.ts';

/** An action of a test at a step of the engine. The action may wait or throw. */
type Step = () => Promise<void> | void;

/** A real engine that tests can delay or make fail. */
export class HeldEngine implements Engine {
  readonly #engine: Engine;
  beforeWrite: Step = () => {};
  beforeStage: Step = () => {};
  /** Called with the result of the work. */
  afterStage: (result: unknown) => Promise<void> | void = () => {};
  /** Called before each part of a large import is written. */
  beforeRoomCheck: Step = () => {};

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get name() {
    return this.#engine.name;
  }
  get read() {
    return this.#engine.read;
  }
  commits = () => this.#engine.commits();
  waiting() {
    return this.#engine.waiting();
  }
  get longRead() {
    return this.#engine.longRead;
  }
  get single() {
    return this.#engine.single;
  }
  async write<R>(work: Work<R>, options?: WriteOptions): Promise<R> {
    await this.beforeWrite();
    return this.#engine.write(work, options);
  }
  async stage<R>(work: Work<R>, signal?: AbortSignal): Promise<R> {
    await this.beforeStage();
    const result = await this.#engine.stage(work, signal);
    await this.afterStage(result);
    return result;
  }
  async checkFreeSpace(): Promise<void> {
    await this.beforeRoomCheck();
    return this.#engine.checkFreeSpace();
  }
  partMs = () => this.#engine.partMs();
  checkHealth = () => this.#engine.checkHealth();
  reserveSpace = () => this.#engine.reserveSpace();
  findFault = () => this.#engine.findFault();
  checkWrites = () => this.#engine.checkWrites();
  copy: Engine['copy'] = (file, options) => this.#engine.copy(file, options);
  snapshot: Engine['snapshot'] = (work, duringSnapshot) =>
    this.#engine.snapshot(work, duringSnapshot);
  close = () => this.#engine.close();
}

export interface EngineFixture {
  readonly engine: HeldEngine;
  readonly records: SqlImportRecords;
  /** Simulates another process. Returns a separate engine for the same database. */
  another(): Promise<Omit<EngineFixture, 'another'>>;
}

/**
 * Returns imports for a new database. Without jobs, the imports can run concurrently. The database
 * is removed after the test.
 */
export async function useEngine(): Promise<EngineFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-engine-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await placeDatabase(join(folder, 'catalog.db'));
  const open = async () => {
    const engine = new HeldEngine(await openDatabase(join(folder, 'catalog.db')));
    onTestFinished(() => engine.close());
    return { engine, records: new SqlImportRecords({ engine, clock: systemClock }) };
  };
  return { ...(await open()), another: open };
}

/**
 * Imports the text of a DAT. Calls `whileStaging` once the rows are staged, before the end of the
 * file.
 */
export function importText(
  { records }: { records: SqlImportRecords },
  text: string,
  options: DatOptions = {},
  whileStaging: () => Promise<unknown> = async () => {},
): Promise<ImportOutcome> {
  const { signal } = new AbortController();
  const rows = records.newImport();
  const fill = async (stage: StageRows) => {
    const intake = new DatIntake(rows);
    const { sha256 } = await readDat(
      (async function* () {
        yield Buffer.from(text);
        // At this point, some rows are being staged and others still wait in memory.
        await stage();
        await whileStaging();
      })(),
      intake,
    );
    return intake.result('text.dat', sha256);
  };
  return rows.run(fill, options, { signal, onWritten() {} }, { kind: 'system' });
}

/** Returns the names of the staging tables that contain rows. */
export function filledStagingTablesOf({ engine }: { engine: Engine }): Promise<string[]> {
  return engine.stage(async (db) => {
    const tables = await sql<{
      name: string;
    }>`SELECT name FROM sqlite_temp_schema
      WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL TABLE%'`.execute(db);
    const filled: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await sql`SELECT 1 FROM ${sql.table(name)} LIMIT 1`.execute(db);
      if (rows.length > 0) filled.push(name);
    }
    return filled;
  });
}

export async function releaseNames({ engine }: { engine: Engine }): Promise<string[]> {
  const rows = await engine.read
    .selectFrom('listed_release')
    .select('name')
    .orderBy('id')
    .execute();
  return rows.map(({ name }) => name);
}

/** Returns a promise, and a function `open` that resolves it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
