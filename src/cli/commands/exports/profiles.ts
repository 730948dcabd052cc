import type { Command } from 'commander';
import type { Profile } from '../../../core/exports/profiles/profile.ts';
import { withCatalog, withData } from '../../options.ts';
import { printJson, printRow } from '../../output/output.ts';

/** Adds `catalog profiles`: lists the devices and front ends that exports are made for. */
export function addProfiles(program: Command): void {
  withData(program.command('profiles'))
    .description('list the devices and front ends that a set can be exported for')
    .option('--json', 'print the profiles as JSON')
    .action(({ json: isJson = false }: { json?: boolean }, command: Command) =>
      withCatalog(command, async ({ profiles }) => {
        if (isJson) printJson(profiles.list().map(toJson));
        else for (const { id, title, placement } of profiles.list()) printRow(id, title, placement);
        // The reasons for refused profiles were printed when the catalogue was opened.
        if (profiles.refused.length > 0) process.exitCode = 1;
      }),
    );
}

function toJson({ platforms, ...profile }: Profile): object {
  return { ...profile, platforms: [...platforms.values()] };
}
