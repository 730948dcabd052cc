import type { Command } from 'commander';
import type { Logger } from 'pino';
import { type Config, type Options, readConfig } from '../config.ts';
import { CatalogError, refused } from '../core/shared/errors.ts';
import { createAccountApi } from '../http/account-api/app.ts';
import { createMinimalApi } from '../http/minimal-api/app.ts';
import { createLog } from '../log.ts';
import type { Catalog } from '../wire.ts';
import { optionsOf, withData } from './options.ts';
import { type CreateApi, listensOnAll, runServer } from './run-server.ts';

/** `catalog serve`: the account API, or with `--minimal` the other one, until a signal stops it. */
export function addServe(program: Command, version: string): void {
  withData(program.command('serve'))
    .description('serve the API')
    .option('--host <address>', 'address to listen on (CATALOG_HOST, default 0.0.0.0)')
    .option('--port <number>', 'port to listen on (CATALOG_PORT, default 8000)')
    .option('--trusted-proxy <cidr...>', 'network of a proxy whose forwarded headers count')
    .option('--stop-s <number>', 'seconds for running requests when it stops (default 30)')
    .option('--log-level <level>', 'debug, info, warn, error or silent (default info)')
    .optionsGroup('Options of the account API:')
    .option('--cors-origins <list>', 'sites whose pages may call the API, by commas')
    .option('--token-days <number>', "lifetime of a login's token, 0 for ever (default 90)")
    .option('--login-failures <number>', 'failed logins before a pause (default 10)')
    .option('--login-window-min <number>', 'minutes that failed logins count (default 15)')
    .option('--max-archive-bytes <number>', 'largest archive (default: no limit)')
    .optionsGroup('Options of the minimal API:')
    .option('--minimal', 'serve the minimal API, read-only, without accounts (CATALOG_API_TOKEN)')
    .option('--games-root <dir...>', 'folder of game images (CATALOG_GAMES_ROOT)')
    .option('--videos-root <dir...>', 'folder of video images (CATALOG_VIDEOS_ROOT)')
    .option(
      '--cover-source <url>',
      'server that covers come from, "" for none (CATALOG_COVER_SOURCE)',
    )
    .action(async (_options: unknown, command: Command) => {
      const options = optionsOf(command);
      const config = readConfig(options);
      const isMinimal = command.getOptionValue('minimal') === true;
      refuseOthersOptions(options, isMinimal);
      const log = createLog(config.logLevel);
      const createApi = isMinimal ? minimalApi(config, log) : accountApi(config, version);
      await runServer(config, log, createApi);
    });
}

const accountOptions = [
  'cors-origins',
  'token-days',
  'login-failures',
  'login-window-min',
  'max-archive-bytes',
];
const minimalOptions = ['games-root', 'videos-root', 'cover-source'];

/** An option without effect is a mistake. A variable is none: it may be there for the other variant. */
function refuseOthersOptions(options: Options, isMinimal: boolean): void {
  const others = isMinimal ? accountOptions : minimalOptions;
  const given = others.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw refused(
    isMinimal
      ? `--${given}: has no meaning with --minimal`
      : `--${given}: has a meaning only with --minimal`,
  );
}

/** The account variant. */
function accountApi(config: Config, version: string): CreateApi {
  return async (catalog, options) => {
    await ensureAdmin(catalog, config);
    const { corsOrigins } = config;
    return createAccountApi({ ...catalog, corsOrigins, version }, options);
  };
}

/** The minimal variant. */
function minimalApi(config: Config, log: Logger): CreateApi {
  return (catalog, options) => {
    const { apiToken } = config;
    const app = createMinimalApi({ ...catalog, apiToken }, options);
    app.server.once('listening', () => {
      if (apiToken === '' && listensOnAll(app)) log.warn({}, openStore);
      catalog.library.startFirstPass().catch((error: unknown) => {
        if (!options.isStopping())
          log.error({ err: error }, 'the first pass over the library failed');
      });
    });
    return app;
  };
}

const openStore =
  'CATALOG_API_TOKEN is not set: everybody who reaches this server may list and download the store';

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
