import type { FoundFile, IdentifiedFile, LibraryRoot } from './library-file.ts';
import { mapAtMost } from './map-at-most.ts';
import { matchFiles } from './match-files.ts';
import type { Disk, LibraryRecords } from './ports.ts';
import type { ScanOptions } from './scan-report.ts';
import type { Troubles } from './troubles.ts';

/** Files that are stored together: what a stop can lose at most is that much reading of headers. */
const filesPerBatch = 50;
/** Headers that are read at a time. */
const readsAtOnce = 8;

/** The first pass: what each file says it is, stored as it is found. Returns how many were opened. */
export async function identifyFiles(
  changed: readonly { root: LibraryRoot; files: readonly FoundFile[] }[],
  parts: { disk: Disk; records: LibraryRecords; troubles: Troubles },
  { signal, onProgress }: Pick<ScanOptions, 'signal' | 'onProgress'>,
): Promise<number> {
  const all = changed.flatMap(({ files }) => files);
  const bytes = sumOf(all);
  let bytesDone = 0;
  let filesDone = 0;
  for (const { root, files } of changed) {
    for (let start = 0; start < files.length; start += filesPerBatch) {
      signal.throwIfAborted();
      const batch = files.slice(start, start + filesPerBatch);
      const identified = await mapAtMost(readsAtOnce, batch, (file) => identify(file, parts));
      const readable = identified.filter((file) => file !== null);
      const withHashes = await withStoredHashes(parts.records, root, readable);
      await parts.records.save(root, await matchFiles(parts.records, withHashes));
      filesDone += batch.length;
      bytesDone += sumOf(batch);
      const file = batch.at(-1)?.path ?? '';
      onProgress({ phase: 'identify', files: all.length, filesDone, bytes, bytesDone, file });
    }
  }
  return filesDone;
}

async function identify(
  file: FoundFile,
  { disk, troubles }: { disk: Disk; troubles: Troubles },
): Promise<IdentifiedFile | null> {
  try {
    const identity = await disk.identify(file.path);
    if (identity.problem !== null) troubles.addDamaged(file.path, identity.problem);
    return { ...file, identity, hashes: null };
  } catch (error) {
    troubles.addUnreadable(file.path, (error as Error).message);
    return null;
  }
}

/** A hash made for the same size and time stays valid. */
async function withStoredHashes(
  records: LibraryRecords,
  root: LibraryRoot,
  files: readonly IdentifiedFile[],
): Promise<IdentifiedFile[]> {
  const stored = await records.filesAt(
    root,
    files.map((file) => file.path),
  );
  const byPath = new Map(stored.map((file) => [file.path, file]));
  return files.map((file) => {
    const old = byPath.get(file.path);
    const isSame = old?.size === file.size && old.mtimeNs === file.mtimeNs;
    return isSame ? { ...file, hashes: old.hashes } : file;
  });
}

function sumOf(files: readonly FoundFile[]): number {
  return files.reduce((sum, file) => sum + file.size, 0);
}
