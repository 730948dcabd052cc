import type { Command } from 'commander';
import { printJson } from '../output/output.ts';

/** Adds `catalog openapi`: prints the OpenAPI document of the account API or the minimal API. */
export function addOpenapi(program: Command, version: string): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of the API that "catalog serve" serves')
    .option('--minimal', 'print the document of the minimal API, "catalog serve --minimal"')
    .action(async ({ minimal }: { minimal?: true }) => {
      // Imported on demand, so that other commands do not load the API's code.
      const document = minimal
        ? (await import('../../http/minimal-api/app.ts')).minimalDocument(version)
        : (await import('../../http/account-api/app.ts')).accountDocument(version);
      printJson(document);
    });
}
