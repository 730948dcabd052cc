import type { Command } from 'commander';
import { usageError } from '../core/shared/errors.ts';
import { withCatalog, withData } from './options.ts';
import { print } from './output.ts';

export function addBackup(program: Command): void {
  withData(program.command('backup'))
    .description('write a consistent copy of the database, also while the server runs')
    .argument('<file>', 'where to; an existing file is not replaced')
    .action((file: string, _options: unknown, command: Command) => {
      if (file === '-') {
        throw usageError('"-": a backup goes to a file, not to standard output (./- is a file)');
      }
      return withCatalog(command, async (catalog) => {
        await catalog.backup(file);
        print(`wrote ${file}`);
      });
    });
}
