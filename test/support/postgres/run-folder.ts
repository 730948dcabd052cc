import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of this run's servers. The servers end with the process `pid`. */
    postgres: { readonly folder: string; readonly pid: number };
  }
}

const prefix = 'catalog-postgres-';
const stopMs = 10_000;

/** Creates a folder for the servers of a run before all tests. Stops the servers afterwards. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await sweep();
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  await chmod(folder, 0o755);
  project.provide('postgres', { folder, pid: process.pid });
  return () => remove(folder);
}

/** Removes leftovers of test runs that were killed together with all their processes. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length).split('-')[0]);
    if (!isAlive(pid)) await remove(join(tmpdir(), name)).catch(() => undefined);
  }
}

async function remove(folder: string): Promise<void> {
  for (const version of readdirSync(folder)) await stop(join(folder, version, 'data'));
  await rm(folder, { recursive: true, force: true });
}

/** Stops a server immediately, without a checkpoint, by SIGQUIT (PostgreSQL 15, 19.5). */
async function stop(data: string): Promise<void> {
  const pid = Number(
    (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0],
  );
  if (!pid || !isServer(pid, data)) return;
  process.kill(pid, 'SIGQUIT');
  for (let waited = 0; isAlive(pid) && waited < stopMs; waited += 20) await setTimeout(20);
}

/** Returns true if the process is this server. The pid may belong to another process by now. */
function isServer(pid: number, data: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
