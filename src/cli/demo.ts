import { join } from 'node:path';
import { usageError } from '../core/shared/errors.ts';
import { demoAccounts } from '../demo/demo-accounts.ts';
import type { Options } from '../settings.ts';

const folder = 'catalog-demo';
/**
 * Options that the demo sets itself. The demo's passwords are public, so only this machine may
 * reach the demo. Its images are written to its own library roots, even if variables name other
 * ones.
 */
const demoPlace = {
  data: folder,
  files: '',
  host: '127.0.0.1',
  'games-root': join(folder, 'games'),
  'videos-root': join(folder, 'videos'),
};

/**
 * Returns the given options together with the demo's own options. Throws for options that cannot be
 * combined with `--demo`.
 */
export function demoOptions(options: Options, isMinimal: boolean): Options {
  for (const name of [...Object.keys(demoPlace), 'database', 'files']) {
    if (options[name] !== undefined) throw usageError(`--${name}: has no meaning with --demo`);
  }
  if (isMinimal) throw usageError('--minimal: has no meaning with --demo');
  return { ...options, ...demoPlace };
}

/** Returns the message that is printed at every start of the demo. */
export function describeDemo(): string[] {
  const accounts = demoAccounts.map(({ username, password }) => `  ${username}, ${password}`);
  return [
    `The demo is in ./${folder}; delete that folder to begin anew. Accounts and passwords:`,
    ...accounts,
  ];
}
