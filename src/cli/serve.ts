import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { type Config, readConfig } from '../config.ts';
import { CatalogError, refused } from '../core/shared/errors.ts';
import { createAccountApi, type HttpApp } from '../http/account-api/app.ts';
import { createLog } from '../log.ts';
import { type Catalog, openCatalog } from '../wire.ts';
import { optionsOf, withData } from './options.ts';

/** `catalog serve`: the account API until a signal stops it. */
export function addServe(program: Command, version: string): void {
  withData(program.command('serve'))
    .description('serve the API')
    .option('--host <address>', 'address to listen on (CATALOG_HOST, default 0.0.0.0)')
    .option('--port <number>', 'port to listen on (CATALOG_PORT, default 8000)')
    .option('--trusted-proxy <cidr...>', 'network of a proxy whose forwarded headers count')
    .option('--cors-origins <list>', 'sites whose pages may call the API, by commas')
    .option('--token-days <number>', "lifetime of a login's token, 0 for ever (default 90)")
    .option('--login-failures <number>', 'failed logins before a pause (default 10)')
    .option('--login-window-min <number>', 'minutes that failed logins count (default 15)')
    .option('--max-archive-bytes <number>', 'largest archive (default: no limit)')
    .option('--stop-s <number>', 'seconds for running requests when it stops (default 30)')
    .option('--log-level <level>', 'debug, info, warn, error or silent (default info)')
    .action(async (_options: unknown, command: Command) => {
      const config = readConfig(optionsOf(command));
      await serve(config, version, createLog(config.logLevel));
    });
}

async function serve(config: Config, version: string, log: Logger): Promise<void> {
  const stop = new StopSignal();
  const catalog = await openCatalog(config, log);
  try {
    await ensureAdmin(catalog, config);
    const app = await createAccountApi(
      {
        ...catalog,
        corsOrigins: config.corsOrigins,
        version,
      },
      { log, trustedProxies: config.trustedProxies, isStopping: () => stop.came },
    );
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

/** First start: somebody must be able to log in. The password is printed once and never logged. */
async function ensureAdmin(catalog: Catalog, config: Config): Promise<void> {
  try {
    const made = await catalog.accounts.ensureAdmin(config.adminPassword);
    if (made === null) return;
    const password = made.generated ?? 'as CATALOG_ADMIN_PASSWORD says';
    process.stdout.write(`Created the first account. Username: admin, password: ${password}\n`);
  } catch (error) {
    if (!(error instanceof CatalogError) || error.kind !== 'conflict') throw error;
    throw refused(
      'there is no active admin, and the name "admin" is taken by an account that is none: ' +
        'activate an admin (catalog users activate NAME) or add one (catalog users add NAME --role admin)',
    );
  }
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

const sameWishMs = 500;

/** SIGTERM and SIGINT: the first asks to stop, the second to stop now. */
class StopSignal {
  came = false;
  readonly signalled: Promise<void>;
  #cameAt = 0;
  #second: () => void = () => process.exit(0);
  #resolve: () => void = () => undefined;

  constructor() {
    this.signalled = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    process.on('SIGTERM', this.#onSignal).on('SIGINT', this.#onSignal);
  }

  onSecond(action: () => void): void {
    this.#second = action;
  }

  release(): void {
    process.off('SIGTERM', this.#onSignal).off('SIGINT', this.#onSignal);
  }

  readonly #onSignal = () => {
    if (this.came) {
      // Ctrl-C below npm comes twice, from the terminal and from npm: that is one wish, not two.
      if (performance.now() - this.#cameAt > sameWishMs) this.#second();
      return;
    }
    this.came = true;
    this.#cameAt = performance.now();
    this.#resolve();
  };
}

/** Where people reach the server: this machine, and its addresses in the network when it listens on all. */
function addresses(app: HttpApp): string[] {
  const { address, port } = app.server.address() as AddressInfo;
  if (address !== '0.0.0.0' && address !== '::') {
    return [`http://${address.includes(':') ? `[${address}]` : address}:${port}`];
  }
  const own = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((entry) => entry.family === 'IPv4' && !entry.internal)
    .map((entry) => `http://${entry.address}:${port}`);
  return [`http://localhost:${port}`, ...own];
}
