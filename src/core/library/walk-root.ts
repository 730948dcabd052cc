import type { FoundFile, KnownFile, LibraryRoot } from './library-file.ts';
import type { Disk, LibraryRecords } from './ports.ts';
import type { Trouble } from './scan-report.ts';

/** What lies below a root, and what was known of it. */
export interface WalkedRoot {
  readonly root: LibraryRoot;
  /** Why nothing below the root can be trusted, or null. */
  readonly problem: string | null;
  readonly found: readonly FoundFile[];
  /** By path. */
  readonly known: ReadonlyMap<string, KnownFile>;
  readonly unreadable: readonly Trouble[];
}

/** Walks a root; opens no file and changes nothing. Throws the signal's reason when it is aborted. */
export async function walkRoot(
  root: LibraryRoot,
  parts: { disk: Disk; records: LibraryRecords; signal: AbortSignal },
): Promise<WalkedRoot> {
  const [known, { found, unreadable, problem }] = await Promise.all([
    parts.records.knownFiles(root),
    walk(root, parts.disk, parts.signal),
  ]);
  // An empty mount point looks like a folder from which everything was deleted.
  const isEmptied = found.length === 0 && known.size > 0;
  const emptied = isEmptied ? 'it is empty, although files were known below it' : null;
  return { root, problem: problem ?? emptied, found, known, unreadable };
}

async function walk(root: LibraryRoot, disk: Disk, signal: AbortSignal) {
  const found: FoundFile[] = [];
  const unreadable: Trouble[] = [];
  let problem: string | null = null;
  try {
    const onUnreadable = (path: string, reason: string) => unreadable.push({ path, reason });
    for await (const batch of disk.walk(root.path, onUnreadable)) {
      signal.throwIfAborted();
      found.push(...batch);
    }
  } catch (error) {
    signal.throwIfAborted();
    problem = reasonOf(error);
  }
  return { found, unreadable, problem };
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EACCES') return 'it may not be read (permission denied)';
  if (code === 'ENOTDIR') return 'it is no folder';
  return message;
}
