import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const script = join(import.meta.dirname, '../../scripts/count-tests.mjs');
const lacksZip = 'zip skipped: needs the package zip';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-count-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a test that was skipped for lack of a tool', () => {
  test('is counted where the tools need not be there', async () => {
    expect(await count('skipped', lacksZip)).toMatchObject({ code: 0 });
  });

  test('is a failure where they are, and is named', async () => {
    const { code, output } = await count('skipped', lacksZip, '--with-tools');
    expect(code).toBe(1);
    expect(output).toContain(lacksZip);
  });

  test('of the browser, too', async () => {
    const name = 'a release (skipped: needs Chromium, see CHROMIUM_PATH)';
    expect(await count('skipped', name, '--with-tools')).toMatchObject({ code: 1 });
  });
});

test('what passed, and what is skipped for another reason, is no failure', async () => {
  expect(await count('passed', lacksZip, '--with-tools')).toMatchObject({ code: 0 });
  const name = 'a disk (skipped: only root can mount a small disk)';
  expect(await count('skipped', name, '--with-tools')).toMatchObject({ code: 0 });
});

/** Counts a report of one test of this name and state beside one that passed. */
async function count(status: string, fullName: string, ...options: string[]) {
  const file = join(folder, 'report.json');
  const name = join(import.meta.dirname, 'some.test.ts');
  const assertionResults = [
    { status, fullName },
    { status: 'passed', fullName: 'another' },
  ];
  const times = { startTime: 0, endTime: 1000 };
  const testResults = [{ name, status: 'passed', assertionResults, ...times }];
  await writeFile(file, JSON.stringify({ testResults }));
  const ended = promisify(execFile)(process.execPath, [script, file, ...options]);
  return ended.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, output: error.stdout }),
  );
}
