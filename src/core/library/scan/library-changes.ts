import { createHash } from 'node:crypto';
import { forEachInSlices } from '../../shared/concurrency/slices.ts';
import type { FoundFile } from '../library-file.ts';
import type { Changes } from './compare-roots.ts';

/** The changes that a scan would make. */
export interface LibraryChanges {
  /**
   * Number of files that are new, changed, moved or deleted, or that an older version of the
   * program read.
   */
  readonly count: number;
  /** Number of these files that an older version of the program has read. */
  readonly outdated: number;
  /** A digest of the changes. If the digests of two walks are equal, the changes are the same. */
  readonly digest: string;
  /**
   * Identifies the catalogue version and the roots whose files have to be matched with it again. ""
   * if there are no such roots.
   */
  readonly rematches: string;
}

/**
 * Summarizes the changes below roots. `unmatched` contains the paths of the roots whose files have
 * to be matched again. `version` is the version to match them with.
 */
export async function summarize({
  changed,
  moved,
  gone,
  staleIds,
  outdated,
  unmatched,
  version,
}: Changes & {
  readonly outdated: Changes['changed'];
  readonly unmatched: readonly string[];
  readonly version: string;
}): Promise<LibraryChanges> {
  const hash = createHash('sha256');
  const counts = { changed: 0, outdated: 0 };
  for (const [kind, roots] of Object.entries({ changed, outdated })) {
    for (const { files } of roots) {
      counts[kind as keyof typeof counts] += files.length;
      await forEachInSlices(files, (file) => hash.update(lineOf(file)));
    }
  }
  await forEachInSlices(moved, ({ id, to }) => hash.update(`${id} ${lineOf(to)}`));
  await forEachInSlices(gone, ({ id }) => hash.update(`${id}\n`));
  await forEachInSlices(staleIds, (id) => hash.update(`${id}\n`));
  return {
    count: counts.changed + counts.outdated + moved.length + gone.length + staleIds.length,
    outdated: counts.outdated,
    digest: hash.digest('hex'),
    rematches: unmatched.length === 0 ? '' : JSON.stringify([version, ...unmatched]),
  };
}

function lineOf({ path, size, mtimeNs }: FoundFile): string {
  return `${JSON.stringify(path)} ${size} ${mtimeNs}\n`;
}
