import type { CompiledQuery, QueryResult } from 'kysely';
import type { Bulk } from '../../engine/engine.ts';
import type { Target } from '../../engine/target-driver.ts';
import type { BulkStatements } from '../bulk.ts';
import { toResult } from '../database.ts';
import { CommitLost, ConnectionLost, SqlError } from '../errors.ts';
import type { Connection, Patience } from './connection.ts';

/**
 * The handle that is passed to the work of write(). The handle can be used until the work returns.
 */
export class WriteHandle implements Target, Bulk {
  readonly noTransaction = 'write() is the transaction: another one cannot be opened inside';
  readonly stream = refuseStream;
  readonly #connection: Connection;
  readonly #bulks: BulkStatements;
  readonly #patience: () => Patience;
  #isOver = false;
  /**
   * Settles when the previous statement has its reply. The next statement waits for this promise,
   * because a connection runs one statement at a time.
   */
  #last: Promise<unknown> = Promise.resolve();
  /**
   * The error that made the transaction fail. The server then accepts no further statement in the
   * transaction.
   */
  failure: unknown;

  /** `patience` is called when a statement begins, and returns the limits of that statement. */
  constructor(connection: Connection, bulks: BulkStatements, patience: () => Patience) {
    this.#connection = connection;
    this.#bulks = bulks;
    this.#patience = patience;
  }

  async query<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return toResult<R>(
      await this.#enqueue(() => this.#connection.query(sql, parameters, this.#patience())),
    );
  }

  run(statement: string, rows: readonly (readonly unknown[])[]): Promise<number> {
    return this.#enqueue(() =>
      this.#bulks.run(this.#connection, statement, rows, () => this.#patience()),
    );
  }

  /**
   * Commits the transaction. If a statement of the transaction failed, throws the error of that
   * statement. The server would otherwise roll back without reporting an error.
   */
  async commit(): Promise<void> {
    const committed = this.#enqueue(() =>
      this.#connection.run('COMMIT', this.#patience()).catch((error: unknown) => {
        throw error instanceof ConnectionLost ? new CommitLost(error.message, error) : error;
      }),
    );
    this.#isOver = true;
    if ((await committed) !== 'COMMIT') throw new Error('the transaction was rolled back');
  }

  async rollback(): Promise<void> {
    this.#isOver = true;
    await this.#last.catch(() => undefined);
    if (this.#connection.isLost) return;
    // The original error is thrown by the caller. If ROLLBACK fails, the connection is not used
    // again.
    await this.#connection
      .run('ROLLBACK', this.#patience())
      .catch(() => this.#connection.destroy());
  }

  /**
   * True if the transaction failed because the server accepts only reads. This happens, for
   * example, after a read-only server has replaced the original one.
   */
  get isReadOnly(): boolean {
    return this.failure instanceof SqlError && this.failure.code === '25006';
  }

  #enqueue<A>(run: () => Promise<A>): Promise<A> {
    if (this.#isOver) {
      return Promise.reject(
        new Error('the transaction has ended: await every query inside write()'),
      );
    }
    const result = this.#last.then(async () => {
      if (this.failure) throw this.failure;
      try {
        return await run();
      } catch (error) {
        this.failure = error;
        throw error;
      }
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}

// biome-ignore lint/correctness/useYield: it throws before it could yield
export async function* refuseStream(): AsyncGenerator<never> {
  throw new Error('stream() is had on the read handle only');
}
