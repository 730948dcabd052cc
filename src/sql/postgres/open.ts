import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { refused } from '../../core/shared/errors.ts';
import type { CopyOptions, Database, Engine, Snapshot, Work } from '../engine/engine.ts';
import { defaultLimits, type ReadLimits } from '../engine/read-queue.ts';
import type { WriteOptions } from '../engine/write-options.ts';
import { leasedWork } from '../jobs/leased-work.ts';
import { reservedWork } from '../store/reserved-work.ts';
import type { Tables } from '../tables.ts';
import { takeSnapshot } from './copies/snapshot.ts';
import { databaseOver } from './database.ts';
import { isAtConnectionLimit, isStarting, SqlError } from './errors.ts';
import { Connection } from './sessions/connection.ts';
import { ConnectionLane, defaultConnections, laneSizes } from './sessions/lane.ts';
import { CONNECT_MS, ConnectionPool, type Sessions } from './sessions/pool.ts';
import { ReadLane } from './sessions/read-lane.ts';
import {
  checkServer,
  detectDisconnects,
  nameOf,
  type Role,
  settingsOf,
  toOpenError,
} from './sessions/server.ts';
import { Staging } from './sessions/staging.ts';
import { refuseStream } from './sessions/write-handle.ts';
import { Writer } from './sessions/writer.ts';

/**
 * Timeout of work on behalf of a client, in ms. The client gets an error before its own timeout
 * ends.
 */
const CLIENT_MS = 4_500;
/**
 * Maximum time to wait for a server that is starting or has no room for another connection, in ms.
 * Recovery after a crash may take longer. The operator must then start this program again.
 */
const START_MS = 20_000;
const START_RETRY_MS = 250;
/**
 * Time that a part of long work may take, in ms. The time is constant, because other writes do not
 * have to wait for the end of a part.
 */
const PART_MS = 100;
const OWN_MS = { quick: 60_000, long: 30 * 60_000 };

/**
 * The reason to wait for a database server: the server is starting, or has no room for a
 * connection.
 */
export type WaitReason = 'starting' | 'full';

/**
 * A function that is called once for each reason to wait for a server. Without this function, the
 * program does not wait.
 */
export type OnWait = (reason: WaitReason) => void;

/** A function that runs on the first connection before other connections are opened. */
type Prepare = (connection: Connection, name: string) => Promise<void>;

/**
 * Opens the database at a URL, `postgres://user:password@host:port/database`. `prepare` may change
 * the schema of the database. Throws refused() if the database cannot be used; the message names
 * the database, but not its password.
 */
export async function openPostgres<T = Tables>(
  url: string,
  options: {
    limits?: Partial<ReadLimits>;
    /** Maximum number of connections. */
    connections?: number | undefined;
    prepare?: Prepare;
    onWait?: OnWait;
  } = {},
): Promise<Engine<T>> {
  const name = nameOf(url);
  try {
    const first = await retryWhileUnready(options.onWait, () =>
      Connection.open(url, settingsOf('writer', false), CONNECT_MS),
    );
    try {
      await checkServer(first, name);
      await options.prepare?.(first, name);
      const detectsDisconnects = await detectDisconnects(first);
      const settings = (role: Role) => settingsOf(role, detectsDisconnects);
      const sessions = {
        open: (role: Role, ms: number) => Connection.open(url, settings(role), ms),
        changeRole: (connection: Connection, role: Role, until: number) =>
          connection.replaceSettings(settings(role), {
            until: Math.min(until, performance.now() + CONNECT_MS),
          }),
      };
      await sessions.changeRole(first, 'writer', Infinity);
      const { connections = defaultConnections } = options;
      return new PostgresEngine<T>(name, sessions, {
        reads: { ...defaultLimits, ...options.limits },
        connections,
        first,
      });
    } catch (error) {
      await first.end();
      throw error;
    }
  } catch (error) {
    throw toOpenError(error, name);
  }
}

/**
 * Retries while the server reports that it is starting or has no room. Does not wait for an
 * unreachable server. In this case, the supervisor of this program must restart the program.
 */
async function retryWhileUnready<R>(onWait: OnWait | undefined, open: () => Promise<R>) {
  const until = performance.now() + START_MS;
  const reported = new Set<WaitReason>();
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const reason = waitReasonOf(error);
      if (onWait === undefined || reason === null || performance.now() >= until) throw error;
      if (!reported.has(reason)) onWait(reason);
      reported.add(reason);
      await setTimeout(START_RETRY_MS);
    }
  }
}

function waitReasonOf(error: unknown): WaitReason | null {
  if (isStarting(error)) return 'starting';
  return isAtConnectionLimit(error) ? 'full' : null;
}

class PostgresEngine<T> implements Engine<T> {
  readonly name: string;
  readonly read: Database<T>;
  readonly longRead: Database<T>;
  readonly single: Database<T>;
  readonly #lanes: { readonly quick: ReadLane; readonly long: ReadLane };
  readonly #pool: ConnectionPool;
  readonly #staging: Staging;
  readonly #writer: Writer<T>;
  #closing: Promise<void> | undefined;

  constructor(
    name: string,
    sessions: Sessions,
    {
      reads: limits,
      connections,
      first,
    }: { reads: ReadLimits; connections: number; first: Connection },
  ) {
    this.name = name;
    const pool = new ConnectionPool(connections, sessions);
    pool.add(first, 'writer');
    const sizes = laneSizes(connections);
    const laneOf = (role: Role, max: number) => new ConnectionLane(pool, role, max);
    const streams = laneOf('reader', sizes.streams);
    const clientMs = Math.min(CLIENT_MS, limits.waitMs, limits.longMs);
    this.#lanes = {
      quick: new ReadLane(laneOf('reader', sizes.quick), streams, {
        atOnce: sizes.quick,
        bounds: limits.quick,
        clientMs: Math.min(CLIENT_MS, limits.waitMs),
        ownMs: OWN_MS.quick,
        isLong: false,
      }),
      long: new ReadLane(laneOf('reader', sizes.long), streams, {
        atOnce: sizes.long,
        bounds: limits.long,
        clientMs,
        ownMs: OWN_MS.long,
        isLong: true,
      }),
    };
    this.#pool = pool;
    this.#staging = new Staging(() => pool.acquireForever('stager'));
    this.#writer = new Writer<T>({
      pool: laneOf('writer', sizes.writers),
      stagePool: laneOf('stager', sizes.stagers),
      staging: this.#staging,
    });
    this.read = databaseOver<T>(this.#lanes.quick);
    this.longRead = databaseOver<T>(this.#lanes.long);
    this.single = databaseOver<T>({
      query: (compiled) => this.#writer.single(compiled),
      stream: refuseStream,
      noTransaction: 'a single statement has no other one beside it',
    });
  }

  async write<R>(work: Work<R, T>, options: WriteOptions = {}): Promise<R> {
    this.#checkOpen();
    return this.#writer.write(leasedWork(reservedWork(work)), options);
  }

  async stage<R>(work: Work<R, T>, signal?: AbortSignal): Promise<R> {
    this.#checkOpen();
    return this.#writer.stage(work, signal);
  }

  /**
   * Does nothing, because the disk belongs to the server. The server itself reserves the space that
   * it needs.
   */
  async checkFreeSpace(): Promise<void> {}

  partMs() {
    return PART_MS;
  }

  async reserveSpace(): Promise<void> {
    this.#checkOpen();
  }

  /** Returns null, because only the server knows when other processes commit. */
  commits(): null {
    return null;
  }

  waiting() {
    return { read: this.#lanes.quick.waiting, longRead: this.#lanes.long.waiting };
  }

  async checkHealth(): Promise<void> {
    await this.read.selectNoFrom((is) => is.lit(1).as('one')).execute();
  }

  findFault(): Promise<string | null> {
    return findFault(this);
  }

  async checkWrites(): Promise<void> {
    await this.write(async (trx) => {
      // Writes an empty message, which no reader uses, to the write-ahead log.
      const { fn } = trx;
      await trx
        .selectNoFrom((is) =>
          fn<unknown>('pg_logical_emit_message', [is.lit(true), is.val('catalog'), is.val('')]).as(
            'at',
          ),
        )
        .execute();
    });
  }

  async copy(_file: string, _options?: CopyOptions): Promise<void> {
    this.#checkOpen();
    throw refused(`the database ${this.name} is no file: its rows are what is copied`);
  }

  snapshot<R>(
    work: (snapshot: Snapshot) => Promise<R>,
    whileLocked?: () => Promise<void>,
  ): Promise<R> {
    this.#checkOpen();
    const open = () => this.#pool.acquireForever('copier');
    return takeSnapshot({ name: this.name, open }, work, whileLocked);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve)); // lets started reads reach the lanes
    const { quick, long } = this.#lanes;
    await Promise.allSettled([this.#writer.whenIdle(), quick.close(), long.close()]);
    await this.#staging.close();
    await this.#pool.close();
  }

  #checkOpen(): void {
    if (this.#closing) throw new Error('the database is closed');
  }
}

/**
 * Reads all values of all tables, so that the server finds damaged pages. Returns the server's
 * error for the first damaged table, or null if no table is damaged.
 */
async function findFault<T>({ longRead: db }: { longRead: Database<T> }): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY relname`.execute(
    db,
  );
  for (const { name } of rows) {
    try {
      // Converts each row to text, which reads all values, including long values stored outside of
      // the row. Counting the rows would not read the values.
      await sql`SELECT max(length(CAST(${sql.table(name)} AS text))) FROM ${sql.table(name)}`.execute(
        db,
      );
    } catch (error) {
      if (error instanceof SqlError) return `${name}: ${error.message}`;
      throw error;
    }
  }
  return null;
}
