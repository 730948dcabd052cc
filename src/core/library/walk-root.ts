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
  /** How many files were found below it, and how many were known. */
  readonly foundCount: number;
  readonly knownCount: number;
  /** Of the paths that were to be kept: what was found, and what was known. */
  readonly keptFound: readonly FoundFile[];
  readonly keptKnown: readonly KnownFile[];
  /** Found, and new or of another size or time. */
  readonly changed: readonly FoundFile[];
  /** Known where there is another file now. */
  readonly replaced: readonly KnownFile[];
  /** Known where no file was found. */
  readonly missing: readonly KnownFile[];
  readonly unreadable: readonly Trouble[];
}

/**
 * Walks a root but the folders `except`; opens no file and changes nothing. `keeps` tells of which paths everything is kept,
 * changed or not.
 * Throws the signal's reason when it is aborted.
 */
export async function walkRoot(
  root: LibraryRoot,
  options: {
    disk: Disk;
    known: KnownFiles;
    keeps: (path: string) => boolean;
    except: readonly string[];
    signal: AbortSignal;
  },
): Promise<WalkedRoot> {
  const unreadable: Trouble[] = [];
  const comparison = new RootComparison(options.known.pages(root), options.keeps);

  async function walk(): Promise<string | null> {
    try {
      const onUnreadable = (path: string, reason: string) => unreadable.push({ path, reason });
      const { disk, except } = options;
      for await (const batch of disk.walk(root.path, onUnreadable, except)) {
        options.signal.throwIfAborted();
        await comparison.add(batch);
      }
      return null;
    } catch (error) {
      if (!(error instanceof DiskFailure)) throw error;
      return reasonOf(error);
    }
  }

  const problem = await walk();
  const missing = await comparison.end();
  const { foundCount, knownCount, keptFound, keptKnown, changed, replaced } = comparison;
  // An empty mount point looks like a folder from which everything was deleted.
  const isEmptied = foundCount === 0 && knownCount > 0;
  const emptied = isEmptied ? 'it is empty, although files were known below it' : null;
  return {
    root,
    foundCount,
    knownCount,
    keptFound,
    keptKnown,
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
