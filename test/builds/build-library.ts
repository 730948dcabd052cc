import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BuildReport, UndoReport } from '../../src/core/builds/build-report.ts';
import type { BuildRequest } from '../../src/core/builds/builds.ts';
import { readRule } from '../../src/core/sets/read-rule.ts';
import { type LibraryFixture, romOf, useLibrary } from '../library/library-fixture.ts';

export const platform = 'Nintendo - Game Boy';

type Options = Partial<Omit<BuildRequest, 'set' | 'target'>> & {
  /** True to take images out of archives. */
  readonly unpacks?: boolean;
};

/** A library with Game Boy games. The builds are of the set `All`, which contains every game. */
export interface BuildLibrary extends LibraryFixture {
  /** Path of the folder for targets. */
  readonly place: string;
  requestOf(target: string, options?: Options): Promise<BuildRequest>;
  build(target: string, options?: Options): Promise<BuildReport>;
  preview(target: string, options?: Options): Promise<BuildReport>;
  undo(target: string): Promise<UndoReport>;
  /** Imports a newer DAT, in which `games` maps names to contents. Then scans the library. */
  name(games: Readonly<Record<string, string>>): Promise<void>;
  /** Adds files to the library. Their names do not reveal their games. */
  add(...contents: readonly string[]): Promise<void>;
}

/** Returns a library with these games. `games` maps the names in the DAT to contents. */
export async function useBuildLibrary(
  games: Readonly<Record<string, string>>,
): Promise<BuildLibrary> {
  const fixture = await useLibrary();
  const { catalog, folder } = fixture;
  const place = join(folder, 'targets');
  await mkdir(place);
  const rule = readRule({ all: [] });
  const created = { name: 'All', ownerId: null, isShared: true, rule, prefer: null };
  const { id, name } = await catalog.sets.create(created, 'everybody', { kind: 'system' });
  const watch = { signal: new AbortController().signal, onProgress() {} };
  async function requestOf(
    target: string,
    { unpacks = false, ...options }: Options = {},
  ): Promise<BuildRequest> {
    const set = catalog.releases.openSet(name, await catalog.sets.select(`${id}`, 'everybody'));
    return {
      set: { id, name },
      profile: 'batocera',
      readTree: (request) => catalog.exports.tree({ set, unpacks, ...request }),
      countMissing: () => set.countMissing(),
      mode: 'auto',
      isAdopted: false,
      isVerified: false,
      ...options,
      target,
    };
  }
  const library: BuildLibrary = {
    ...fixture,
    ...{ place, requestOf },
    async build(target, options = {}) {
      return catalog.builds.build(await requestOf(target, options), watch);
    },
    async preview(target, options = {}) {
      return catalog.builds.preview(await requestOf(target, options), watch);
    },
    undo: (target) => catalog.builds.undo(target, { ...watch, isPreview: false }),
    async name(named) {
      const rows = Object.entries(named).map(([title, content]) => ({
        name: title,
        roms: [romOf(content, `${title}.gb`)],
      }));
      await fixture.take(rows, platform, 'games');
      await fixture.scan({ hash: true });
    },
    async add(...contents) {
      for (const content of contents) {
        await fixture.write(`${createHash('sha1').update(content).digest('hex')}.gb`, content);
      }
    },
  };
  await library.add(...Object.values(games));
  await library.name(games);
  return library;
}

/**
 * Returns the contents of the files below a folder, by path. Omits the build's own files, such as
 * its journal. Anything that is not a regular file has the content `link`.
 */
export async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: Record<string, string> = {};
  for (const entry of entries) {
    if (entry.isDirectory() || entry.name.startsWith('.catalog-build')) continue;
    const path = join(entry.parentPath, entry.name);
    files[path.slice(folder.length + 1)] = entry.isFile() ? await readFile(path, 'utf8') : 'link';
  }
  return files;
}

/** Writes files below a folder, by path. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** Returns the number of successful steps and the number of problems, by kind. */
export function countsOf({ steps, problems }: BuildReport): Record<string, number> {
  const counts: Record<string, number> = {};
  const failed = new Set(problems.map(({ path }) => path));
  for (const { step, path } of steps) {
    if (!failed.has(path)) counts[step] = (counts[step] ?? 0) + 1;
  }
  for (const { kind } of problems) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
