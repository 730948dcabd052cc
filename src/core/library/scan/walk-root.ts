import { DiskFailure } from '../file-failures.ts';
import type { FoundFile, KnownFile, LibraryRoot } from '../library-file.ts';
import type { Disk, KnownFiles } from '../ports.ts';
import { RootComparison } from './root-comparison.ts';
import type { ScanProblem } from './scan-report.ts';

/** The result of walking a root and comparing the found files with the known files. */
export interface WalkedRoot {
  readonly root: LibraryRoot;
  /** The reason why the result of the walk must not be used. Null if the result can be used. */
  readonly problem: string | null;
  /**
   * `foundCount` is the number of files found below the root. `knownCount` is the number of known
   * files below the root.
   */
  readonly foundCount: number;
  readonly knownCount: number;
  /** The found files and the known files at the paths for which `mustCollect` returns true. */
  readonly collectedFound: readonly FoundFile[];
  readonly collectedKnown: readonly KnownFile[];
  /** Found files that are new or have another size or time than recorded. */
  readonly changed: readonly FoundFile[];
  /** Known files for which a file with another size or time was found at the same path. */
  readonly replaced: readonly KnownFile[];
  /** Known files that were not found on disk. */
  readonly missing: readonly KnownFile[];
  readonly unreadable: readonly ScanProblem[];
}

/**
 * Walks a root, except the folders in `except`. Opens no file and changes nothing. `mustCollect`
 * must return true for a path if its files are returned even without a change. Throws the signal's
 * reason if the signal is aborted.
 */
export async function walkRoot(
  root: LibraryRoot,
  options: {
    disk: Disk;
    known: KnownFiles;
    mustCollect: (path: string) => boolean;
    /** Returns false for a file whose changes are left for a later walk. */
    isComplete?: ((file: FoundFile) => boolean) | undefined;
    except: readonly string[];
    signal: AbortSignal;
  },
): Promise<WalkedRoot> {
  const unreadable: ScanProblem[] = [];
  const { known, mustCollect, isComplete } = options;
  const comparison = new RootComparison(known.pages(root), mustCollect, isComplete);

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
  const { foundCount, knownCount, collectedFound, collectedKnown, changed, replaced } = comparison;
  // A root that has lost all its files may be an empty mount point. So an empty root with known
  // files counts as a problem.
  const isEmptied = foundCount === 0 && knownCount > 0;
  const emptied = isEmptied ? 'it is empty, although files were known below it' : null;
  return {
    root,
    foundCount,
    knownCount,
    collectedFound,
    collectedKnown,
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
