import { createHash } from 'node:crypto';
import { forEachInSlices } from '../../shared/concurrency/slices.ts';
import type { FoundFile } from '../library-file.ts';
import type { Changes } from './compare-roots.ts';

/** The changes that a scan would make. */
export interface LibraryChanges {
  /** Number of files that are new, changed, moved or gone, or read by an older version. */
  readonly count: number;
  /** Identifies these changes: if it is the same again, so are the changes. */
  readonly digest: string;
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
  let count = moved.length + gone.length + staleIds.length + unmatched.length;
  for (const kind of [changed, outdated]) {
    for (const { files } of kind) {
      count += files.length;
      await forEachInSlices(files, (file) => hash.update(lineOf(file)));
    }
  }
  await forEachInSlices(moved, ({ id, to }) => hash.update(`${id} ${lineOf(to)}`));
  await forEachInSlices(gone, ({ id }) => hash.update(`${id}\n`));
  await forEachInSlices(staleIds, (id) => hash.update(`${id}\n`));
  hash.update(JSON.stringify(unmatched.length === 0 ? [] : [version, ...unmatched]));
  return { count, digest: hash.digest('hex') };
}

function lineOf({ path, size, mtimeNs }: FoundFile): string {
  return `${JSON.stringify(path)} ${size} ${mtimeNs}\n`;
}
