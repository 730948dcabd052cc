import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { CatalogError } from '../core/shared/errors.ts';
import { addAdopt } from './commands/adopt.ts';
import { addAudit } from './commands/audit.ts';
import { addBackup } from './commands/backup.ts';
import { addCompletion } from './commands/completion.ts';
import { addCopy } from './commands/copy.ts';
import { addCovers } from './commands/covers.ts';
import { addDoctor } from './commands/doctor.ts';
import { addBuild } from './commands/exports/build.ts';
import { addExport } from './commands/exports/export.ts';
import { addProfiles } from './commands/exports/profiles.ts';
import { addImport } from './commands/import.ts';
import { addJob } from './commands/job.ts';
import { addOpenapi } from './commands/openapi.ts';
import { addRestore } from './commands/restore.ts';
import { addScan } from './commands/scan.ts';
import { addServe } from './commands/serve.ts';
import { addSets } from './commands/sets.ts';
import { addUsers } from './commands/users.ts';
import { addVerify } from './commands/verify.ts';
import { flushOutput, handleOutputErrors, print, printError } from './output/output.ts';
import { Stopped } from './stopped.ts';

/**
 * Runs the command line and sets the exit code: 0 for success, 1 for a failure, 2 for an invalid
 * command line or setting. For work that SIGINT or SIGTERM stopped, the exit code is 130 or 143.
 * Prints the reason if the command ended with an error.
 */
export async function run(args: readonly string[]): Promise<void> {
  handleOutputErrors();
  try {
    await createProgram().parseAsync([...args], { from: 'user' });
  } catch (error) {
    process.exitCode = await exitCodeFor(error);
  }
  // The exit code of the work stays the same, even if the last output could not be written.
  await flushOutput().catch(reportError);
}

/** Returns the command line with all of its commands. */
export function createProgram(): Command {
  const program = new Command('catalog')
    .description(
      'A catalogue, library and archive store for a collection of game and video disc images.',
    )
    .version(version())
    .configureOutput({
      writeOut: (text) => print(...linesOf(text)),
      writeErr: (text) => printError(...linesOf(text)),
      outputError: (text) => printError(...linesOf(text.replace(/^error: /, 'catalog: '))),
    })
    .exitOverride();
  addServe(program, version());
  addImport(program);
  addScan(program);
  addCovers(program);
  addJob(program);
  addUsers(program);
  addSets(program);
  addAdopt(program);
  addBackup(program);
  addRestore(program);
  addCopy(program);
  addVerify(program);
  addDoctor(program);
  addExport(program);
  addBuild(program);
  addProfiles(program);
  addAudit(program);
  addCompletion(program);
  addOpenapi(program, version());
  addHelpHints(program, 'catalog');
  return program;
}

/** Makes each command print, after a usage error, how to get the help of that command. */
function addHelpHints(command: Command, name: string): void {
  command.showHelpAfterError(`(run "${name} --help" for the usage)`);
  for (const each of command.commands) addHelpHints(each, `${name} ${each.name()}`);
}

async function exitCodeFor(error: unknown): Promise<number> {
  if (!(error instanceof CommanderError)) return reportError(error);
  if (error.exitCode !== 0) return 2; // commander has printed the message
  return flushOutput().then(() => 0, reportError); // help or the version was printed
}

/** Prints the message of an error. Returns the exit code for the error. */
function reportError(error: unknown): number {
  if (error instanceof CatalogError) {
    printError(`catalog: ${error.message}${adviceOf(error)}`);
    if (error instanceof Stopped) return error.exitCode;
    return error.kind === 'usage' ? 2 : 1;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  printError(...linesOf(`catalog: this should not happen, please report it: ${text}`));
  return 1;
}

function adviceOf({ kind, reason, outcomeUnknown }: CatalogError): string {
  if (kind !== 'busy') return '';
  if (outcomeUnknown)
    return ': the connection was lost during the last step; check whether the change was made, else try again';
  return `: ${reason ?? 'another process is writing'}, try again`;
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/**
 * Returns the version from package.json, which is two folders above this file in src/ and in dist/.
 */
function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
