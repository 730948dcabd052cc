import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeBase, registrySettings } from './base-image.ts';
import { output, succeeds } from './commands.ts';
import { containerRestrictions, findRuntime } from './runtime.ts';

const root = join(import.meta.dirname, '../..');
const base = 'localhost/catalog-base';
const drivers = ['overlay', 'vfs'];

/**
 * Builds images and runs containers. Stores them in a separate folder, apart from the images and
 * containers of the machine.
 */
export class ContainerHost {
  readonly #folder: string;
  readonly #storage: readonly string[];
  readonly #runtime: string;

  private constructor(folder: string, storage: readonly string[], runtime: string) {
    this.#folder = folder;
    this.#storage = storage;
    this.#runtime = runtime;
  }

  /**
   * Opens a host with a base image that is made from Debian packages. Throws if no storage driver
   * works.
   */
  static async open(folder: string): Promise<ContainerHost> {
    await mkdir(folder, { recursive: true });
    const runtime = await findRuntime();
    for (const driver of drivers) {
      const places = ['--root', join(folder, driver), '--runroot', join(folder, 'run')];
      const storage = [...places, '--storage-driver', driver];
      if (!(await succeeds('buildah', [...storage, 'from', 'scratch']))) continue;
      const host = new ContainerHost(folder, storage, runtime);
      const { variables } = await registrySettings();
      const changes = variables.flatMap((variable) => ['--change', `ENV ${variable}`]);
      await host.podman('import', ...changes, await makeBase(folder), base);
      return host;
    }
    throw new Error(`buildah takes none of ${drivers.join(', ')}`);
  }

  /** Builds an image of the repository. Reuses unchanged layers. */
  async build(containerFile: string, tag: string): Promise<void> {
    const { volumes } = await registrySettings();
    await output('buildah', [
      ...[...this.#storage, 'build', '--layers', '--format', 'docker', '--isolation', 'chroot'],
      ...['--network', 'host', '--build-arg', `BASE=${base}`, '--tag', tag],
      ...[...volumes.flatMap((volume) => ['--volume', volume]), '--file', containerFile, root],
    ]);
  }

  /** Starts a container in the background, with the restrictions of deploy/compose.yaml. */
  async start(image: string, name: string, ...more: readonly string[]): Promise<void> {
    // The base image sets this variable, which only the build needs.
    const without = ['--env', 'NODE_EXTRA_CA_CERTS='];
    await this.podman(
      'run',
      '--detach',
      '--name',
      name,
      ...containerRestrictions,
      ...without,
      ...more,
      image,
    );
  }

  /** Runs podman and returns its standard output. */
  podman(...args: readonly string[]): Promise<string> {
    return output('podman', ['--runtime', this.#runtime, ...this.#storage, ...args]);
  }

  /** Removes the containers and unmounts everything below the folder of the host. */
  async close(): Promise<void> {
    await this.podman('rm', '--all', '--force').catch(() => undefined);
    const mounts = (await readFile('/proc/self/mountinfo', 'utf8'))
      .split('\n')
      .flatMap((line) => line.split(' ')[4] ?? [])
      .filter((path) => path.startsWith(`${this.#folder}/`));
    for (const path of mounts.toReversed()) await succeeds('umount', ['--lazy', path]);
  }
}
