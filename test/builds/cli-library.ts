import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type RowText, xml } from '../imports/support/dat-text.ts';
import { romOf } from '../library/library-fixture.ts';
import type { Program, Sandbox } from '../support/process.ts';
import { platform } from './build-library.ts';

/**
 * A library with Game Boy games for the command line, and the set `All`, which contains every game.
 */
export interface CliLibrary {
  readonly root: string;
  /** Starts `catalog build All`. */
  build(to: string, ...args: string[]): Program;
  undo(to: string, ...args: string[]): Program;
}

/** Creates a library with these games. `games` maps the names in the DAT to contents. */
export function createCliLibrary(
  sandbox: Sandbox,
  games: Readonly<Record<string, string>>,
  profile = 'batocera',
): Promise<CliLibrary> {
  return createCliLibraryOf(sandbox, {
    platform,
    profile,
    files: Object.fromEntries(
      Object.values(games).map((content) => [
        `${createHash('sha1').update(content).digest('hex')}.gb`,
        content,
      ]),
    ),
    rows: Object.entries(games).map(([name, content]) => ({
      name,
      roms: [romOf(content, `${name}.gb`)],
    })),
  });
}

/** Creates a library with these files, and imports a DAT with the games of `rows`. */
export async function createCliLibraryOf(
  sandbox: Sandbox,
  games: {
    readonly platform: string;
    /** Default: `batocera`. */
    readonly profile?: string;
    readonly files: Readonly<Record<string, Buffer | string>>;
    readonly rows: readonly RowText[];
  },
): Promise<CliLibrary> {
  await sandbox.createDataFolder();
  const root = join(sandbox.folder, 'library');
  await mkdir(root);
  for (const [name, content] of Object.entries(games.files)) {
    await writeFile(join(root, name), content);
  }
  const dat = join(sandbox.folder, 'games.dat');
  await writeFile(dat, xml(games.rows, games.platform));
  const roots = ['--games-root', root];
  const { profile = 'batocera' } = games;
  const stdin = JSON.stringify({ all: [] });
  for (const args of [
    ['import', dat],
    ['scan', ...roots],
    ['sets', 'save', 'All', '--rule', '-'],
  ]) {
    expect(await sandbox.run(args, { stdin })).toMatchObject({ code: 0 });
  }
  return {
    root,
    build: (to, ...args) =>
      sandbox.start(['build', 'All', '--profile', profile, '--to', to, ...roots, ...args]),
    undo: (to, ...args) => sandbox.start(['build', '--undo', '--to', to, ...roots, ...args]),
  };
}
