import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import type { BucketAddress } from '../../../src/files/s3/s3-client.ts';
import { freePort } from '../free-port.ts';
import { lackOf, toolPath } from '../tools.ts';
import { configuration } from './ceph-conf.ts';
import { clientOf } from './look-into.ts';

const run = promisify(execFile);
const env = { ...process.env, PATH: toolPath };
const keys = { accessKey: 'testkey', secretKey: 'a secret of tests' };
const upWithinMs = 30_000;

/** Why there can be no S3 server here; null when there can. */
export const lackOfS3 = lackOf('radosgw', 'ceph-mon', 'ceph-osd', 'ceph');

/** A real S3 server: Ceph's gateway, with its objects in memory. */
export interface S3Server {
  readonly endpoint: string;
  /** Where a new, empty bucket is. */
  newBucket(): Promise<BucketAddress>;
  /** The program that answers; it may be stopped and continued. */
  readonly gateway: ChildProcess;
  /** Ends the gateway, and starts it again on the same port. */
  restartGateway(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one on loopback, in a second. It ends with this process, whatever becomes of that. */
export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-s3-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const conf = join(folder, 'ceph.conf');
  const children: ChildProcess[] = [];
  const daemon = (name: string, ...args: string[]) => {
    // A daemon of a killed test would stay for good.
    const own = ['--pdeathsig', 'KILL', name, '-c', conf, ...args, '-f'];
    const child = spawn('setpriv', own, { env, stdio: 'ignore' });
    children.push(child);
    return child;
  };
  const stop = async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const startGateway = async () => {
    const child = daemon('radosgw', '-n', 'client.admin');
    await untilUp(endpoint, children);
    return child;
  };
  try {
    await layOut(folder, conf, { port, monitorPort: await freePort() });
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
      newBucket: () => newBucket(endpoint),
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

/** Its disks and keys; nobody has to prove who they are, but to the gateway. */
async function layOut(
  folder: string,
  conf: string,
  ports: { port: number; monitorPort: number },
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
  const address = `[v1:127.0.0.1:${ports.monitorPort}]`;
  await tool('monmaptool', '--create', '--fsid', id, '--addv', 'a', address, map);
  await tool('ceph-mon', '-c', conf, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring);
}

async function addUser(conf: string): Promise<void> {
  const own = ['--uid=test', '--display-name=test'];
  const pair = [`--access-key=${keys.accessKey}`, `--secret-key=${keys.secretKey}`];
  await tool('radosgw-admin', '-c', conf, 'user', 'create', ...own, ...pair);
}

async function untilUp(endpoint: string, children: readonly ChildProcess[]): Promise<void> {
  for (const until = Date.now() + upWithinMs; ; await setTimeout(20)) {
    const answer = await fetch(endpoint).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    const ended = children.find(({ exitCode }) => exitCode !== null);
    if (ended || Date.now() > until) throw new Error(`no S3: ${ended?.spawnargs.join(' ')}`);
  }
}

async function newBucket(endpoint: string): Promise<BucketAddress> {
  const bucket = `tests-${randomUUID()}`;
  const address = { bucket, prefix: 'some/where', endpoint, region: 'us-east-1', ...keys };
  const client = clientOf(address);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return address;
}

const ceph = (conf: string, ...args: string[]) => tool('ceph', '-c', conf, ...args);

async function tool(name: string, ...args: string[]): Promise<void> {
  await run(name, args, { env, timeout: upWithinMs });
}
