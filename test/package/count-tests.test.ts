import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const script = join(import.meta.dirname, '../../scripts/count-tests.mjs');
const zipSkipReason = 'zip skipped: needs the package zip';

let folder: string;
let written = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-count-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a test that was skipped for lack of a tool', () => {
  test('is accepted without --with-tools', async () => {
    expect(await count('skipped', zipSkipReason)).toMatchObject({ code: 0 });
  });

  test('fails the count with --with-tools, and is named', async () => {
    const { code, output } = await count('skipped', zipSkipReason, '--with-tools');
    expect(code).toBe(1);
    expect(output).toContain(zipSkipReason);
  });

  test('fails the count with --with-tools if it needs the browser', async () => {
    const name = 'a release (skipped: needs Chromium, see CHROMIUM_PATH)';
    expect(await count('skipped', name, '--with-tools')).toMatchObject({ code: 1 });
  });
});

describe('the counter of tests', () => {
  test('accepts passed tests, and those skipped for other reasons, with --with-tools', async () => {
    expect(await count('passed', zipSkipReason, '--with-tools')).toMatchObject({ code: 0 });
    const name = 'a disk (skipped: only root can mount a small disk)';
    expect(await count('skipped', name, '--with-tools')).toMatchObject({ code: 0 });
  });

  test('counts a test skipped in one part of a run by its result in the other part', async () => {
    const parts = [
      await write([
        ['skipped', 'one'],
        ['passed', 'other'],
      ]),
      await write([
        ['failed', 'one'],
        ['skipped', 'other'],
      ]),
    ];
    const { code, output } = await run(...parts);
    expect(output).toContain('tests: 1 passed, 1 failed, 0 skipped');
    expect(code).toBe(1);
  });

  test('names a test that failed before it passed', async () => {
    const { code, output } = await run(await write([['passed', 'sometimes', 'it failed']]));
    expect(output).toContain(
      'tests: YELLOW, passed when run again: test/package/some.test.ts > sometimes',
    );
    expect(code).toBe(0);
  });
});

/**
 * Counts the tests of a report with one test with this name and status, and one test that passed.
 */
async function count(status: string, name: string, ...options: string[]) {
  return run(
    await write([
      [status, name],
      ['passed', 'another'],
    ]),
    ...options,
  );
}

/**
 * Writes a report of tests, each with its status, name and earlier failures. Returns the path of
 * the report.
 */
async function write(tests: readonly (readonly string[])[]): Promise<string> {
  written += 1;
  const file = join(folder, `${written}.json`);
  const name = join(import.meta.dirname, 'some.test.ts');
  const assertionResults = tests.map(([status, fullName, ...failureMessages]) => {
    return { status, fullName, failureMessages };
  });
  const status = tests.some(([state]) => state === 'failed') ? 'failed' : 'passed';
  const testResults = [{ name, status, assertionResults, startTime: 0, endTime: 1000 }];
  await writeFile(file, JSON.stringify({ testResults }));
  return file;
}

async function run(...args: string[]) {
  const ended = promisify(execFile)(process.execPath, [script, ...args]);
  return ended.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, output: error.stdout }),
  );
}
