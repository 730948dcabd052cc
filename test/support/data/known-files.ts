import type { KnownFile, LibraryRoot } from '../../../src/core/library/library-file.ts';
import type { KnownFiles } from '../../../src/core/library/ports.ts';

/** Returns all known files of a root, ordered by path. */
export async function listKnown(known: KnownFiles, root: LibraryRoot): Promise<KnownFile[]> {
  const files: KnownFile[] = [];
  for await (const page of known.pages(root)) files.push(...page);
  return files;
}
