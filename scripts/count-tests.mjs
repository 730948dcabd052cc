// Prints the duration of each folder of tests and the closing line of a test run. The input is
// vitest's JSON reports, one per part of the run:
//   node scripts/count-tests.mjs REPORT... [--with-tools]
// A test that several parts report counts once. Names the tests that passed only after a retry
// (test/flaky.md).
// Exits with 1 if a test failed, a test file could not be run or no test ran.
// With --with-tools, also exits with 1 if a test was skipped because a package is missing. Use this
// option on a machine with all packages of debian-packages.txt.
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './stamps.mjs';

/**
 * Matches the titles of skipped tests. The texts come from test/support/tools.ts and
 * test/page/support/browser.ts.
 */
const lacksTool = /skipped: needs (the package|Chromium)/;
const withTools = process.argv.includes('--with-tools');
const reports = process.argv.slice(2).filter((arg) => arg !== '--with-tools');
const suites = new Map();
const skippedForTools = [];
const flaky = [];
for (const file of reports.flatMap(read)) addTo(suiteOf(file), file);
for (const suite of suites.values()) count(suite);
const all = [...suites.values()].reduce(sum, emptySuite());

// files run concurrently, so the sum of the seconds exceeds the duration of the run
for (const [name, suite] of [...suites].sort(bySeconds)) {
  const seconds = suite.seconds.toFixed(0).padStart(5);
  process.stdout.write(`${seconds} s  ${name} (${suite.files} files): ${counts(suite)}\n`);
}
process.stdout.write(`tests: ${counts(all)}\n`);
for (const name of flaky) process.stdout.write(`tests: YELLOW, passed when run again: ${name}\n`);
const unexpectedSkips = withTools ? skippedForTools : [];
for (const name of unexpectedSkips)
  process.stdout.write(`tests: skipped with its tools there: ${name}\n`);
process.exitCode = all.passed > 0 && all.failed === 0 && unexpectedSkips.length === 0 ? 0 : 1;

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
  return { files: 0, passed: 0, failed: 0, skipped: 0, seconds: 0, states: new Map() };
}

function addTo(suite, { name, assertionResults, status, startTime, endTime }) {
  suite.seconds += (endTime - startTime) / 1000;
  const file = relative(root, name);
  const states = suite.states.get(file) ?? new Map();
  suite.states.set(file, states);
  for (const test of assertionResults) {
    const before = states.get(test.fullName);
    if (before === undefined || before === 'skipped') states.set(test.fullName, test.status);
    if (test.status === 'passed' && test.failureMessages?.length > 0) {
      flaky.push(`${file} > ${test.fullName}`);
    }
  }
  // the file could not be loaded, or its hooks failed
  if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
    suite.failed += 1;
  }
}

/** Counts the tests of a suite. All parts must have been read before. */
function count(suite) {
  suite.files = suite.states.size;
  for (const [name, state] of [...suite.states.values()].flatMap((states) => [...states])) {
    if (state === 'passed' || state === 'failed') suite[state] += 1;
    else {
      suite.skipped += 1;
      if (lacksTool.test(name)) skippedForTools.push(name);
    }
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
