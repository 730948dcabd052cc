import type { IdentifiedFile, LibraryRoot } from './library-file.ts';
import { mapAtMost } from './map-at-most.ts';
import { matchFiles } from './match-files.ts';
import type { Disk, LibraryRecords } from './ports.ts';
import type { ScanOptions } from './scan-report.ts';
import type { Troubles } from './troubles.ts';

const filesPerPage = 1000;

/** The second pass: the hashes of files that have none, or with `full` of all. Returns how many were made. */
export async function hashFiles(
  roots: readonly LibraryRoot[],
  parts: { disk: Disk; records: LibraryRecords; troubles: Troubles },
  { full, jobs, signal, onProgress }: ScanOptions,
): Promise<number> {
  const { disk, records, troubles } = parts;
  const waiting = await listWaiting(roots, parts, full);
  const files = waiting.length;
  const bytes = waiting.reduce((sum, { file }) => sum + bytesToRead(file), 0);
  let bytesDone = 0;
  let filesDone = 0;
  let hashed = 0;
  await mapAtMost(jobs, waiting, async ({ root, file }) => {
    signal.throwIfAborted();
    const tell = (more: number) => {
      bytesDone += more;
      onProgress({ phase: 'hash', files, filesDone, bytes, bytesDone, file: file.path });
    };
    let told = 0;
    const onBytes = (count: number) => {
      told += count;
      tell(count);
    };
    try {
      const hashes = await disk.hash(file.path, file.identity, { signal, onBytes });
      await records.save(root, await matchFiles(records, [{ ...file, hashes }]));
      hashed += 1;
    } catch (error) {
      signal.throwIfAborted();
      const { message } = error as Error;
      troubles.addUnreadable(file.path, message);
      if (!isOfTheDisk(message)) await rememberProblem(root, file, message, records);
    }
    filesDone += 1;
    tell(bytesToRead(file) - told);
  });
  return hashed;
}

async function listWaiting(
  roots: readonly LibraryRoot[],
  { records, troubles }: { records: LibraryRecords; troubles: Troubles },
  full: boolean,
): Promise<{ root: LibraryRoot; file: IdentifiedFile }[]> {
  const waiting: { root: LibraryRoot; file: IdentifiedFile }[] = [];
  for (const root of roots) {
    for (let after = ''; ; ) {
      const page = await records.filesAfter(root, after, filesPerPage, { onlyUnhashed: !full });
      if (page.length === 0) break;
      const readable = page.filter((file) => {
        return !troubles.isUnreadable(file.path) && (full || !isKnownDamaged(file));
      });
      waiting.push(...readable.map((file) => ({ root, file })));
      after = page.at(-1)?.path ?? '';
    }
  }
  return waiting;
}

const packed: readonly string[] = ['cso', 'zso', 'dax', 'zip'];

/** A damaged container cannot be unpacked the next time either: until it changes, it is left alone. */
function isKnownDamaged({ identity }: IdentifiedFile): boolean {
  return packed.includes(identity.container) && identity.problem !== null;
}

/** Errors of the system begin with their code (`EIO: i/o error`); the next scan tries again. */
function isOfTheDisk(message: string): boolean {
  return /^E[A-Z0-9]+: /.test(message);
}

async function rememberProblem(
  root: LibraryRoot,
  file: IdentifiedFile,
  problem: string,
  records: LibraryRecords,
): Promise<void> {
  const identity = { ...file.identity, problem };
  await records.save(root, await matchFiles(records, [{ ...file, identity }]));
}

/** What is hashed: of a packed image that inside, else the file. */
function bytesToRead({ identity, size }: IdentifiedFile): number {
  return packed.includes(identity.container) ? (identity.imageSize ?? size) : size;
}
