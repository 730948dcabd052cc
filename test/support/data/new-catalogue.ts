import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../../src/sql/engine/open.ts';
import { programFile } from '../program-file.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the folder that `setUp` created. */
    newCatalogues: string;
  }
}

const DATABASE = 'catalog.db';
const run = promisify(execFile);

/**
 * Creates the initial databases once for all tests. Creating the tables in each test would take
 * longer than most tests.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-new-'));
  await chmod(folder, 0o755); // tests read below it as a user who is not root
  await (await openDatabase(join(folder, DATABASE))).close();
  await makeWithAdmin(join(folder, 'with-admin'));
  project.provide('newCatalogues', folder);
  return () => rm(folder, { recursive: true, force: true });
}

/**
 * Copies the database of a new catalogue without accounts to `file`. Creates the folder of `file`.
 */
export async function placeDatabase(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await copyFile(join(inject('newCatalogues'), DATABASE), file);
}

/**
 * Copies the data folder of a new catalogue to `data`. The only account is the admin `first` with
 * the password `first`.
 */
export async function placeDataFolder(data: string): Promise<void> {
  await cp(join(inject('newCatalogues'), 'with-admin'), data, { recursive: true });
}

async function makeWithAdmin(data: string): Promise<void> {
  const args = ['users', 'add', 'first', '--role', 'admin', '--password-stdin', '--data', data];
  const running = run(process.execPath, [programFile, ...args]);
  running.child.stdin?.end('first\n');
  await running;
}
