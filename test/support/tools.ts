import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Debian packages of the tools with which tests make images or inspect files. The keys are the
 * tools. scripts/debian-packages.txt lists the same packages.
 */
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
  haproxy: 'haproxy',
  caddy: 'caddy',
  postgres: 'postgresql-15',
  pgbouncer: 'pgbouncer',
  zsh: 'zsh',
  fish: 'fish',
  radosgw: 'radosgw',
  'ceph-mon': 'ceph-mon',
  'ceph-osd': 'ceph-osd',
  ceph: 'ceph-common',
  retroarch: 'retroarch',
  xmllint: 'libxml2-utils',
  'mkfs.exfat': 'exfatprogs',
  'mount.exfat-fuse': 'exfat-fuse',
  rclone: 'rclone',
  cadaver: 'cadaver',
  'mount.davfs': 'davfs2',
} as const;

/** The packages that scripts/debian-packages.txt must list for these tools. */
export const debianPackages: readonly string[] = Object.values(packages);

/**
 * Packages of a second S3 server. `.ci/run` does not install these packages, because they are large
 * and start services when installed.
 */
const swiftPackages = {
  'swift-proxy-server': 'swift-proxy',
  'swift-account-server': 'swift-account',
  'swift-container-server': 'swift-container',
  'swift-object-server': 'swift-object',
  memcached: 'memcached',
} as const;

/**
 * Tools from npm packages that are development dependencies. Each package supports only some
 * machines.
 */
const npmTools = { maxcso: 'maxcso, of npm, for this machine' } as const;

/** Folder of the programs of Debian's PostgreSQL 15 (postgresql-common, "pg_wrapper"). */
export const postgres15 = '/usr/lib/postgresql/15/bin';

const maxcso = join(
  import.meta.dirname,
  `../../node_modules/@emmercm/maxcso-${process.platform}-${process.arch}/dist`,
);

/**
 * The search path with Debian's folders that the PATH of some users lacks, and with tools from npm.
 */
export const toolPath = `${process.env.PATH}:/usr/games:/usr/sbin:${postgres15}:${maxcso}`;

const packageNames = { ...packages, ...swiftPackages, ...npmTools };
const env = { ...process.env, PATH: toolPath };

export type Tool = keyof typeof packageNames;

/**
 * Returns "skipped: needs ..." with the tools that this machine lacks. Returns null if all tools
 * are installed.
 */
export function toolsSkipReason(...tools: Tool[]): string | null {
  const missing = tools.filter((tool) => !isInstalled(tool)).map((tool) => packageNames[tool]);
  return missing.length === 0 ? null : `skipped: needs the package ${missing.join(', ')}`;
}

/**
 * Runs a tool and returns its output. If the tool fails, throws an error with the tool's message.
 */
export function runTool(tool: Tool, args: readonly string[], cwd?: string): string {
  return execFileSync(tool, args, {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
}

function isInstalled(tool: Tool): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore', env });
    return true;
  } catch {
    return false;
  }
}
