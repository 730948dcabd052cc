import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import { toolPath, toolsSkipReason } from '../tools.ts';
import { newBucket, type S3Server, waitUntilUp } from './s3-server.ts';
import { configurations, type SwiftPorts, storageServers } from './swift-conf.ts';

const run = promisify(execFile);
const env = { ...process.env, PATH: toolPath };
const keys = { accessKey: 'tests:tester', secretKey: 'a-secret-of-tests' };

const missingToolsReason = toolsSkipReason(
  'swift-proxy-server',
  'swift-account-server',
  'swift-container-server',
  'swift-object-server',
  'memcached',
);

/**
 * The reason why Swift cannot run on this machine; null if it can. The text differs from the text
 * for a missing tool, because CI does not require Swift.
 */
export const swiftSkipReason =
  missingToolsReason?.replace('needs the package', 'without Swift:') ?? null;

/**
 * Starts an OpenStack Swift with its S3 API on loopback. Objects are stored on the disk, below
 * `top`. The Swift ends with this process, even if this process is killed.
 */
export async function startSwift(top = tmpdir()): Promise<S3Server> {
  const folder = await mkdtemp(join(top, 'catalog-swift-'));
  const ports: SwiftPorts = {
    proxy: await freePort(),
    memcached: await freePort(),
    object: await freePort(),
    container: await freePort(),
    account: await freePort(),
  };
  const endpoint = `http://127.0.0.1:${ports.proxy}`;
  const children: ChildProcess[] = [];
  const daemon = (...command: string[]) => {
    // Without setpriv, a daemon would keep running after its test was killed.
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], { env, stdio: 'ignore' });
    children.push(child);
    return child;
  };
  const startGateway = async () => {
    const child = daemon('swift-proxy-server', join(folder, 'proxy.conf'));
    await waitUntilUp(endpoint, children);
    return child;
  };
  const stop = async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await createCluster(folder, ports);
    const { username } = userInfo();
    daemon('memcached', '-u', username, '-l', '127.0.0.1', '-p', `${ports.memcached}`, '-m', '16');
    for (const name of storageServers) daemon(`swift-${name}-server`, join(folder, `${name}.conf`));
    // Start the gateway last, because it would treat a server that does not respond at first as
    // unavailable.
    for (const name of storageServers)
      await waitUntilUp(`http://127.0.0.1:${ports[name]}`, children);
    let gateway = await startGateway();
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

/** Creates one disk, and the rings that contain it. */
async function createCluster(folder: string, ports: SwiftPorts): Promise<void> {
  await mkdir(join(folder, 'disks', 'd1'), { recursive: true });
  for (const [name, text] of configurations(folder, ports, keys)) {
    await writeFile(join(folder, name), text);
  }
  for (const name of storageServers) {
    const build = (...args: string[]) =>
      run('swift-ring-builder', [`${name}.builder`, ...args], { env, cwd: folder });
    await build('create', '4', '1', '1');
    await build('add', `r1z1-127.0.0.1:${ports[name]}/d1`, '1');
    await build('rebalance');
  }
}
