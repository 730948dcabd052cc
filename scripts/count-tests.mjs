// Prints what each folder of tests took and the closing line of a test run, from vitest's JSON report:
//   node scripts/count-tests.mjs REPORT [--with-tools]
// Exits with 1 when a test failed, a file of tests could not be run or no test ran; with --with-tools, for a machine
// with all packages of debian-packages.txt, also when a test was skipped for lack of one.
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './stamps.mjs';

const lacksTool = /skipped: needs (the package|Chromium)/; // as test/support/tools.ts and test/page/browser.ts say it
const [report, withTools] = process.argv.slice(2);
const suites = new Map();
const lackedTools = [];
for (const file of read(report)) addTo(suiteOf(file), file);
const all = [...suites.values()].reduce(sum, emptySuite());

// files run side by side, so the seconds of all suites add up to more than the run took
for (const [name, suite] of [...suites].sort(bySeconds)) {
  const seconds = suite.seconds.toFixed(0).padStart(5);
  process.stdout.write(`${seconds} s  ${name} (${suite.files} files): ${counts(suite)}\n`);
}
process.stdout.write(`tests: ${counts(all)}\n`);
const missed = withTools === '--with-tools' ? lackedTools : [];
for (const name of missed) process.stdout.write(`tests: skipped with its tools there: ${name}\n`);
process.exitCode = all.passed > 0 && all.failed === 0 && missed.length === 0 ? 0 : 1;

function read(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch {
    return [
      {
        name: join(root, 'test', 'no report'),
        assertionResults: [],
        status: 'failed',
        startTime: 0,
        endTime: 0,
      },
    ];
  }
}

function suiteOf(file) {
  const name = relative(join(root, 'test'), file.name).split(sep)[0];
  if (!suites.has(name)) suites.set(name, emptySuite());
  return suites.get(name);
}

function emptySuite() {
  return { files: 0, passed: 0, failed: 0, skipped: 0, seconds: 0 };
}

function addTo(suite, { assertionResults, status, startTime, endTime }) {
  suite.files += 1;
  suite.seconds += (endTime - startTime) / 1000;
  for (const test of assertionResults) {
    if (test.status === 'passed') suite.passed += 1;
    else if (test.status === 'failed') suite.failed += 1;
    else {
      suite.skipped += 1;
      if (lacksTool.test(test.fullName)) lackedTools.push(test.fullName);
    }
  }
  // a file that could not be loaded, or whose hooks failed
  if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
    suite.failed += 1;
  }
}

function sum(one, other) {
  return Object.fromEntries(Object.keys(one).map((key) => [key, one[key] + other[key]]));
}

function bySeconds([, one], [, other]) {
  return other.seconds - one.seconds;
}

function counts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
