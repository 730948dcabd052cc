import { DiskFailure } from './file-failures.ts';
import type { FoundFile, KnownFile, LibraryRoot } from './library-file.ts';
import type { Disk, KnownFiles } from './ports.ts';
import { RootComparison } from './root-comparison.ts';
import type { Trouble } from './scan-report.ts';

/** What lies below a root, compared with what was known of it. */
export interface WalkedRoot {
  readonly root: LibraryRoot;
  /** Why nothing below the root can be trusted, or null. */
  readonly problem: string | null;
  readonly found: readonly FoundFile[];
  readonly known: readonly KnownFile[];
  /** Found, and new or of another size or time. */
  readonly changed: readonly FoundFile[];
  /** Known where there is another file now. */
  readonly replaced: readonly KnownFile[];
  /** Known where no file was found. */
  readonly missing: readonly KnownFile[];
  readonly unreadable: readonly Trouble[];
}

/** Walks a root; opens no file and changes nothing. Throws the signal's reason when it is aborted. */
export async function walkRoot(
  root: LibraryRoot,
  { disk, known, signal }: { disk: Disk; known: KnownFiles; signal: AbortSignal },
): Promise<WalkedRoot> {
  const found: FoundFile[] = [];
  const unreadable: Trouble[] = [];
  const comparing = known.list(root).then((files) => new RootComparison(files));

  async function walk(): Promise<string | null> {
    try {
      const onUnreadable = (path: string, reason: string) => unreadable.push({ path, reason });
      for await (const batch of disk.walk(root.path, onUnreadable)) {
        signal.throwIfAborted();
        const comparison = await comparing;
        for (const file of batch) {
          found.push(file);
          comparison.add(file);
        }
      }
      return null;
    } catch (error) {
      if (!(error instanceof DiskFailure)) throw error;
      return reasonOf(error);
    }
  }

  const [comparison, problem] = await Promise.all([comparing, walk()]);
  const missing = comparison.end();
  const { changed, replaced } = comparison;
  // An empty mount point looks like a folder from which everything was deleted.
  const isEmptied = found.length === 0 && comparison.known.length > 0;
  const emptied = isEmptied ? 'it is empty, although files were known below it' : null;
  return {
    root,
    found,
    known: comparison.known,
    changed,
    replaced,
    missing,
    unreadable,
    problem: problem ?? emptied,
  };
}

function reasonOf({ code, message }: DiskFailure): string {
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EACCES') return 'it may not be read (permission denied)';
  if (code === 'ENOTDIR') return 'it is no folder';
  return message;
}
