// Prints the closing line of a test run from vitest's JSON report: node scripts/count-tests.mjs REPORT
// Exits with 1 when a test failed, a file of tests could not be run or no test ran.
import { readFileSync } from 'node:fs';

const report = read(process.argv[2]);
const isBroken = (file) => file.status === 'failed' && file.assertionResults.length === 0;
const broken = report.testResults.filter(isBroken).length;
const passed = report.numPassedTests;
const failed = report.numFailedTests + broken;
const skipped = report.numPendingTests + report.numTodoTests;
process.stdout.write(`tests: ${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {
      testResults: [],
      numPassedTests: 0,
      numFailedTests: 1,
      numPendingTests: 0,
      numTodoTests: 0,
    };
  }
}
