import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { ExportMember, WriteExport, ZipExport } from '../../core/exports/ports.ts';
import { refused } from '../../core/shared/errors.ts';
import { withPathInErrors, writeAtomically } from '../backups/write-atomically.ts';
import { codeOf } from '../local/disk-error.ts';

/**
 * Returns an implementation of `WriteExport`. A zip file must not exist yet, and gets its name only
 * when it is complete. A folder must be empty or missing, so that no file is replaced. After a
 * failure, the folder is empty again.
 */
export function createWriteExport(zip: ZipExport): WriteExport {
  return (members, out, signal) => {
    const isZip = /\.zip$/i.test(out);
    return isZip ? writeZipFile(zip, members, out, signal) : writeFolder(members, out, signal);
  };
}

async function writeZipFile(
  zip: ZipExport,
  members: AsyncIterable<ExportMember>,
  out: string,
  signal: AbortSignal,
): Promise<number> {
  let files = 0;
  async function* counted() {
    for await (const member of members) {
      files += 1;
      yield member;
    }
  }
  async function write({ path }: { path: string }): Promise<void> {
    // `flush` syncs the file before it is closed.
    const target = createWriteStream(path, { flags: 'wx', flush: true });
    await withPathInErrors(out, () => fill(target, zip(counted()), signal));
  }
  try {
    await writeAtomically(out, write, 'export');
  } catch (error) {
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
  /** The names in `out`. The folder was empty, so all of them are new. */
  const names = new Set<string>();
  try {
    for await (const { path, content } of members) {
      signal.throwIfAborted();
      const parts = path.split('/');
      const file = join(out, ...parts);
      names.add(parts[0] ?? '');
      await withPathInErrors(file, async () => {
        await mkdir(dirname(file), { recursive: true });
        const target = createWriteStream(file, { flags: 'wx' });
        await fill(target, Readable.from(content, { objectMode: false }), signal);
      });
      files += 1;
    }
  } catch (error) {
    // Empty the folder again, so that the export can be repeated.
    for (const name of names) {
      await rm(join(out, name), { recursive: true, force: true }).catch(() => undefined);
    }
    throw error;
  }
  return files;
}

/**
 * Writes all bytes of a source to a file. Resolves or rejects only when the file is closed. If the
 * source fails, a pipeline alone may reject before the file is opened. Then the file would appear
 * after its removal.
 */
export async function fill(
  target: WriteStream,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await pipeline(source, target, { signal });
  } finally {
    await finished(target).catch(() => {}); // the pipeline's error is thrown
  }
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
