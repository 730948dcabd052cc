import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { killAtExit } from '../../../measure/program.ts';
import { freePort } from '../free-port.ts';
import { toolPath, toolsSkipReason } from '../tools.ts';
import { configuration } from './ceph-conf.ts';
import { newBucket, type S3Server, startTimeoutMs, waitUntilUp } from './s3-server.ts';

const run = promisify(execFile);
const env = { ...process.env, PATH: toolPath };
const keys = { accessKey: 'testkey', secretKey: 'a secret of tests' };

/** The reason why radosgw cannot run on this machine; null if it can. */
export const s3SkipReason = toolsSkipReason('radosgw', 'ceph-mon', 'ceph-osd', 'ceph');

/** Maximum size of all objects, in bytes, so that no test fills the memory. */
const defaultMaxBytes = 300 * 2 ** 20;

/**
 * Starts Ceph's gateway on loopback, with its objects in memory. The gateway ends with this
 * process, even if this process is killed. Its other files are below `top`.
 */
export async function startS3(
  top = tmpdir(),
  { maxBytes = defaultMaxBytes } = {},
): Promise<S3Server> {
  const folder = await mkdtemp(join(top, 'catalog-s3-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const conf = join(folder, 'ceph.conf');
  const children: ChildProcess[] = [];
  const daemon = (name: string, ...args: string[]) => {
    // Without setpriv, a daemon would keep running after its test was killed.
    const own = ['--pdeathsig', 'KILL', name, '-c', conf, ...args, '-f'];
    const child = killAtExit(spawn('setpriv', own, { env, stdio: 'ignore' }));
    children.push(child);
    return child;
  };
  const stop = async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const startGateway = async () => {
    const child = daemon('radosgw', '-n', 'client.admin');
    await waitUntilUp(endpoint, children);
    return child;
  };
  try {
    await createCluster(folder, conf, { port, monitorPort: await freePort(), maxBytes });
    daemon('ceph-mon', '-i', 'a');
    const uuid = randomUUID();
    await ceph(conf, 'osd', 'new', uuid);
    await tool('ceph-osd', '-c', conf, '-i', '0', '--mkfs', '--osd-uuid', uuid);
    daemon('ceph-osd', '-i', '0');
    await ceph(conf, 'osd', 'crush', 'add', 'osd.0', '1.0', 'host=local', 'root=default');
    let gateway = await startGateway();
    await addUser(conf);
    return {
      endpoint,
      get gateway() {
        return gateway;
      },
      newBucket: () => newBucket(endpoint, keys),
      async restartGateway() {
        gateway.kill('SIGKILL');
        gateway = await startGateway();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Calls `operation` until it succeeds: a monitor that has just started may refuse requests. */
async function retryUntilReady(operation: () => Promise<unknown>): Promise<void> {
  for (let left = 10; ; left -= 1) {
    try {
      await operation();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await setTimeout(500);
    }
  }
}

/** Creates the disks and keys of a Ceph. Only clients of the gateway must authenticate. */
async function createCluster(
  folder: string,
  conf: string,
  ports: { port: number; monitorPort: number; maxBytes: number },
): Promise<void> {
  const id = randomUUID();
  await writeFile(conf, configuration(folder, id, ports));
  for (const name of ['mon/ceph-a', 'osd/ceph-0', 'log', 'run']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  const [keyring, map] = [join(folder, 'keyring'), join(folder, 'monmap')];
  const all = ['mon', 'osd', 'mgr'].flatMap((each) => ['--cap', each, 'allow *']);
  await tool('ceph-authtool', '-C', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *');
  await tool('ceph-authtool', keyring, '--gen-key', '-n', 'client.admin', ...all);
  const monitorAddress = `[v1:127.0.0.1:${ports.monitorPort}]`;
  await tool('monmaptool', '--create', '--fsid', id, '--addv', 'a', monitorAddress, map);
  await tool('ceph-mon', '-c', conf, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring);
}

async function addUser(conf: string): Promise<void> {
  const own = ['--uid=test', '--display-name=test'];
  const pair = [`--access-key=${keys.accessKey}`, `--secret-key=${keys.secretKey}`];
  await tool('radosgw-admin', '-c', conf, 'user', 'create', ...own, ...pair);
}

/**
 * Runs a command on the monitor. Retries if the monitor refuses it, because every command used here
 * can be repeated.
 */
const ceph = (conf: string, ...args: string[]) =>
  retryUntilReady(() => tool('ceph', '-c', conf, ...args));

async function tool(name: string, ...args: string[]): Promise<void> {
  await run(name, args, { env, timeout: startTimeoutMs });
}
