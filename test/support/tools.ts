import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Debian packages by the tool that tests make images or look at files with (scripts/debian-packages.txt). */
const packages = {
  xorriso: 'xorriso',
  chdman: 'mame-tools',
  zip: 'zip',
  lz4: 'lz4',
  wit: 'wit',
  'dolphin-tool': 'dolphin-emu',
  '7z': 'p7zip-full',
  gzip: 'gzip',
  tar: 'tar',
  xz: 'xz-utils',
  zstd: 'zstd',
  openssl: 'openssl',
  'systemd-analyze': 'systemd',
  nginx: 'nginx-light',
  caddy: 'caddy',
  postgres: 'postgresql-15',
  zsh: 'zsh',
  fish: 'fish',
  radosgw: 'radosgw',
  'ceph-mon': 'ceph-mon',
  'ceph-osd': 'ceph-osd',
  ceph: 'ceph-common',
} as const;

/** What scripts/debian-packages.txt has to list of them. */
export const debianPackages: readonly string[] = Object.values(packages);

/** Those of a second S3 server, which `.ci/run` does not install: 70 MiB of Python, whose services it would start. */
const others = {
  'swift-proxy-server': 'swift-proxy',
  'swift-account-server': 'swift-account',
  'swift-container-server': 'swift-container',
  'swift-object-server': 'swift-object',
  memcached: 'memcached',
} as const;

/** Development dependencies by the tool that they bring for some machines. */
const ofNpm = { maxcso: 'maxcso, of npm, for this machine' } as const;

/** The programs of its PostgreSQL (postgresql-common, "pg_wrapper"). */
export const postgres15 = '/usr/lib/postgresql/15/bin';

const maxcso = join(
  import.meta.dirname,
  `../../node_modules/@emmercm/maxcso-${process.platform}-${process.arch}/dist`,
);

/** Where Debian puts what not every user's search path has, and npm the tools it brings. */
export const toolPath = `${process.env.PATH}:/usr/games:/usr/sbin:${postgres15}:${maxcso}`;

const names = { ...packages, ...others, ...ofNpm };
const env = { ...process.env, PATH: toolPath };

export type Tool = keyof typeof names;

/** "skipped: needs ..." for a tool that this machine lacks, or null when all are there. */
export function lackOf(...tools: Tool[]): string | null {
  const missing = tools.filter((tool) => !isThere(tool)).map((tool) => names[tool]);
  return missing.length === 0 ? null : `skipped: needs the package ${missing.join(', ')}`;
}

/** What a tool printed; throws with what it said when it failed. */
export function runTool(tool: Tool, args: readonly string[], cwd?: string): string {
  return execFileSync(tool, args, {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
}

function isThere(tool: Tool): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore', env });
    return true;
  } catch {
    return false;
  }
}
