// Checks that the product keeps the guarantees of docs/trust.md. Prints one table of checks, each
// with a control run that must detect a planted fault.
//   npm run trust [-- [--dats FOLDER] [--seed NUMBER] [--minutes NUMBER] NAME...]
import { parseArgs } from 'node:util';
import { parsePositiveNumber, selectByName } from '../measure/arguments.ts';
import { runEach } from '../measure/outcome.ts';
import { withWorkFolder } from '../measure/program.ts';
import { checks } from './checks.ts';
import { hasPassed, runCheck } from './run-check.ts';
import { summaryOfCheck, tableOfChecks } from './table.ts';
import { largeCatalogue } from './trial.ts';

const { values, positionals } = parseArgs({
  options: {
    dats: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    minutes: { type: 'string', default: '1.5' },
  },
  allowPositionals: true,
});
const chosen = selectByName('trust', 'check', checks, positionals);

await withWorkFolder(async (folder) => {
  const shared = {
    folder,
    largeCatalogue: largeCatalogue(folder, values.dats),
    seed: parsePositiveNumber('trust', 'seed', values.seed),
    minutes: parsePositiveNumber('trust', 'minutes', values.minutes),
  };
  const outcomes = await runEach(
    'trust',
    chosen,
    (check) => runCheck(check, shared),
    summaryOfCheck,
  );
  process.stdout.write(tableOfChecks(outcomes));
  const failed = outcomes.filter((outcome) => !('skipped' in outcome) && !hasPassed(outcome));
  process.exitCode = failed.length > 0 ? 1 : 0;
});
