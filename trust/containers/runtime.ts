import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { output, succeeds } from './commands.ts';

/**
 * Restrictions of containers, as in deploy/compose.yaml. Without explicit `--ulimit` values, podman
 * would raise the limits. Raising limits fails on machines where podman has no right to do it.
 */
export const containerRestrictions = [
  ...['--network', 'host', '--read-only', '--cap-drop', 'ALL', '--pids-limit', '512'],
  ...['--security-opt', 'no-new-privileges', '--tmpfs', '/tmp:size=64m'],
  ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'],
];

const runtimes = ['crun', 'runc'];

/** Returns the reason why containers cannot be built or run on this machine; null if they can. */
export async function containerSkipReason(): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux, as root';
  const missing: string[] = [];
  for (const tool of ['mmdebstrap', 'buildah', 'podman']) {
    if (!(await succeeds(tool, ['--version']))) missing.push(tool);
  }
  if (missing.length > 0) return `needs the package ${missing.join(', ')}`;
  return findRuntime().then(
    () => null,
    (error: Error) => `podman starts no container here: ${error.message}`,
  );
}

/**
 * Returns the first container runtime that starts a program with the restrictions of the check.
 * Some runtimes fail on some machines: crun does not support a mix of both cgroup versions. Throws
 * with the error of each runtime if none works.
 */
export async function findRuntime(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-runtime-'));
  try {
    const root = join(folder, 'root');
    const libraries = (await output('ldd', ['/bin/true'])).match(/\/\S+/g) ?? [];
    for (const file of ['/bin/true', ...libraries]) {
      await mkdir(join(root, dirname(file)), { recursive: true });
      await copyFile(file, join(root, file));
    }
    const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
    const args = [...storage, '--storage-driver', 'vfs', 'run', '--rm', ...containerRestrictions];
    const refusals: string[] = [];
    for (const runtime of runtimes) {
      try {
        await output('podman', ['--runtime', runtime, ...args, '--rootfs', root, '/bin/true']);
        return runtime;
      } catch (error) {
        refusals.push(`${runtime}: ${(error as Error).message}`);
      }
    }
    throw new Error(refusals.join('; '));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
