import type { Command } from 'commander';
import { usageError } from '../../../core/shared/errors.ts';
import type { Catalog } from '../../../wire/catalog.ts';
import { withCatalog, withData } from '../../options.ts';
import { print } from '../../output/output.ts';
import { withStopSignals } from '../../with-stop-signals.ts';
import { getNamed } from '../sets.ts';

interface ExportFlags {
  readonly profile: string;
  readonly romsPath?: string;
  readonly out: string;
}

const stopMessage = 'stopped; the export is not complete: run it again';

/** Adds `catalog export`: writes what a device needs to show the games of a set. */
export function addExport(program: Command): void {
  withData(program.command('export'))
    .description('write metadata, playlists and pictures of a set for a device, without its games')
    .argument('<set>', 'id or name of a set')
    .requiredOption('--profile <id>', 'the device; "catalog profiles" lists them')
    .option('--roms-path <dir>', 'folder of all games on the device (default: of the profile)')
    .requiredOption('--out <path>', 'a new .zip file, or a new or empty folder')
    .action((named: string, { profile, romsPath = '', out }: ExportFlags, command: Command) =>
      withCatalog(command, async (catalog) => {
        const { sets, releases, exports } = catalog;
        const { placement } = profileNamed(profile, catalog);
        const { id, name } = await getNamed(catalog, named);
        const set = releases.openSet(name, await sets.select(`${id}`, 'everybody'));
        const files = await withStopSignals(stopMessage, (signal) =>
          exports.write({ set, profile, romsPath }, out, signal),
        );
        print(`wrote ${files} files to ${out}; left_out.json lists what the device cannot open`);
        if (placement !== '') print(placement);
      }),
    );
}

/** Returns a profile. Throws a usage error if there is none with this id. */
export function profileNamed(id: string, { profiles }: Catalog) {
  const profile = profiles.list().find((each) => each.id === id);
  if (profile !== undefined) return profile;
  throw usageError(`--profile: "${id}" is not a profile; "catalog profiles" lists them`);
}
