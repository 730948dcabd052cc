import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Where Debian puts mkfs.ext4 and xfs_io, which not every user's search path has. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
const mounted = new Set<string>();
let isWatching = false;

/**
 * Why disks of our own cannot be mounted here, or which Debian package a check lacks, by the tool that is looked for, or
 * which device; null where nothing is missing.
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

/** Runs a tool of the system to its end; throws with what it said. */
export function runTool(tool: string, ...args: string[]): void {
  execFileSync(tool, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Mounts at a folder, which is made; what is still mounted when this process ends is let go. */
export function mount(folder: string, ...args: string[]): void {
  mkdirSync(folder, { recursive: true });
  runTool('mount', ...args, folder);
  mounted.add(folder);
  if (isWatching) return;
  isWatching = true;
  // Before the work folder is removed, which would remove what is on the disks first.
  process.prependListener('exit', () => {
    for (const left of [...mounted].reverse()) spawnSync('umount', ['-l', left], { env });
  });
}

/** Waits for those who have just ended; nothing where nothing is mounted. */
export async function unmount(folder: string): Promise<void> {
  if (!mounted.has(folder)) return;
  for (let tries = 50; spawnSync('umount', [folder], { env }).status !== 0; tries -= 1) {
    if (tries === 0) runTool('umount', '-l', folder);
    else await setTimeout(100);
  }
  mounted.delete(folder);
}
