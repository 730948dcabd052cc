import type { Command } from 'commander';
import { usageError } from '../../core/shared/errors.ts';
import type { Finding, VerifyProgress, VerifyReport } from '../../core/verify/verification.ts';
import { verifyWork } from '../../jobs/verify-work.ts';
import { withCatalog, withData } from '../options.ts';
import { print, printError, printJson } from '../output/output.ts';
import { ProgressDisplay } from '../output/progress-display.ts';
import type { ProgressView } from '../output/progress-line.ts';
import { runJob } from '../run-job.ts';

interface VerifyFlags {
  readonly store?: true;
  readonly covers?: true;
  readonly library?: true;
  readonly rate?: string;
  readonly parallel?: string;
  readonly json?: true;
}

/**
 * Adds `catalog verify`: reads all stored files again and compares them with their records, as a
 * job.
 */
export function addVerify(program: Command): void {
  withData(program.command('verify'))
    .description('read all stored files again and compare them with their records')
    .option('--store', 'only the archives')
    .option('--covers', 'only the covers')
    .option('--library', 'only the library')
    .option(
      '--rate <bytes>',
      'maximum bytes to read per second, such as 500K, 50M or 1G (K is 1024)',
    )
    .option(
      '--parallel <n>',
      'read up to <n> archives or covers at a time, 1 to 16 (default: 4 from an object store, else 1)',
    )
    .option('--json', 'print the report as JSON')
    .action(verify);
}

function verify(flags: VerifyFlags, command: Command): Promise<void> {
  const { store, covers, library, json: isJson = false } = flags;
  const options = {
    store,
    covers,
    library,
    rate: rateOf(flags.rate),
    parallel: parallelOf(flags.parallel),
  };
  return withCatalog(command, async (catalog) => {
    const report = await runJob(catalog, {
      options,
      work: verifyWork(catalog, options),
      display: new ProgressDisplay({ isSilent: isJson, firstLineMs: 10_000 }),
      stopMessage: 'stopped; the next verify of the same parts continues where this one stopped',
      show,
    });
    if (isJson) printJson(report);
    else printReport(report);
    if (report.findings.length > 0) process.exitCode = 1;
  });
}

function parallelOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parallel = Number(text);
  if (Number.isInteger(parallel) && parallel >= 1 && parallel <= 16) return parallel;
  throw usageError(`--parallel: "${text}" is not a whole number from 1 to 16`);
}

const units: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

function rateOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, number, unit = ''] = /^([0-9]{1,12})([KMG]?)$/.exec(text) ?? [];
  const rate = Number(number) * (units[unit] ?? 1);
  if (rate >= 1) return rate;
  throw usageError(`--rate: "${text}" is not a number of bytes per second, such as 50M`);
}

function show({ part, files, bytes, total, name }: VerifyProgress): ProgressView {
  return { phase: part, done: bytes, total, areBytes: true, counts: [`${files} files`], name };
}

function printReport({ files, bytes, findings, startedAt }: VerifyReport): void {
  if (findings.length > 0) {
    printError(...findings.map(({ path, kind, reason }) => `${path}: ${kind}: ${reason}`));
  }
  print(`${files} files compared, ${bytes} bytes, since ${startedAt}: ${describe(findings)}`);
}

function describe(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'all match their records';
  const count = (kind: Finding['kind']) => findings.filter((found) => found.kind === kind).length;
  const kinds = ['missing', 'extra', 'changed', 'unreadable'] as const;
  return kinds.map((kind) => `${count(kind)} ${kind}`).join(', ');
}
