import type { Command } from 'commander';
import type { Logger } from 'pino';
import { type Config, readConfig } from '../config.ts';
import { CatalogError, refused, usageError } from '../core/shared/errors.ts';
import { fillDemo } from '../demo/fill-demo.ts';
import { createAccountApi } from '../http/account-api/app.ts';
import { createMinimalApi } from '../http/minimal-api/app.ts';
import { createLog } from '../log.ts';
import { type SettingName, settings } from '../settings.ts';
import type { Catalog } from '../wire.ts';
import { demoOptions, describeDemo } from './demo.ts';
import { optionsOf, withSettings } from './options.ts';
import { isAllRead, print, printLog } from './output.ts';
import { listensOnAll, runServer, type Variant } from './run-server.ts';

const common: readonly SettingName[] = [
  'data',
  'host',
  'port',
  'trustedProxies',
  'stopSeconds',
  'logLevel',
  'gamesRoots',
  'videosRoots',
  'coverSource',
];
const ofAccounts: readonly SettingName[] = [
  'requireSignIn',
  'corsOrigins',
  'tokenDays',
  'loginFailures',
  'loginWindowMinutes',
  'maxArchiveBytes',
  'uploadDays',
  'adminPassword',
];
const ofMinimal: readonly SettingName[] = ['apiToken'];

/** `catalog serve`: the account API, or with `--minimal` the other one, until a signal stops it. */
export function addServe(program: Command, version: string): void {
  const serve = program.command('serve').description('serve the API');
  withSettings(serve, ...common);
  withSettings(serve.optionsGroup('Options of the account API:'), ...ofAccounts);
  serve.option('--demo', 'serve a made-up catalogue in ./catalog-demo, to this machine only');
  serve
    .optionsGroup('Options of the minimal API:')
    .option('--minimal', 'serve the minimal API, read-only, without accounts');
  withSettings(serve, ...ofMinimal);
  serve.addHelpText('after', `\n${helpOfVariables()}`);
  serve.action(async (_options: unknown, command: Command) => {
    const isMinimal = command.getOptionValue('minimal') === true;
    const isDemo = command.getOptionValue('demo') === true;
    const options = isDemo ? demoOptions(optionsOf(command), isMinimal) : optionsOf(command);
    const given = ofAccounts.filter((name) => options[settings[name].option ?? ''] !== undefined);
    const own = isMinimal ? [...ofMinimal, ...given] : ofAccounts;
    const config = readConfig(options, undefined, [...common, ...own]);
    if (isMinimal) refuseOthersOptions(given);
    const log = createLog(config.logLevel, printLog);
    const variant = isMinimal ? minimalApi(config, log) : accountApi(config, log, version);
    await runServer(config, log, isDemo ? { ...variant, begin: beginDemo } : variant);
  });
}

/** Secrets have a variable only. */
function helpOfVariables(): string {
  const lines = [...ofAccounts, ...ofMinimal]
    .map((name) => settings[name])
    .filter(({ option }) => option === undefined)
    .map(({ variable, meaning, shownDefault }) => {
      return `  ${variable.padEnd(24)}${meaning} (default ${shownDefault})`;
    });
  return ['Variables without an option:', ...lines].join('\n');
}

/** An option without effect is a mistake. A variable is none: it may be there for the other variant. */
function refuseOthersOptions([given]: readonly SettingName[]): void {
  if (given === undefined) return;
  throw usageError(`--${settings[given].option}: has no meaning with --minimal`);
}

/** The account variant. */
function accountApi(config: Config, log: Logger, version: string): Variant {
  const { corsOrigins, requireSignIn } = config;
  return {
    createApp: (catalog, options) =>
      createAccountApi({ ...catalog, corsOrigins, requireSignIn, version }, options),
    async begin(catalog) {
      await ensureAdmin(catalog, config, log);
      catalog.schedules.begin();
      catalog.uploads.start();
    },
  };
}

async function beginDemo(catalog: Catalog): Promise<void> {
  await fillDemo(catalog);
  catalog.uploads.start();
  print(...describeDemo());
}

/** The minimal variant. */
function minimalApi(config: Config, log: Logger): Variant {
  const { apiToken } = config;
  return {
    createApp: (catalog, options) => createMinimalApi({ ...catalog, apiToken }, options),
    begin(catalog, app, { isStopping }) {
      if (apiToken === '' && listensOnAll(app)) log.warn({}, openStore);
      catalog.library.startFirstPass().catch((error: unknown) => {
        if (!isStopping()) log.error({ err: error }, 'the first pass over the library failed');
      });
    },
  };
}

const openStore =
  'CATALOG_API_TOKEN is not set: everybody who reaches this server may list and download the store';

/** First start: somebody must be able to log in. The password is printed once and never logged. */
async function ensureAdmin(catalog: Catalog, config: Config, log: Logger): Promise<void> {
  const made = await catalog.accounts.ensureAdmin(config.adminPassword).catch(explained);
  if (made === null) return;
  const password = made.generated ?? 'as CATALOG_ADMIN_PASSWORD says';
  print(`Created the first account. Username: admin, password: ${password}`);
  if (made.generated !== null && !(await isAllRead())) log.warn({}, lostPassword);
}

const lostPassword =
  'the generated password of admin could not be printed: set another one with "catalog users passwd admin"';

function explained(error: unknown): never {
  if (!(error instanceof CatalogError) || error.kind !== 'conflict') throw error;
  throw refused(
    'there is no active admin, and the name "admin" is taken by an account that is none: ' +
      'activate an admin (catalog users activate NAME) or add one (catalog users add NAME --role admin)',
  );
}
