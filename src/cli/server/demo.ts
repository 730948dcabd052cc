import { join } from 'node:path';
import { usageError } from '../../core/shared/errors.ts';
import { demoAccounts } from '../../demo/demo-accounts.ts';
import type { Options } from '../../settings/setting.ts';

const folder = 'catalog-demo';
/**
 * Options that the demo sets. The demo's passwords are public, so only this machine may reach the
 * demo. The demo writes its images to its own library roots, even if environment variables set
 * other roots.
 */
const demoSettings = {
  data: folder,
  files: '',
  host: '127.0.0.1',
  'games-root': join(folder, 'games'),
  'videos-root': join(folder, 'videos'),
};

/**
 * Returns the options of the command line together with those of the demo. Throws a usage error for
 * an option that cannot be combined with `--demo`.
 */
export function demoOptions(options: Options, isMinimal: boolean): Options {
  for (const name of [...Object.keys(demoSettings), 'database', 'files']) {
    if (options[name] !== undefined) throw usageError(`--${name}: cannot be used with --demo`);
  }
  if (isMinimal) throw usageError('--minimal: cannot be used with --demo');
  return { ...options, ...demoSettings };
}

/** Returns the message that is printed at every start of the demo. */
export function describeDemo(): string[] {
  const accounts = demoAccounts.map(({ username, password }) => `  ${username}, ${password}`);
  return [
    `The demo is in ./${folder}; delete that folder to start over. Accounts and passwords:`,
    ...accounts,
  ];
}
