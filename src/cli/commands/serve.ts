import type { Command } from 'commander';
import { usageError } from '../../core/shared/errors.ts';
import { createLog } from '../../program/log.ts';
import { readConfig } from '../../settings/config.ts';
import { defaultText, type Setting } from '../../settings/setting.ts';
import {
  filesSettings,
  type SettingName,
  settings,
  settingsUsedBy,
} from '../../settings/settings.ts';
import { optionsOf, withSettings } from '../options.ts';
import { printLog } from '../output/output.ts';
import { demoOptions } from '../server/demo.ts';
import { ownWorker } from '../server/workers/worker-env.ts';

const commonSettings = settingsUsedBy('server');
const accountSettings = settingsUsedBy('account API');
const minimalSettings = settingsUsedBy('minimal API');

/**
 * Adds `catalog serve`: serves the account API, or with `--minimal` the minimal API, until a signal
 * stops the server.
 */
export function addServe(program: Command, version: string): void {
  const serve = program.command('serve').description('serve the API');
  withSettings(serve, ...commonSettings);
  withSettings(serve.optionsGroup('Options of the account API:'), ...accountSettings);
  serve.option('--demo', 'serve an invented catalogue from ./catalog-demo, to this machine only');
  serve
    .optionsGroup('Options of the minimal API:')
    .option('--minimal', 'serve the minimal API, read-only, without accounts');
  withSettings(serve, ...minimalSettings);
  serve.addHelpText('after', `\n${helpOfVariables()}`);
  serve.action(async (_options: unknown, command: Command) => {
    const isMinimal = command.getOptionValue('minimal') === true;
    const isDemo = command.getOptionValue('demo') === true;
    const options = isDemo ? demoOptions(optionsOf(command), isMinimal) : optionsOf(command);
    const given = accountSettings.filter(
      (name) => options[settings[name].option ?? ''] !== undefined,
    );
    const own = isMinimal ? [...minimalSettings, ...given] : accountSettings;
    // The demo always uses its own folder, so it ignores variables for a database or an object
    // store.
    const elsewhere: readonly SettingName[] = isDemo ? ['database', ...filesSettings] : [];
    const uses = [...commonSettings, ...own].filter((name) => !elsewhere.includes(name));
    const config = readConfig(options, undefined, uses);
    if (isMinimal) refuseAccountOptions(given);
    if (config.workers > 1 && ownWorker() === null) {
      const { serveByWorkers } = await import('../server/workers/serve-by-workers.ts');
      return serveByWorkers(config, createLog(config.logLevel, printLog));
    }
    // Imported on demand, so that other commands do not load the server's code.
    const { serve: start } = await import('../server/serve-variant.ts');
    await start(config, { isMinimal, isDemo, version });
  });
}

/** Returns the help text for settings that have a variable but no option, such as secrets. */
function helpOfVariables(): string {
  const lines = [...commonSettings, ...accountSettings, ...minimalSettings]
    .map((name): Setting<unknown> => settings[name])
    .filter(({ option }) => option === undefined)
    .map((setting) => {
      const { variable, meaning } = setting;
      return `  ${variable.padEnd(24)}${meaning} (default ${defaultText(setting)})`;
    });
  return ['Environment variables without an option:', ...lines].join('\n');
}

/**
 * Refuses an option of the account API with `--minimal`, because the option would have no effect. A
 * variable is accepted, because the variable may be set for servers of the account API.
 */
function refuseAccountOptions([given]: readonly SettingName[]): void {
  if (given === undefined) return;
  throw usageError(`--${settings[given].option}: cannot be used with --minimal`);
}
