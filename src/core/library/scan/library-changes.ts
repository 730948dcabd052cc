import { createHash } from 'node:crypto';
import { forEachInSlices } from '../../shared/concurrency/slices.ts';
import type { FoundFile } from '../library-file.ts';
import type { Changes } from './compare-roots.ts';

/** The changes that a scan would make. */
export interface LibraryChanges {
  /** Number of files that are new, changed, moved or gone, or read by an older version. */
  readonly count: number;
  /** Number of these files that an older version of the program has read. */
  readonly outdated: number;
  /** Identifies the changes of files: if it is the same again, so are these changes. */
  readonly digest: string;
  /**
   * Identifies the catalogue, and the roots whose files were matched with another one, and are all
   * matched again; "" for none.
   */
  readonly rematches: string;
}

/** Summarizes the changes below roots. `unmatched` are roots to match with another catalogue. */
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
