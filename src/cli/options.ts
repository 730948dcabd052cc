import type { Command } from 'commander';
import { type Config, readConfig } from '../settings/config.ts';
import { defaultText, type Options, type Setting } from '../settings/setting.ts';
import { filesSettings, type SettingName, settingNames, settings } from '../settings/settings.ts';
import type { Catalog } from '../wire/catalog.ts';
import { openCatalog } from '../wire/open-catalog.ts';
import { printError } from './output/output.ts';

/** Adds the options that say which catalogue to open. Almost every command has these options. */
export function withData(command: Command): Command {
  return withSettings(command, 'data', 'database', 'files');
}

/**
 * Adds an option for each of these settings. The option's help text names the environment variable
 * and the default.
 */
export function withSettings(command: Command, ...names: readonly SettingName[]): Command {
  for (const name of names) {
    const setting: Setting<unknown> = settings[name];
    const { option, takes, variable, meaning } = setting;
    if (option === undefined) continue;
    const help = `${meaning} (${variable}, default ${defaultText(setting)})`;
    command.option(takes === undefined ? `--${option}` : `--${option} ${takes}`, help);
  }
  return command;
}

/**
 * Returns the options that the user passed to a command, by long name, in the form that
 * `readConfig` expects.
 */
export function optionsOf(command: Command): Options {
  const given: Record<string, string | string[]> = {};
  for (const option of command.options) {
    const value = command.getOptionValue(option.attributeName());
    if (value === true) given[option.name()] = 'on';
    else if (typeof value === 'string' || Array.isArray(value)) given[option.name()] = value;
  }
  return given;
}

/**
 * Opens the catalogue, runs `work`, and closes the catalogue even if `work` fails. Only if
 * `createsCatalog` is true, creates a missing catalogue and upgrades a database of an older
 * version. Reads only the settings for which the command has options.
 */
export async function withCatalog<T>(
  command: Command,
  work: (catalog: Catalog, config: Config) => Promise<T>,
  options: { createsCatalog?: boolean } = {},
): Promise<T> {
  const config = configOf(command);
  const warn = (_fields: object, message: string) => printError(`catalog: ${message}`);
  const mustExist = !options.createsCatalog;
  const opening = { mustExist, mustBeCurrent: mustExist, readers: 1 };
  const catalog = await openCatalog(config, { warn }, opening);
  try {
    return await work(catalog, config);
  } finally {
    await catalog.close();
  }
}

/**
 * Reads the settings for which the command has options. If the command has `--files`, also reads
 * the S3 settings. If it has `--database`, also reads the number of connections. All other settings
 * get their defaults.
 */
export function configOf(command: Command): Config {
  return readConfig(optionsOf(command), undefined, settingsOf(command));
}

function settingsOf(command: Command): SettingName[] {
  const long = new Set(command.options.map((option) => option.name()));
  return settingNames.filter((name) => {
    const leading = filesSettings.includes(name) ? 'files' : name;
    const isOfDatabase = name === 'databaseConnections' && long.has('database');
    return isOfDatabase || long.has(settings[leading].option ?? '');
  });
}
