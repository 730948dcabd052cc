import { dirname, join } from 'node:path/posix';

/** A path with at least one slash, anywhere in a document. */
const anyPath = /(?<![\w./@-])([a-z]+)\/[\w./…*-]*/g;
/** Words in backquotes. They may be the last part of a source file's path. */
const quoted = /`([^`\n]+)`/g;
const sourceFile = /^[\w.-][\w./-]*\.(?:cjs|css|mjs|svelte|ts)$/;
const link = /\]\(([^()\s]+)\)/g;

/**
 * Returns a function that finds the names in a document whose target does not exist. The function
 * returns these names as `line number: name`. A name is reported in each of these cases:
 * - The name is a path that starts with a folder of the repository, and this file or folder does
 *   not exist.
 * - The name is in backquotes and looks like a source file, and no path or several paths end with
 *   the name.
 * - The name is in backquotes, starts with a folder of `src` and ends with a slash, and this folder
 *   does not exist in `src`.
 * - The name is the target of a link, and the linked file or heading does not exist.
 *
 * `files` contains the paths of all files of the repository. `read` returns the text of a file.
 */
export function findLostPaths(
  files: readonly string[],
  read: (file: string) => string,
): (document: string, text: string) => string[] {
  const places = new Set([...files, ...files.flatMap(foldersOf)]);
  const exists = (path: string) => places.has(path.replace(/\/$/, ''));
  const isOneFile = (name: string) =>
    exists(name) || files.filter((file) => file.endsWith(`/${name}`)).length === 1;
  const tops = new Set(files.flatMap((file) => /^([^/]+)\//.exec(file)?.[1] ?? []));
  const rings = new Set(files.flatMap((file) => /^src\/([^/]+)\//.exec(file)?.[1] ?? []));
  const isLostFolder = (name: string) => name.endsWith('/') && !exists(`src/${name}`);
  const isHeading = (document: string, anchor: string) =>
    !document.endsWith('.md') || anchorsOf(read(document)).includes(anchor);

  function leads(document: string, target: string): boolean {
    if (/^[a-z]+:/.test(target)) return true;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? document : join(dirname(document), path);
    return exists(file) && (anchor === undefined || isHeading(file, anchor));
  }

  return (document, text) =>
    text.split('\n').flatMap((line, index) => {
      const names = [...line.matchAll(anyPath)]
        .filter(([, top = '']) => tops.has(top))
        .map(([path]) => path.replace(/\.+$/, ''));
      const ends = [...line.matchAll(quoted)].map(([, name = '']) => name);
      const targets = [...line.matchAll(link)].map(([, target = '']) => target);
      const lost = [
        ...names.filter((name) => !/[…*]/.test(name) && !exists(name)),
        ...ends.filter((name) => sourceFile.test(name) && !isOneFile(name)),
        ...ends.filter((name) => rings.has(name.split('/')[0] ?? '') && isLostFolder(name)),
        ...targets.filter((target) => !leads(document, target)),
      ];
      return [...new Set(lost)].map((name) => `${index + 1}: ${name}`);
    });
}

/**
 * Returns the anchors of a document: those that GitHub generates from headings, and those of `<a>`
 * tags.
 */
function anchorsOf(text: string): string[] {
  const ids = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...ids];
}

function foldersOf(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}
