import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { mentionsFull } from './selected-files.ts';

const SHOWN_FILES = 10;

/**
 * Reports the slowest files at the end of a run, and the tests that passed only after a retry
 * (test/flaky.md). Fails a run if `mentionsFull` does not find the tag of a test tagged `full`.
 */
export default class EndOfRun implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = modules
      .map((module) => ({ name: nameOf(module), seconds: secondsOf(module) }))
      .sort((one, other) => other.seconds - one.seconds)
      .slice(0, SHOWN_FILES);
    printLine(`The ${slowest.length} slowest files:`);
    for (const { name, seconds } of slowest)
      printLine(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (test.diagnostic()?.flaky) printLine(`FLAKY  ${nameOf(module)} > ${test.fullName}`);
        if (test.tags.includes('full') && !mentionsFull(module.moduleId)) {
          printLine(`selected-files.ts does not find the tag of ${nameOf(module)}`);
          process.exitCode = 1;
        }
      }
    }
  }
}

/** Returns the seconds for loading a test file and running its tests and hooks. */
function secondsOf(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return (collectDuration + duration) / 1000;
}

function nameOf({ moduleId }: TestModule): string {
  return relative(process.cwd(), moduleId);
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
