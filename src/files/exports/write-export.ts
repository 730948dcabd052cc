import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExportMember, WriteExport } from '../../core/exports/ports.ts';
import { refused } from '../../core/shared/errors.ts';
import { withPathInErrors } from '../backups/write-atomically.ts';
import { codeOf } from '../local/disk-error.ts';
import { ownerMark } from '../process-mark.ts';
import { exportZip } from './export-zip.ts';

/**
 * Implements `WriteExport`. A zip gets its name only when it is complete. A folder must be empty or
 * missing, so that nothing in it is replaced.
 */
export const writeExport: WriteExport = (members, out, signal) =>
  /\.zip$/i.test(out) ? writeZipFile(members, out, signal) : writeFolder(members, out, signal);

async function writeZipFile(
  members: AsyncIterable<ExportMember>,
  out: string,
  signal: AbortSignal,
): Promise<number> {
  const unfinished = join(dirname(resolve(out)), `.catalog-${ownerMark()}.tmp`);
  let files = 0;
  async function* counted() {
    for await (const member of members) {
      files += 1;
      yield member;
    }
  }
  try {
    const target = createWriteStream(unfinished, { flags: 'wx' });
    await withPathInErrors(out, () => pipeline(exportZip(counted()), target, { signal }));
    await withPathInErrors(out, () => rename(unfinished, out));
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    signal.throwIfAborted();
    throw error;
  }
  return files;
}

async function writeFolder(
  members: AsyncIterable<ExportMember>,
  out: string,
  signal: AbortSignal,
): Promise<number> {
  await refuseUsed(out);
  let files = 0;
  for await (const { path, content } of members) {
    signal.throwIfAborted();
    const file = join(out, ...path.split('/'));
    await withPathInErrors(file, async () => {
      await mkdir(dirname(file), { recursive: true });
      await pipeline(Readable.from(content, { objectMode: false }), createWriteStream(file), {
        signal,
      });
    });
    files += 1;
  }
  return files;
}

async function refuseUsed(folder: string): Promise<void> {
  const names = await withPathInErrors(folder, () =>
    readdir(folder).catch((error) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }),
  );
  if (names.length > 0) {
    throw refused(`${folder} is not empty: choose an empty folder, or a file that ends in .zip`);
  }
}
