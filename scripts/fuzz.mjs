// Runs every image reader on damaged files: npm run fuzz -- [NUMBER]. The default is 2,000 files.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './stamps.mjs';

const [number = '2000'] = process.argv.slice(2);
if (!/^[1-9]\d{0,6}$/.test(number)) {
  process.stderr.write(`fuzz: "${number}" is no number of damaged files\n`);
  process.exit(2);
}
// The title of each of these tests contains the number.
const timeout = `--testTimeout=${Math.max(30_000, Number(number) * 300)}`;
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', 'test/disk', '-t', number, timeout],
  {
    cwd: root,
    env: { ...process.env, CATALOG_MUTANTS: number },
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
