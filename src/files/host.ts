import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { refused } from '../core/shared/errors.ts';
import { isSystemError, systemReason } from '../core/shared/system-reason.ts';
import { codeOf, knowsNoLinks } from './disk-error.ts';
import { syncFolder } from './durable.ts';
import { ownerMark } from './owner.ts';

const HOST = /^[\w-]{1,63}\.[0-9a-f]{16}$/;

/**
 * The name of the host that a data folder is on, from its file `host`, which is made where it is missing: what the system
 * calls it, for people, and a random number, because systems may be called alike. All processes on one data folder have the
 * same; a folder that was made of a backup gets another. Throws refused() when the file holds something else.
 */
export async function hostOf(data: string): Promise<string> {
  const known = await findHost(data);
  if (known !== null) return known;
  const tmp = join(data, 'tmp');
  await mkdir(tmp, { recursive: true });
  const own = join(tmp, ownerMark());
  try {
    await write(own, `${systemName()}.${randomBytes(8).toString('hex')}\n`);
    // Of several that start at once the first one's stays.
    await link(own, fileOf(data)).catch((error: unknown) => {
      if (codeOf(error) === 'EEXIST') return;
      if (!knowsNoLinks(error)) throw error;
      return rename(own, fileOf(data));
    });
    await syncFolder(data);
  } finally {
    await rm(own, { force: true });
  }
  return (await findHost(data)) ?? '';
}

/** The same, null where no process has asked for it yet. */
export async function findHost(data: string): Promise<string | null> {
  const text = await readFile(fileOf(data), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    if (!isSystemError(error)) throw error;
    throw refused(`${fileOf(data)} cannot be read: ${systemReason(error)}; move it away`, error);
  });
  if (text === null || HOST.test(text.trim())) return text?.trim() ?? null;
  throw refused(
    `${fileOf(data)} does not hold the name of a host: remove it, and take the library roots over with "catalog scan --take-over"`,
  );
}

/** Gives another data folder the name of this one, if it has any: the library roots are its own then. */
export async function handOnHost(data: string, to: string): Promise<void> {
  const name = await findHost(data);
  if (name !== null && (await findHost(to)) === null) await write(fileOf(to), `${name}\n`);
}

const fileOf = (data: string) => join(data, 'host');

const systemName = () =>
  hostname()
    .replace(/[^\w-]/g, '-')
    .slice(0, 63) || '-';

async function write(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
