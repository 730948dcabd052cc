import { createHash } from 'node:crypto';
import type { ListForm } from '../build-entry.ts';
import type { TreeFile } from '../tree-file.ts';
import { listMergings } from './list-mergings.ts';

/** The names that recognise games of a build, among those of a list's record. */
const gameNames: Readonly<Record<ListForm, (names: readonly string[]) => readonly string[]>> = {
  gamelist: (names) => names,
  // The other ones are of the list itself, which stays.
  playlist: (names) => names.slice(0, 2),
};

/** Returns a list of games without those whose files could not be written; else the file itself. */
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
    key: (path: string) => path, // the build wrote the paths, so they are the same texts
  };
  const text = Buffer.from(file.bytes).toString();
  const rest = listMergings[form].strip(text, gameNames[form](names), files);
  if (rest === null || !isListed) return file;
  const bytes = Buffer.from(rest.text);
  // The next build has another list, so it writes that.
  const keys = [`text:${createHash('sha1').update(bytes).digest('hex')}`];
  return { ...file, bytes, size: bytes.length, keys };
}
