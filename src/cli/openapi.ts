import type { Command } from 'commander';
import { accountDocument } from '../http/account-api/app.ts';
import { minimalDocument } from '../http/minimal-api/app.ts';
import { printJson } from './output.ts';

export function addOpenapi(program: Command, version: string): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of the API that "catalog serve" serves')
    .option('--minimal', 'of the minimal variant, "catalog serve --minimal"')
    .action(({ minimal }: { minimal?: true }) => {
      const document = minimal ? minimalDocument(version) : accountDocument(version);
      printJson(document);
    });
}
