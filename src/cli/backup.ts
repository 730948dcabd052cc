import type { Command } from 'commander';
import { withCatalog, withData } from './options.ts';

export function addBackup(program: Command): void {
  withData(program.command('backup'))
    .description('write a consistent copy of the database, also while the server runs')
    .argument('<file>', 'where to; an existing file is not replaced')
    .action((file: string, _options: unknown, command: Command) =>
      withCatalog(command, async (catalog) => {
        await catalog.backup(file);
        process.stdout.write(`wrote ${file}\n`);
      }),
    );
}
