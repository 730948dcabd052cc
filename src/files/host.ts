import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { refused } from '../core/shared/errors.ts';
import { isSystemError, systemReason } from '../core/shared/system-reason.ts';
import { codeOf, isLinkUnsupported } from './local/disk-error.ts';
import { syncFolder } from './local/durable.ts';
import { ownerMark } from './process-mark.ts';

const HOST = /^[\w-]{1,63}\.[0-9a-f]{16}$/;

/**
 * Returns the name of the host that a data folder is on. The name is stored in the folder's file
 * `host`, which is created if missing. The name consists of the system's host name and a random
 * number, because two systems may have the same host name. All processes on one data folder get the
 * same name. A folder restored from a backup gets another name. Throws refused() if the file does
 * not contain a host name.
 */
export async function ensureHost(data: string): Promise<string> {
  const known = await findHost(data);
  if (known !== null) return known;
  const tmp = join(data, 'tmp');
  await mkdir(tmp, { recursive: true });
  const own = join(tmp, ownerMark());
  try {
    await write(own, `${systemName()}.${randomBytes(8).toString('hex')}\n`);
    // If several processes start at once, the first `link` succeeds and the others fail with
    // EEXIST.
    await link(own, fileOf(data)).catch((error: unknown) => {
      if (codeOf(error) === 'EEXIST') return;
      if (!isLinkUnsupported(error)) throw error;
      return rename(own, fileOf(data));
    });
    await syncFolder(data);
  } finally {
    await rm(own, { force: true });
  }
  return (await findHost(data)) ?? '';
}

/**
 * Returns the name of the data folder's host, or null if the file `host` does not exist yet. Throws
 * refused() if the file is unreadable or contains no host name.
 */
export async function findHost(data: string): Promise<string | null> {
  const text = await readFile(fileOf(data), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    if (!isSystemError(error)) throw error;
    throw refused(`${fileOf(data)} cannot be read: ${systemReason(error)}; move it away`, error);
  });
  if (text === null || HOST.test(text.trim())) return text?.trim() ?? null;
  throw refused(
    `${fileOf(data)} does not contain the name of a host: remove it, and take the library roots over with "catalog scan --take-over"`,
  );
}

/**
 * Copies the content of the file `host` from the data folder `data` to the data folder `to`.
 * Library roots belong to the host with that name, so processes on `to` then own them. Does nothing
 * if `data` has no such file, or if `to` already has one.
 */
export async function copyHost(data: string, to: string): Promise<void> {
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
