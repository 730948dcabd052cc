import { resolve } from 'node:path';
import { sql } from 'kysely';
import type { Database, ReadOnlyDatabase } from '../engine/engine.ts';
import type { Tables } from '../tables.ts';
import { databaseOver } from './database.ts';
import { SqlError, toOpenError } from './errors.ts';
import { findVersion } from './migrate.ts';
import { migrations } from './migrations/list.ts';
import { ReaderPool } from './threads/reader-pool.ts';
import { DatabaseThread } from './threads/thread.ts';

/**
 * Opens a database read-only. Throws refused() if the database cannot be read; the message names
 * the file.
 */
export async function openReadOnly(file: string): Promise<ReadOnlyDatabase> {
  const path = resolve(file);
  const explain = (error: unknown): never => {
    throw toOpenError(error, path);
  };
  const thread = await DatabaseThread.start(path, 'reader').catch(explain);
  const pool = new ReaderPool(thread);
  const read = databaseOver<Tables>(pool.lane('quick'));
  try {
    return {
      read,
      version: await findVersion<Tables>(read).catch(explain),
      knownVersion: migrations.length,
      checkIntegrity: () => checkIntegrity(read, path).catch(explain),
      close: () => pool.close(),
    };
  } catch (error) {
    await pool.close();
    throw error;
  }
}

async function checkIntegrity(read: Database<Tables>, path: string): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(read);
  const fault = rows[0]?.integrity_check;
  if (fault === 'ok') return;
  throw toOpenError(new SqlError(String(fault), 'SQLITE_CORRUPT'), path);
}
