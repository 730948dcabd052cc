import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * Environment with the folders where Debian installs mkfs.ext4 and xfs_io, which are not in every
 * user's PATH.
 */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
const mounted = new Set<string>();
let isWatching = false;

/**
 * Returns why disks cannot be mounted here, or which Debian packages or devices are missing; null
 * if nothing is missing. `packages` maps each required tool to its package.
 */
export function lackOfDisks(
  packages: Readonly<Record<string, string>> = {},
  ...devices: string[]
): string | null {
  const lacking = Object.keys(packages).filter(
    (tool) => spawnSync('sh', ['-c', `command -v ${tool}`], { env }).status !== 0,
  );
  const names = lacking.map((tool) => packages[tool]);
  if (names.length > 0) return `needs the package ${names.join(', ')}`;
  const absent = devices.filter((device) => !existsSync(device));
  if (absent.length > 0) return `needs ${absent.join(', ')}`;
  const folder = mkdtempSync(join(tmpdir(), 'catalog-mount-'));
  const tried = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { env });
  if (tried.status === 0) spawnSync('umount', [folder], { env });
  rmSync(folder, { recursive: true, force: true });
  return tried.status === 0 ? null : 'needs root, and the right to mount';
}

/** Runs a system tool to its end. Throws with its standard error if it fails. */
export function runTool(tool: string, ...args: string[]): void {
  execFileSync(tool, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

/**
 * Creates the folder and mounts at it. Anything still mounted when this process exits is unmounted.
 */
export function mount(folder: string, ...args: string[]): void {
  mkdirSync(folder, { recursive: true });
  runTool('mount', ...args, folder);
  mounted.add(folder);
  if (isWatching) return;
  isWatching = true;
  // Runs before the listener that removes the work folder, which would otherwise delete the files
  // on the mounted disks.
  process.prependListener('exit', () => {
    for (const left of [...mounted].reverse()) spawnSync('umount', ['-l', left], { env });
  });
}

/**
 * Unmounts a folder, waiting for processes that have just ended. Does nothing if it is not mounted.
 */
export async function unmount(folder: string): Promise<void> {
  if (!mounted.has(folder)) return;
  for (let tries = 50; spawnSync('umount', [folder], { env }).status !== 0; tries -= 1) {
    if (tries === 0) runTool('umount', '-l', folder);
    else await setTimeout(100);
  }
  mounted.delete(folder);
}
