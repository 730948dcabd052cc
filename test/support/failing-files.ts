import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';

type Call = (...args: unknown[]) => Promise<unknown>;
const names = ['link', 'lstat', 'mkdir', 'open', 'rename', 'rm', 'stat', 'unlink', 'utimes'];

/** Records the file system calls below a folder while some of them fail. */
export interface FailingFiles {
  /** Names of the calls so far, in order. */
  readonly calls: string[];
  /** Restores the original functions of the file system. */
  restore(): void;
}

const syncNames = ['sync', 'datasync'] as const;

/**
 * Makes calls of `node:fs/promises` below `folder` fail with EIO in this process, including fsync
 * of files that were opened there. `fails` selects the calls by number, counted from 1, and by
 * name.
 */
export async function failFiles(
  folder: string,
  fails: (at: number, call: string) => boolean,
): Promise<FailingFiles> {
  const promises = fs.promises as unknown as Record<string, Call>;
  const originals = new Map(names.map((name) => [name, promises[name] as Call]));
  const handle = await fs.promises.open(folder);
  const handles = Object.getPrototypeOf(handle) as Record<(typeof syncNames)[number], Call>;
  await handle.close();
  const { sync, datasync } = handles;
  const calls: string[] = [];
  const opened = new WeakSet<object>();
  const recordCall = (name: string) => {
    calls.push(name);
    if (fails(calls.length, name)) throw Object.assign(new Error(`EIO: ${name}`), { code: 'EIO' });
  };
  for (const [name, original] of originals) {
    promises[name] = async (...args) => {
      const isBelow = resolve(String(args[0])).startsWith(resolve(folder));
      if (isBelow) recordCall(name);
      const result = await original(...args);
      if (isBelow && name === 'open') opened.add(result as object);
      return result;
    };
  }
  for (const name of syncNames) {
    const original = handles[name];
    handles[name] = async function failingSync(this: object) {
      if (opened.has(this)) recordCall(name);
      return original.call(this);
    };
  }
  syncBuiltinESMExports();
  return {
    calls,
    restore() {
      for (const [name, original] of originals) promises[name] = original;
      Object.assign(handles, { sync, datasync });
      syncBuiltinESMExports();
    },
  };
}
