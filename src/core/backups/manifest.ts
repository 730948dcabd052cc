import { type BackupPart, backupParts } from './backup-parts.ts';

/**
 * Name of a backup's manifest, which is the second to last file of the backup. The manifest lists
 * the content of the backup as JSON Lines: one line about the whole backup, then one line for each
 * file.
 */
export const manifestName = 'manifest.jsonl';
/**
 * Name of the last file of a backup. It contains the SHA-256 of all preceding bytes, in the format
 * of `sha256sum`.
 */
export const sumName = 'SHA256SUM';
/** File name of the database, in a backup and in a data folder. */
export const databaseName = 'catalog.db';
/**
 * File name of the database in a backup when the database is on a server. The file contains the
 * rows of the database.
 */
export const rowsName = 'catalog.jsonl';

/** Returns true if the file of a backup is the database, which contains password hashes. */
export const isDatabase = (path: string) => path === databaseName || path === rowsName;

const formatVersion = 1;

/** One file of a backup, in the order of the backup. */
export interface BackupEntry {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /**
   * True if the entry is outdated and must not be restored: the copied database records another
   * version of the file, or no such file.
   */
  readonly isSuperseded?: true;
}

/** The first line of a backup's manifest. */
export interface BackupHead {
  /** Timestamp of the database state. */
  readonly madeAt: string;
  /** Version of the database's schema. */
  readonly schema: number;
  readonly parts: readonly BackupPart[];
  /** Number of file entries that follow this line. */
  readonly entries: number;
}

/** Yields the lines of a manifest, each with its line ending. */
export function* manifestLines(
  head: Omit<BackupHead, 'entries'>,
  entries: readonly BackupEntry[],
): Generator<string> {
  const { madeAt: made_at, schema, parts } = head;
  const first = { catalog_backup: formatVersion, made_at, schema, parts, entries: entries.length };
  yield `${JSON.stringify(first)}\n`;
  for (const { path, size, sha256, isSuperseded } of entries) {
    yield `${JSON.stringify({ path, size, sha256, superseded: isSuperseded })}\n`;
  }
}

/**
 * Parses the first line of a manifest. Returns null if the line is invalid or has another format
 * version.
 */
export function readHead(line: string): BackupHead | null {
  const { catalog_backup, made_at, schema, parts, entries } = objectOf(line);
  if (catalog_backup !== formatVersion || typeof made_at !== 'string') return null;
  if (!Number.isSafeInteger(schema) || !Number.isSafeInteger(entries)) return null;
  if (!Array.isArray(parts) || !parts.every((part) => backupParts.includes(part))) return null;
  return { madeAt: made_at, schema: Number(schema), parts, entries: Number(entries) };
}

/** Parses the line of one file. Returns null if the line is invalid. */
export function readEntry(line: string): BackupEntry | null {
  const { path, size, sha256, superseded } = objectOf(line);
  if (typeof path !== 'string' || typeof sha256 !== 'string') return null;
  if (!Number.isSafeInteger(size)) return null;
  const isSuperseded = superseded === true && ({ isSuperseded: true } as const);
  return { path, size: Number(size), sha256, ...isSuperseded };
}

function objectOf(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
