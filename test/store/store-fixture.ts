import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, vi } from 'vitest';
import type { FileChange } from '../../src/core/shared/files/file-change.ts';
import type { ArchiveChange } from '../../src/core/store/ports.ts';
import { type CoversFixture, chunks, useCatalog } from '../covers/covers-fixture.ts';
import type { DatGame } from '../support/data/dats.ts';
import { pollOptions } from '../support/poll-options.ts';

export const actor = { kind: 'cli', username: 'tester' } as const;

const host = hostname().replace(/[^\w-]/g, '-');
/**
 * Return owner marks: `deadOwner` of a process that has ended, `liveOwner` of a running process.
 */
export const deadOwner = () => `${host}.${spawnSync('true').pid}.${randomUUID()}`;
export const liveOwner = () => `${host}.1.${randomUUID()}`;

export const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

export interface StoredRow {
  readonly area: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export interface StoreFixture extends CoversFixture {
  /** A separate connection to the database, as if from another process. */
  readonly db: Database.Database;
  /** Stores an archive in the area `games`. */
  save(name: string, text: string): Promise<unknown>;
  /** Returns the text of an archive in the area `games`, or null if it does not exist. */
  archive(name: string): Promise<string | null>;
  /** Returns the rows of the stored files. */
  rows(): StoredRow[];
  /** Returns the fields of `rows`, read from the files on disk. */
  filesOnDisk(): Promise<StoredRow[]>;
  /** Returns the targets that are currently reserved. */
  reserved(): string[];
  /** Waits until no target is reserved. */
  settled(): Promise<void>;
  /** Returns the audited actions, in order. */
  audit(): string[];
  /** Reserves the target of a change for an owner. */
  reserve(change: FileChange, owner: string, reservedAt?: string): void;
}

/** Opens a catalogue with these games. Gives tests direct access to its database and files. */
export async function useStore(
  games: readonly (string | DatGame)[] = [],
  given?: string,
): Promise<StoreFixture> {
  const fixture = await useCatalog(games, given === undefined ? {} : { data: given });
  const { catalog, data } = fixture;
  const db = new Database(join(data, 'catalog.db'));
  onTestFinished(() => void db.close());
  const reserved = () =>
    db.prepare('SELECT target FROM file_reservation').pluck().all() as string[];
  return {
    ...fixture,
    db,
    reserved,
    async save(name, text) {
      const staged = await catalog.store.stage('games', chunks(Buffer.from(text)));
      return catalog.store.save('games', name, staged, actor);
    },
    archive: (name) => readFile(join(data, 'store/games', name), 'utf8').catch(() => null),
    rows: () =>
      db
        .prepare('SELECT area, name, size, sha256 FROM stored_file ORDER BY area, name')
        .all() as StoredRow[],
    async filesOnDisk() {
      const rows: StoredRow[] = [];
      for (const [area, folder] of Object.entries({ covers: 'covers', games: 'store/games' })) {
        const names = await readdir(join(data, folder)).catch(() => []);
        for (const name of names.sort()) {
          // A sweep may remove a file after the file was listed.
          const bytes = await readFile(join(data, folder, name)).catch(nullIfGone);
          if (bytes === null) continue;
          rows.push({ area, name, size: bytes.length, sha256: sha256(bytes) });
        }
      }
      return rows;
    },
    async settled() {
      await vi.waitFor(() => expect(reserved()).toEqual([]), pollOptions);
    },
    audit: () =>
      db
        .prepare(`SELECT action FROM audit WHERE target GLOB '[sc]*/*' ORDER BY id`)
        .pluck()
        .all() as string[],
    reserve(change, owner, reservedAt = new Date().toISOString()) {
      db.prepare(
        `INSERT INTO file_reservation (target, area, owner, reserved_at, actor, change)
        VALUES (?, ?, ?, ?, ?, ?)`,
      ).run(
        change.target,
        change.area,
        owner,
        reservedAt,
        JSON.stringify(actor),
        JSON.stringify(change),
      );
    },
  };
}

/** Returns the change for an upload of an archive, as it is reserved. */
export function uploadOf(name: string, text: string): ArchiveChange {
  const file = { name, size: Buffer.byteLength(text), sha256: sha256(text) };
  return { target: `store/games/${name}`, area: 'games', file, gone: [] };
}

export function removalOf(name: string): ArchiveChange {
  return { target: `store/games/${name}`, area: 'games', file: null, gone: [name] };
}

function nullIfGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
