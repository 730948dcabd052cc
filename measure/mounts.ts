import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * Environment with the folders where Debian installs mkfs.ext4 and xfs_io. The PATH of some users
 * does not contain these folders.
 */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
const mounted = new Set<string>();
let isWatching = false;

/**
 * Returns the reason why disks cannot be mounted on this machine; null if they can. The reason
 * names missing Debian packages, devices or rights. `packages` maps each required tool to its
 * package.
 */
export function mountSkipReason(
  packages: Readonly<Record<string, string>> = {},
  ...devices: string[]
): string | null {
  const missing = Object.keys(packages).filter(
    (tool) => spawnSync('sh', ['-c', `command -v ${tool}`], { env }).status !== 0,
  );
  const names = missing.map((tool) => packages[tool]);
  if (names.length > 0) return `needs the package ${names.join(', ')}`;
  const absent = devices.filter((device) => !existsSync(device));
  if (absent.length > 0) return `needs ${absent.join(', ')}`;
  const folder = mkdtempSync(join(tmpdir(), 'catalog-mount-'));
  const attempt = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { env });
  if (attempt.status === 0) spawnSync('umount', [folder], { env });
  rmSync(folder, { recursive: true, force: true });
  return attempt.status === 0 ? null : 'needs root, and the right to mount';
}

/**
 * Runs a system tool and waits for its end. If the tool fails, throws an error with its standard
 * error.
 */
export function runTool(tool: string, ...args: string[]): void {
  execFileSync(tool, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

/**
 * Creates a folder and mounts on it. When this process exits, the folder is unmounted if it is
 * still mounted.
 */
export function mount(folder: string, ...args: string[]): void {
  mkdirSync(folder, { recursive: true });
  runTool('mount', ...args, folder);
  mounted.add(folder);
  if (isWatching) return;
  isWatching = true;
  // This listener must run before the listener that removes the work folder. Otherwise the removal
  // would delete the files on the mounted disks.
  process.prependListener('exit', () => {
    for (const left of [...mounted].reverse()) spawnSync('umount', ['-l', left], { env });
  });
}

/**
 * Unmounts a folder. Retries while processes that have just ended still use it. Does nothing if the
 * folder is not mounted.
 */
export async function unmount(folder: string): Promise<void> {
  if (!mounted.has(folder)) return;
  for (let tries = 50; spawnSync('umount', [folder], { env }).status !== 0; tries -= 1) {
    if (tries === 0) runTool('umount', '-l', folder);
    else await setTimeout(100);
  }
  mounted.delete(folder);
}
