import type { FoundFile, KnownFile, LibraryRoot } from './library-file.ts';
import type { Disk, LibraryRecords } from './ports.ts';

/** What a walk says of a root compared with what was known. */
export interface RootChanges {
  readonly root: LibraryRoot;
  /** Why nothing below the root can be trusted, or null; nothing is deleted then. */
  readonly problem: string | null;
  readonly files: number;
  readonly bytes: number;
  /** New, or of another size or time. */
  readonly changed: readonly FoundFile[];
  readonly moved: readonly { id: number; to: FoundFile }[];
  readonly gone: readonly KnownFile[];
  readonly unreadable: readonly { path: string; reason: string }[];
}

/** Walks a root and compares it with what is known; changes nothing. `full` counts every file as changed. */
export async function walkRoot(
  root: LibraryRoot,
  parts: { disk: Disk; records: LibraryRecords; full: boolean; signal: AbortSignal },
): Promise<RootChanges> {
  const known = await parts.records.knownFiles(root);
  const unreadable: { path: string; reason: string }[] = [];
  const changed: FoundFile[] = [];
  let files = 0;
  let bytes = 0;
  let problem: string | null = null;
  const missing = new Map(known);
  try {
    const onUnreadable = (path: string, reason: string) => unreadable.push({ path, reason });
    for await (const batch of parts.disk.walk(root.path, onUnreadable)) {
      parts.signal.throwIfAborted();
      for (const file of batch) {
        files += 1;
        bytes += file.size;
        const earlier = known.get(file.path);
        missing.delete(file.path);
        if (parts.full || earlier === undefined || !isUnchanged(earlier, file)) changed.push(file);
      }
    }
  } catch (error) {
    parts.signal.throwIfAborted();
    problem = reasonOf(error);
  }
  // An empty mount point looks like a folder from which everything was deleted.
  if (files === 0 && known.size > 0) problem ??= 'it is empty, although files were known below it';
  if (problem !== null) {
    return { root, problem, files: 0, bytes: 0, changed: [], moved: [], gone: [], unreadable };
  }
  // What lies below a folder that could not be read is not gone.
  const gone = [...missing.values()].filter((file) => !isBelowAny(file.path, unreadable));
  return { root, problem, files, bytes, unreadable, ...pairMoves(changed, gone) };
}

function isUnchanged(known: KnownFile, found: FoundFile): boolean {
  return known.size === found.size && known.mtimeNs === found.mtimeNs;
}

function isBelowAny(path: string, unreadable: readonly { path: string }[]): boolean {
  return unreadable.some((folder) => path === folder.path || path.startsWith(`${folder.path}/`));
}

/** A file that moved keeps what is known of it: same size and time, and the same name or inode. */
function pairMoves(changed: FoundFile[], gone: KnownFile[]) {
  const byVersion = Map.groupBy(gone, versionOf);
  const moved: { id: number; to: FoundFile }[] = [];
  const taken = new Set<number>();
  const rest = changed.filter((file) => {
    const from = byVersion
      .get(versionOf(file))
      ?.find((old) => !taken.has(old.id) && (old.name === file.name || old.inode === file.inode));
    if (from === undefined) return true;
    taken.add(from.id);
    moved.push({ id: from.id, to: file });
    return false;
  });
  return { changed: rest, moved, gone: gone.filter((file) => !taken.has(file.id)) };
}

function versionOf(file: FoundFile): string {
  return `${file.size}-${file.mtimeNs}`;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EACCES') return 'it may not be read (permission denied)';
  if (code === 'ENOTDIR') return 'it is no folder';
  return message;
}
