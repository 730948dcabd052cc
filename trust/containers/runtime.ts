import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { output, succeeds } from './commands.ts';

/** How containers are shut in, as in deploy/compose.yaml. Where podman may not raise limits, it must not be asked to. */
export const shutIn = [
  ...['--network', 'host', '--read-only', '--cap-drop', 'ALL', '--pids-limit', '512'],
  ...['--security-opt', 'no-new-privileges', '--tmpfs', '/tmp:size=64m'],
  ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'],
];

const runtimes = ['crun', 'runc'];

/** Why containers cannot be built or run here; null where they can. */
export async function lackOfContainers(): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux, as root';
  const missing: string[] = [];
  for (const tool of ['mmdebstrap', 'buildah', 'podman']) {
    if (!(await succeeds(tool, ['--version']))) missing.push(tool);
  }
  if (missing.length > 0) return `needs the package ${missing.join(', ')}`;
  return runtimeHere().then(
    () => null,
    (error: Error) => `podman starts no container here: ${error.message}`,
  );
}

/**
 * The first runtime that starts a program as the containers of the check are started: crun refuses machines whose groups
 * of processes are of both kinds, for one. Throws with what each said when none does.
 */
export async function runtimeHere(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-runtime-'));
  try {
    const root = join(folder, 'root');
    const libraries = (await output('ldd', ['/bin/true'])).match(/\/\S+/g) ?? [];
    for (const file of ['/bin/true', ...libraries]) {
      await mkdir(join(root, dirname(file)), { recursive: true });
      await copyFile(file, join(root, file));
    }
    const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
    const args = [...storage, '--storage-driver', 'vfs', 'run', '--rm', ...shutIn];
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
