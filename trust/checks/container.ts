import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateDats } from '../../measure/dats.ts';
import type { Figure } from '../../measure/figure.ts';
import { adminPassword } from '../../measure/program.ts';
import type { Check } from '../check.ts';
import { ContainerHost } from '../containers/container-host.ts';
import { countLost, failureCount, useFeatures } from '../containers/feature-checks.ts';
import { containerSkipReason } from '../containers/runtime.ts';
import { freePort } from '../proxies/proxy.ts';
import { replaceAll } from '../proxies/replace-all.ts';
import type { Trial } from '../trial.ts';

const file = join(import.meta.dirname, '../../deploy/Containerfile');
const image = 'localhost/catalog';
const name = 'catalog';
const startsWithinMs = 60_000;
/** Grace period after SIGTERM, in seconds. A container that has not ended by then is killed. */
const stopSeconds = 10;

/** Plants the fault of the control run in the container file. */
export const fault = (text: string) =>
  replaceAll(text, [['ENTRYPOINT ["catalog"]', 'ENTRYPOINT ["sh", "-c", "catalog serve; true"]']]);

let openedHost: Promise<ContainerHost> | undefined;

/**
 * Checks that the container file builds an image. A container of the image must run unprivileged,
 * persist its data and stop on SIGTERM.
 */
export const container: Check = {
  name: 'container',
  control: { what: 'a shell that does not forward signals' },
  skipReason: containerSkipReason,
  async measure(trial) {
    openedHost ??= ContainerHost.open(join(trial.folder, '../host'));
    const containerHost = await openedHost;
    let isDone = trial.isControl;
    try {
      return await measureIn(containerHost, trial);
    } catch (error) {
      isDone = true;
      throw error;
    } finally {
      if (isDone) await containerHost.close();
    }
  },
};

async function measureIn(
  containerHost: ContainerHost,
  { isControl, folder }: Trial,
): Promise<Figure[]> {
  const text = await readFile(file, 'utf8');
  const own = join(folder, 'Containerfile');
  await writeFile(own, isControl ? fault(text) : text);
  await containerHost.build(own, image);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const variables = {
    HOST: '127.0.0.1',
    PORT: port,
    ADMIN_PASSWORD: adminPassword,
    BACKUP_TO: '/backups',
  };
  const env = Object.entries(variables).flatMap(([key, value]) => {
    return ['--env', `CATALOG_${key}=${value}`];
  });
  const dats = join(folder, 'dats');
  await mkdir(dats);
  await generateDats(dats, [1]);
  const volumes = ['data:/data', 'backups:/backups', `${dats}:/dats:ro`].flatMap((volume) => {
    return ['--volume', volume.replace(/^\w/, `${isControl ? 'control' : 'sound'}-$&`)];
  });
  const start = async () => {
    await containerHost.start(image, name, ...volumes, ...env);
    await waitUntilHealthy(url);
  };
  await start();
  const wrong = await useFeatures(url, () =>
    containerHost.podman('exec', name, 'catalog', 'import', '/dats'),
  );
  const rootProcesses = await processesAsRoot(containerHost);
  const written = await writesToRoot(containerHost);
  const unhealthy = await failureCount(containerHost.podman('healthcheck', 'run', name));
  const code = await stop(containerHost);
  await containerHost.podman('start', name);
  await waitUntilHealthy(url);
  let lost = await countLost(url);
  await stop(containerHost);
  await containerHost.podman('rm', '--force', name);
  await start();
  lost += await countLost(url);
  await containerHost.podman('rm', '--force', '--time', '1', name);
  return [
    { what: 'features that failed', value: wrong, unit: 'of 5', max: 0 },
    { what: 'processes that run as root', value: rootProcesses, unit: '', max: 0 },
    { what: 'writes outside of /data and /tmp', value: written, unit: 'of 4', max: 0 },
    { what: 'failed health checks', value: unhealthy, unit: 'of 1', max: 0 },
    { what: 'lost by a restart or a new container', value: lost, unit: 'of 6', max: 0 },
    { what: 'exit code after SIGTERM', value: code, unit: '', max: 0 },
  ];
}

async function waitUntilHealthy(url: string): Promise<void> {
  for (const until = performance.now() + startsWithinMs; performance.now() < until; ) {
    const response = await fetch(`${url}/api/health`).catch(() => null);
    if (response?.ok) return;
    await setTimeout(100);
  }
  throw new Error('the container does not answer');
}

async function processesAsRoot(containerHost: ContainerHost): Promise<number> {
  const users = await containerHost.podman('top', name, 'huser');
  return users
    .trim()
    .split('\n')
    .slice(1)
    .filter((user) => ['0', 'root'].includes(user)).length;
}

/**
 * Returns how many writes outside `/data` and `/tmp` succeed as root. No process of the container
 * runs as root, so this is the worst case.
 */
async function writesToRoot(containerHost: ContainerHost): Promise<number> {
  const paths = ['/', '/etc', '/usr/local/bin', '/opt/catalog'];
  const tries = paths.map((path) =>
    failureCount(containerHost.podman('exec', '--user', '0', name, 'touch', join(path, 'new'))),
  );
  const failed = (await Promise.all(tries)).reduce((sum, each) => sum + each, 0);
  return paths.length - failed;
}

/** Stops the container. Returns its exit code. */
async function stop(containerHost: ContainerHost): Promise<number> {
  await containerHost.podman('stop', '--time', String(stopSeconds), name);
  return Number(await containerHost.podman('inspect', name, '--format', '{{.State.ExitCode}}'));
}
