import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool, type Tool } from '../tools.ts';
import { makeRar4, makeRar5 } from './rar.ts';

/** Files to pack into one archive, by name. */
export type Files = Readonly<Record<string, Buffer>>;

export interface ArchiveKind {
  readonly label: string;
  readonly container: string;
  readonly tools: readonly Tool[];
  /** True if the archive contains a single file without a name. */
  readonly isSingle?: boolean;
  /**
   * Content of the archive's directory: members with their CRC-32 (`sums`), members with their
   * sizes only (`sizes`), or no members.
   */
  readonly directoryContent: 'sums' | 'sizes' | 'nothing';
  /** True if the start of a member can be read without unpacking much of the archive. */
  readonly canReadStart: boolean;
  readonly make: (files: Files, folder: string) => Buffer;
}

const sevenZip = (options: readonly string[], ending = '7z') => {
  return packWithTool(
    (to, names) => runTool('7z', ['a', '-bd', '-y', ...options, to, ...names], folderOf(to)),
    ending,
  );
};
const tar = (option: readonly string[]) =>
  packWithTool(
    (to, names) => runTool('tar', [...option, '-cf', to, ...names], folderOf(to)),
    'tar',
  );

const startReadableLabels = [
  '7z, stored, its header not packed',
  'RAR 4',
  'RAR 5',
  'zip',
  'zip, stored',
  'tar',
  'gz',
];

/**
 * Every supported kind of archive. The common tool for each kind makes the archives; RARs are built
 * in code.
 */
export const archiveKinds: readonly ArchiveKind[] = [
  ...(
    [
      ['7z, solid', ['-ms=on']],
      ['7z, each file by itself', ['-ms=off', '-m0=LZMA']],
      ['7z, stored, its header not packed', ['-mx=0', '-mhc=off']],
      ['7z, PPMd', ['-m0=PPMd:mem=16m']],
      ['7z, BCJ2', ['-mf=BCJ2', '-mx=5']],
      ['7z, BZip2', ['-m0=BZip2']],
    ] as const
  ).map(([label, options]) => makeKind(label, '7z', ['7z'], 'sums', sevenZip(options))),
  makeKind('RAR 4', 'rar', [], 'sums', (files) => makeRar4(toStoredFiles(files))),
  makeKind('RAR 5', 'rar', [], 'sums', (files) => makeRar5(toStoredFiles(files))),
  makeKind('zip', 'zip', ['zip'], 'sums', zip([])),
  makeKind('zip, stored', 'zip', ['zip'], 'sums', zip(['-0'])),
  makeKind('zip, LZMA', 'zip', ['7z'], 'sums', sevenZip(['-tzip', '-mm=LZMA'], 'zip')),
  makeKind('zip, Deflate64', 'zip', ['7z'], 'sums', sevenZip(['-tzip', '-mm=Deflate64'], 'zip')),
  makeKind('tar', 'tar', ['tar'], 'sizes', tar([])),
  makeKind('tar.gz', 'gz', ['tar', 'gzip'], 'nothing', tar(['-z'])),
  makeKind('tar.xz', 'xz', ['tar', 'xz'], 'nothing', tar(['-J'])),
  makeKind('tar.zst', 'zst', ['tar', 'zstd'], 'nothing', tar(['--zstd'])),
  makeSingleFileKind(
    'gz',
    'gz',
    ['gzip'],
    'sums',
    (to, name) => runTool('gzip', ['-k', name], folderOf(to)),
    'gz',
  ),
  makeSingleFileKind(
    'xz',
    'xz',
    ['xz'],
    'sizes',
    (to, name) => runTool('xz', ['-k', name], folderOf(to)),
    'xz',
  ),
  makeSingleFileKind(
    'zst',
    'zst',
    ['zstd'],
    'sizes',
    (to, name) => runTool('zstd', ['-q', '-k', name], folderOf(to)),
    'zst',
  ),
];

function makeKind(
  label: string,
  container: string,
  tools: readonly Tool[],
  lists: ArchiveKind['directoryContent'],
  make: ArchiveKind['make'],
): ArchiveKind {
  return {
    label,
    container,
    tools,
    directoryContent: lists,
    make,
    canReadStart: startReadableLabels.includes(label),
  };
}

/**
 * Returns a kind of archive that contains a single file. If there are several files, packs only the
 * largest.
 */
function makeSingleFileKind(
  label: string,
  container: string,
  tools: readonly Tool[],
  lists: ArchiveKind['directoryContent'],
  pack: (to: string, name: string) => void,
  ending: string,
): ArchiveKind {
  const make = (files: Files, folder: string) => {
    const [[name, content] = ['', Buffer.alloc(0)]] = Object.entries(files).sort(
      ([, a], [, b]) => b.length - a.length,
    );
    const from = join(folder, name);
    const to = `${from}.${ending}`;
    rmSync(to, { force: true });
    writeFileSync(from, content);
    pack(to, name);
    return readFileSync(to);
  };
  return { ...makeKind(label, container, tools, lists, make), isSingle: true };
}

function zip(options: readonly string[]): ArchiveKind['make'] {
  return packWithTool(
    (to, names) => runTool('zip', ['-q', ...options, to, ...names], folderOf(to)),
    'zip',
  );
}

function packWithTool(
  pack: (to: string, names: readonly string[]) => void,
  ending: string,
): ArchiveKind['make'] {
  return (files, folder) => {
    const to = join(folder, `made.${ending}`);
    rmSync(to, { force: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    pack(to, Object.keys(files));
    return readFileSync(to);
  };
}

const folderOf = (path: string) => join(path, '..');
const toStoredFiles = (files: Files) =>
  Object.entries(files).map(([name, content]) => ({ name, content }));
