import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { output } from './commands.ts';

/** Folder of npm in the image, relative to `/usr/local`. */
const npmFolder = 'lib/node_modules/npm';

/**
 * Makes a tar of a Debian root file system with this Node and this machine's npm. The container
 * file expects both in its base image. Returns the path of the tar.
 */
export async function makeBase(folder: string): Promise<string> {
  const local = join(folder, 'local');
  await mkdir(join(local, 'bin'), { recursive: true });
  await cp(process.execPath, join(local, 'bin/node'));
  const npm = resolve(
    process.env.npm_execpath ?? '/usr/lib/node_modules/npm/bin/npm-cli.js',
    '../..',
  );
  await cp(npm, join(local, npmFolder), { recursive: true, dereference: true });
  for (const name of ['npm', 'npx']) {
    await symlink(`../${npmFolder}/bin/${name}-cli.js`, join(local, 'bin', name));
  }
  const [, suite = 'bookworm'] =
    /^VERSION_CODENAME=(\w+)$/m.exec(await readFile('/etc/os-release', 'utf8')) ?? [];
  const file = join(folder, 'base.tar');
  const hook = `--customize-hook=cp -a ${local}/. "$1/usr/local/"`;
  const args = ['--quiet', '--variant=essential', '--include=libstdc++6', hook, suite, file];
  await output('mmdebstrap', args);
  return file;
}

/**
 * Settings to reach npm's registry while an image is built. Volumes are not stored in the image.
 * Variables are stored in the base image, so `ContainerHost.start` clears them.
 */
export interface Registry {
  /** Values for the option `--volume`. */
  readonly volumes: readonly string[];
  /** `NAME=value` pairs for the base image only. */
  readonly variables: readonly string[];
}

export async function registrySettings(): Promise<Registry> {
  const setting = async (name: string) => (await output('npm', ['config', 'get', name])).trim();
  const authorities = [process.env.NODE_EXTRA_CA_CERTS ?? '', await setting('cafile')];
  const mounts: [from: string, to: string][] = [
    [await setting('userconfig'), '/root/.npmrc'],
    ...authorities.map((file): [string, string] => [file, file]),
  ];
  const existing = new Map(mounts.filter(([from]) => existsSync(from)));
  const { NODE_EXTRA_CA_CERTS: extra = '' } = process.env;
  return {
    volumes: [
      ...[...existing].map(([from, to]) => `${from}:${to}:ro`),
      `${await setting('cache')}:/root/.npm`,
    ],
    variables: existsSync(extra) ? [`NODE_EXTRA_CA_CERTS=${extra}`] : [],
  };
}
