import { createHash } from 'node:crypto';
import type { ListForm } from '../build-entry.ts';
import type { TreeFile } from '../tree-file.ts';
import { listMergings } from './list-mergings.ts';

/** Selects the names in a list's record that identify the games of a build. */
const gameNames: Readonly<Record<ListForm, (names: readonly string[]) => readonly string[]>> = {
  gamelist: (names) => names,
  // The other names are members of the list itself, which remain.
  playlist: (names) => names.slice(0, 2),
};

/**
 * Removes the games whose files could not be written from a list. Returns any other file unchanged.
 */
export function withoutMissing(file: TreeFile, missing: ReadonlySet<string>): TreeFile {
  if (file.kind !== 'text' || file.list === null || missing.size === 0) return file;
  const { form, tree, names } = file.list;
  let isListed = false;
  const files = {
    isOwn(path: string) {
      const isMissing = missing.has(`${tree}/${path}`);
      isListed ||= isMissing;
      return isMissing;
    },
    key: (path: string) => path, // the build wrote the paths, so equal paths have equal texts
  };
  const text = Buffer.from(file.bytes).toString();
  const rest = listMergings[form].strip(text, gameNames[form](names), files);
  if (rest === null || !isListed) return file;
  const bytes = Buffer.from(rest.text);
  // The list of the next build has other keys, so that build writes it.
  const keys = [`text:${createHash('sha1').update(bytes).digest('hex')}`];
  return { ...file, bytes, size: bytes.length, keys };
}
