import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { CatalogError } from '../core/shared/errors.ts';
import { addBackup } from './backup.ts';
import { addCovers } from './covers.ts';
import { addImport } from './import.ts';
import { addOpenapi } from './openapi.ts';
import { addScan } from './scan.ts';
import { addServe } from './serve.ts';
import { addUsers } from './users.ts';

/** Runs the command line. The exit code is 0, or 1 after a line that says what went wrong. */
export async function run(args: readonly string[]): Promise<void> {
  const program = new Command('catalog')
    .description(
      'A catalogue, library and archive store for a collection of game and video disc images.',
    )
    .version(version())
    .showHelpAfterError('(catalog --help shows how it is used)')
    .exitOverride();
  addServe(program, version());
  addImport(program);
  addScan(program);
  addCovers(program);
  addUsers(program);
  addBackup(program);
  addOpenapi(program, version());
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    process.exitCode = codeFor(error);
  }
}

function codeFor(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode; // its message was printed
  if (error instanceof CatalogError) {
    const advice = error.kind === 'busy' ? ': another process is writing, try again' : '';
    process.stderr.write(`catalog: ${error.message}${advice}\n`);
    return 1;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`catalog: this should not happen, please report it: ${text}\n`);
  return 1;
}

/** The package's version; package.json lies one folder above src/ and dist/. */
function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
