import type { Command } from 'commander';
import { type Config, type Options, readConfig } from '../config.ts';
import { type Catalog, openCatalog } from '../wire.ts';

/** The option that every command has. */
export function withData(command: Command): Command {
  return command.option('--data <dir>', 'data folder (CATALOG_DATA, default ./catalog-data)');
}

/** The options of a command by their long names, as config.ts knows them. */
export function optionsOf(command: Command): Options {
  const given: Record<string, string | string[]> = {};
  for (const option of command.options) {
    const value = command.getOptionValue(option.attributeName());
    if (typeof value === 'string' || Array.isArray(value)) given[option.name()] = value;
  }
  return given;
}

/**
 * Opens the data folder for one command and closes it again, whatever happens. Only commands that add something may
 * begin a catalogue.
 */
export async function withCatalog<T>(
  command: Command,
  work: (catalog: Catalog, config: Config) => Promise<T>,
  options: { begins?: boolean } = {},
): Promise<T> {
  const config = readConfig(optionsOf(command));
  const warn = (_fields: object, message: string) => process.stderr.write(`catalog: ${message}\n`);
  const catalog = await openCatalog(config, { warn }, { mustExist: !options.begins, readers: 1 });
  try {
    return await work(catalog, config);
  } finally {
    await catalog.close();
  }
}
