// This module runs on the database thread, which thread.ts starts. It executes the commands of the
// main thread one at a time.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { collectAtRest } from '../../../memory/collect-at-rest.ts';
import { Connection } from './connection.ts';
import { Cursors } from './cursors.ts';
import { IdleTransaction } from './idle-transaction.ts';
import { Interrupted, Interruption } from './interruption.ts';
import {
  type Command,
  type Failure,
  idleRollbackCode,
  type QueryReply,
  type Reply,
  type Request,
  type Role,
  type Statement,
} from './protocol.ts';

const BACKUP_PAGES_PER_STEP = 4096;

const interruption = new Interruption(workerData as SharedArrayBuffer);
let opened: { file: string; role: Role; cursors: Cursors } | undefined;
let connection: Connection | undefined;
let isBackupStopped = false; // set when the backup is no longer wanted
const idle = new IdleTransaction();
/**
 * How long the transaction may be idle before it is rolled back. `undone` means that the
 * transaction was rolled back because it was idle.
 */
let idlePolicy: 'briefly' | 'long' | 'undone' = 'long';
let isSuspect = false; // set after a disk failure; the connection is then reopened

collectAtRest(); // each thread has its own heap

const port = parentPort;
if (!port) throw new Error('worker.ts runs only as a worker thread');
port.on('message', (request: Request) => {
  if (request.op === 'backup') {
    void sendReplyLater(request.id, backup(request.to));
    return;
  }
  if (request.op === 'stop-backup') {
    isBackupStopped = true;
    return;
  }
  interruption.begin(request.id);
  idle.stop();
  try {
    sendReply({ id: request.id, value: execute(request) });
  } catch (error) {
    const failure = toFailure(error);
    if (request.op === 'bulk' && request.ends) tryRollback();
    sendReply({ id: request.id, failure });
  }
  if (request.op === 'close') port.close();
  else watchIdle();
});

function sendReply(reply: Reply): void {
  port?.postMessage(reply);
}

async function sendReplyLater(id: number, work: Promise<void>): Promise<void> {
  try {
    sendReply({ id, value: await work });
  } catch (error) {
    sendReply({ id, failure: toFailure(error) });
  }
}

function execute(command: Exclude<Command, { op: 'backup' | 'stop-backup' }>): unknown {
  switch (command.op) {
    case 'open':
      opened = { ...command, cursors: new Cursors(command.file, interruption) };
      current();
      return undefined;
    case 'query':
      checkNotRolledBack();
      return query(command, command.inLittleMemory);
    case 'queries':
      checkNotRolledBack();
      return command.statements.map((statement) => query(statement, command.inLittleMemory));
    case 'begin': {
      const gaveWay = current().begin(command.waitMs, command.part);
      idlePolicy = command.mayIdle ? 'long' : 'briefly';
      return gaveWay;
    }
    case 'single':
      return current().single(command.sql, command.params, command.waitMs);
    case 'rollback':
      return rollback();
    case 'keep-room':
      return current().reserveSpace(command.bytes);
    case 'bulk': {
      checkNotRolledBack();
      if (command.ends?.begins) current().query('begin', []);
      const changes = current().bulk(command.sql, command.rows);
      if (command.ends?.commits) current().query('commit', []);
      return changes;
    }
    case 'fetch':
      return opened?.cursors.fetch(command.cursor, command.sql, command.params);
    case 'drop':
      return opened?.cursors.drop(command.cursor);
    case 'fix-state':
      return fixState();
    case 'close':
      opened?.cursors.close();
      connection?.close();
      return undefined;
  }
}

function query({ sql, params }: Statement, inLittleMemory = false): QueryReply {
  return inLittleMemory ? current().queryInLittleMemory(sql, params) : current().query(sql, params);
}

function current(): Connection {
  if (!opened) throw new Error('the database thread got a command before "open"');
  connection ??= new Connection(opened.file, opened.role, interruption);
  return connection;
}

/**
 * Throws if the transaction was rolled back because it was idle. The remaining commands of the
 * transaction must not run outside of a transaction.
 */
function checkNotRolledBack(): void {
  if (idlePolicy === 'undone') throw new TransactionRolledBack();
}

function watchIdle(): void {
  if (idlePolicy !== 'briefly') return;
  if (connection?.database.inTransaction !== true) {
    idlePolicy = 'long';
    return;
  }
  idle.watch(connection, () => {
    idlePolicy = 'undone';
  });
}

function rollback(): void {
  idlePolicy = 'long';
  try {
    connection?.rollback();
  } catch (error) {
    isSuspect = true;
    throw error;
  } finally {
    // After a failed fsync, the operating system may have dropped pages that were not written. The
    // connection must therefore not be used again.
    if (isSuspect) {
      const broken = connection;
      connection = undefined;
      isSuspect = false;
      broken?.database.close();
    }
  }
}

function tryRollback(): void {
  try {
    rollback();
  } catch {
    // The connection is closed then. The caller gets the error of the command.
  }
}

/**
 * Begins a transaction that fixes the state of the database for this connection. Later writes do
 * not change this state until the backup ends.
 */
function fixState(): void {
  const { database } = current();
  database.exec('begin');
  // The first read of the transaction creates its snapshot.
  database.prepare('select count(*) from sqlite_schema').get();
}

/** Copies the database page by page to the file `to`. The state was fixed by `fixState`. */
async function backup(to: string): Promise<void> {
  const { database } = current();
  try {
    await database.backup(to, { progress: pagesOfNextStep });
  } finally {
    database.exec('rollback');
  }
  const copy = new Database(to);
  try {
    copy.pragma('journal_mode = delete'); // one file, also readable on read-only media
  } finally {
    copy.close();
  }
}

function pagesOfNextStep(): number {
  if (isBackupStopped) throw new Error('the backup was stopped');
  return BACKUP_PAGES_PER_STEP;
}

function toFailure(error: unknown): Failure {
  const code = codeOf(error);
  if (code?.startsWith('SQLITE_IOERR')) isSuspect = true;
  const message = error instanceof Error ? error.message : String(error);
  return { message, code, transactionEnded: connection?.database.inTransaction !== true };
}

class TransactionRolledBack extends Error {
  constructor() {
    super('the transaction stood still while others waited, and was undone');
  }
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof TransactionRolledBack) return idleRollbackCode;
  if (error instanceof Interrupted) return 'SQLITE_INTERRUPT';
  return error instanceof Database.SqliteError ? error.code : undefined;
}
