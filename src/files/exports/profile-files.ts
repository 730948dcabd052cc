import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProfileFile } from '../../core/exports/profiles/profiles.ts';
import { isSystemError, systemReason } from '../../core/shared/system-reason.ts';
import { codeOf } from '../local/disk-error.ts';

/** Maximum size of a profile, in bytes. */
const maxBytes = 1_048_576;
const maxProfiles = 200;

/** The folder with the profiles of the program, both in a clone and in an installed package. */
const shipped = fileURLToPath(new URL('../../../profiles', import.meta.url));

/** Reads the profiles that come with the program, then those in the folder `own`, if it exists. */
export async function readProfileFiles(own: string): Promise<ProfileFile[]> {
  return [...(await profilesIn(shipped, false)), ...(await profilesIn(own, true))];
}

async function profilesIn(folder: string, isOwn: boolean): Promise<ProfileFile[]> {
  const names = await readdir(folder).catch((error) => {
    if (isOwn && ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return [];
    throw error;
  });
  const profiles = names.filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    profiles.slice(0, maxProfiles).map(async (name) => {
      const path = join(folder, name);
      return { id: name.slice(0, -'.json'.length), path, isOwn, content: await read(path) };
    }),
  );
}

async function read(path: string): Promise<ProfileFile['content']> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) return { problem: `it is larger than ${maxBytes} bytes` };
    return { text: await readFile(path, 'utf8') };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { problem: `it cannot be read: ${systemReason(error)}` };
  }
}
