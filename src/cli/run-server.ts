import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { refused } from '../core/shared/errors.ts';
import type { HttpApp, ServerOptions } from '../http/shared/server.ts';
import { type Catalog, openCatalog } from '../wire.ts';
import { StopSignal } from './stop-signal.ts';

/** Makes one of the two APIs over an open catalogue. */
export type CreateApi = (catalog: Catalog, options: ServerOptions) => HttpApp | Promise<HttpApp>;

/** Opens the data folder and serves an API on it until a signal stops it. */
export async function runServer(config: Config, log: Logger, createApi: CreateApi): Promise<void> {
  const stop = new StopSignal();
  const catalog = await openCatalog(config, log);
  try {
    const { trustedProxies } = config;
    const app = await createApi(catalog, { log, trustedProxies, isStopping: () => stop.came });
    await listen(app, config);
    log.info({ data: config.data, ...(app.server.address() as AddressInfo) }, 'serving');
    for (const url of addresses(app)) process.stdout.write(`Catalog is at ${url}\n`);
    await stop.signalled;
    log.info({ seconds: config.stopSeconds }, 'stopping: running requests may end');
    await closeWithin(app, config.stopSeconds, stop);
  } finally {
    await catalog.close();
    stop.release();
  }
  log.info({}, 'stopped');
}

async function listen(app: HttpApp, config: Config): Promise<void> {
  const { host, port } = config;
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw refused(`--port: port ${port} is taken, choose another one`);
    if (code === 'EACCES') throw refused(`--port: port ${port} may not be opened by this user`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw refused(`--host: "${host}" is no address of this machine`);
    }
    throw error;
  }
}

/** Refuses new requests, lets running ones end for so long, then cuts what is left. */
async function closeWithin(app: HttpApp, seconds: number, stop: StopSignal): Promise<void> {
  const closed = app.close();
  const cut = () => app.server.closeAllConnections();
  const timer = setTimeout(cut, seconds * 1000);
  stop.onSecond(cut);
  await closed;
  clearTimeout(timer);
}

/** Whether the whole network reaches a server that listens. */
export function listensOnAll(app: HttpApp): boolean {
  const { address } = app.server.address() as AddressInfo;
  return address === '0.0.0.0' || address === '::';
}

/** Where people reach the server: this machine, and its addresses in the network when it listens on all. */
function addresses(app: HttpApp): string[] {
  const { address, port } = app.server.address() as AddressInfo;
  if (!listensOnAll(app)) {
    return [`http://${address.includes(':') ? `[${address}]` : address}:${port}`];
  }
  const own = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((entry) => entry.family === 'IPv4' && !entry.internal)
    .map((entry) => `http://${entry.address}:${port}`);
  return [`http://localhost:${port}`, ...own];
}
