import { DiskFailure } from './file-failures.ts';
import type { FoundFile, KnownFile, LibraryRoot } from './library-file.ts';
import type { Disk, KnownFiles } from './ports.ts';
import { RootComparison } from './root-comparison.ts';
import type { Trouble } from './scan-report.ts';

/** The files below a root, compared with its known files. */
export interface WalkedRoot {
  readonly root: LibraryRoot;
  /** Why the walk of the root cannot be trusted, or null. */
  readonly problem: string | null;
  /** Number of files found below the root, and number of files known there. */
  readonly foundCount: number;
  readonly knownCount: number;
  /** The found and the known files at the paths selected by `keeps`. */
  readonly keptFound: readonly FoundFile[];
  readonly keptKnown: readonly KnownFile[];
  /** Files found that are new or have another size or time. */
  readonly changed: readonly FoundFile[];
  /** Known files at whose path a different file was found. */
  readonly replaced: readonly KnownFile[];
  /** Known files that were not found. */
  readonly missing: readonly KnownFile[];
  readonly unreadable: readonly Trouble[];
}

/**
 * Walks a root except the folders in `except`; opens no file and changes nothing. `keeps` selects
 * the paths for which every file is returned, changed or not. Throws the signal's reason if
 * aborted.
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
