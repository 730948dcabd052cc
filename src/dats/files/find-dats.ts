import { createReadStream } from 'node:fs';
import { open, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportFile } from '../../core/imports/ports.ts';
import { refused } from '../../core/shared/errors.ts';
import { compareByCodePoint } from '../../core/shared/text.ts';
import { isZip, looksLikeDat } from './recognise.ts';
import { unreadable } from './unreadable.ts';
import { datsInZip } from './zip.ts';

/**
 * Maximum depth of nested folders to search. Deeper folders are ignored, because such a depth can
 * only be a mistake.
 */
const maxDepth = 32;

/**
 * Returns the DAT files at `paths`, in the order of `paths`. Files in a folder are sorted by name.
 *
 * A file in `paths` that is not a zip is always returned. A file inside a folder or zip is returned
 * only if its content or its name looks like a DAT. For a path that is unreadable or contains no
 * DAT, the result contains a file that throws an error when it is read. The import then reports
 * this error like the errors of other files.
 */
export async function findDats(paths: readonly string[]): Promise<ImportFile[]> {
  const found: ImportFile[] = [];
  for (const path of paths) {
    const before = found.length;
    const info = await stat(path).catch(() => null);
    if (info?.isDirectory()) await findInFolder(path, found, 0);
    else if (info === null || info.isFile()) await takeFile(path, info?.size ?? 0, found, true);
    else found.push(unreadable(path, refused('it is neither a file nor a folder')));
    if (found.length === before) found.push(unreadable(path, refused('there is no DAT in it')));
  }
  return found;
}

async function findInFolder(folder: string, found: ImportFile[], depth: number): Promise<void> {
  if (depth > maxDepth) return;
  const entries = [];
  try {
    for await (const entry of await opendir(folder)) entries.push(entry);
  } catch (error) {
    found.push(unreadable(folder, error));
    return;
  }
  entries.sort((a, b) => compareByCodePoint(a.name, b.name));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    // Symbolic links to folders are skipped, because they may form a cycle. Links to files are
    // followed.
    if (entry.isDirectory()) await findInFolder(path, found, depth + 1);
    else if (entry.isFile() || entry.isSymbolicLink()) {
      const info = await stat(path).catch(() => null);
      if (info?.isFile()) await takeFile(path, info.size, found, false);
    }
  }
}

async function takeFile(
  path: string,
  size: number,
  found: ImportFile[],
  wasNamed: boolean,
): Promise<void> {
  let head: Buffer;
  try {
    head = await readHead(path);
  } catch (error) {
    found.push(unreadable(path, error));
    return;
  }
  if (isZip(head)) found.push(...(await datsInZip(path)));
  else if (wasNamed || looksLikeDat(path, head)) {
    found.push({ path, size, read: () => createReadStream(path) });
  }
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(1024);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
