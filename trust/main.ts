// Checks that the product keeps the guarantees of docs/trust.md. Prints one table of checks, each
// with a control run that must detect a planted fault.
//   npm run trust [-- [--dats FOLDER] [--seed NUMBER] [--minutes NUMBER] NAME...]
import { parseArgs } from 'node:util';
import { withWorkFolder } from '../bench/work.ts';
import { checks } from './checks.ts';
import { hasPassed, type Outcome, runCheck } from './run-check.ts';
import { inShort, printTable } from './table.ts';
import { largeCatalogue } from './trial.ts';

const { values, positionals } = parseArgs({
  options: {
    dats: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    minutes: { type: 'string', default: '1.5' },
  },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  const known = checks.map(({ name }) => name).join(', ');
  process.stderr.write(`trust: no check is called ${unknown.join(', ')}; there are ${known}\n`);
  process.exit(2);
}
const chosen = checks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

await withWorkFolder(async (folder) => {
  const outcomes: Outcome[] = [];
  const shared = {
    folder,
    largeCatalogue: largeCatalogue(folder, values.dats),
    seed: numberOf('seed'),
    minutes: numberOf('minutes'),
  };
  for (const check of chosen) {
    process.stderr.write(`trust: ${check.name}\n`);
    const since = performance.now();
    const outcome = await runCheck(check, shared);
    outcomes.push(outcome);
    const seconds = Math.round((performance.now() - since) / 1_000);
    process.stderr.write(`trust: ${check.name}: ${inShort(outcome)} (${seconds} s)\n`);
  }
  printTable(outcomes);
  const failed = outcomes.filter((outcome) => !('skipped' in outcome) && !hasPassed(outcome));
  process.exitCode = failed.length > 0 ? 1 : 0;
});

function numberOf(option: 'seed' | 'minutes'): number {
  const number = Number(values[option]);
  if (Number.isFinite(number) && number > 0) return number;
  process.stderr.write(`trust: --${option} takes a number above 0\n`);
  process.exit(2);
}
