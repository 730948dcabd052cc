import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Figure } from '../../measure/figure.ts';
import { startServer } from '../../measure/program.ts';
import type { Check } from '../../trust/check.ts';
import { checks } from '../../trust/checks.ts';
import { plantedCopy, plantedFiles } from '../../trust/planted-copy.ts';
import { hasPassed, runCheck } from '../../trust/run-check.ts';

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-trust-test-'));
  folders.push(folder);
  return folder;
}

const wait = (value: number): Figure => ({ what: 'wait', value, unit: 'ms', max: 250 });

/** Returns a check whose figure is `sound` normally, and `planted` when the fault is present. */
function checkOf(sound: number, planted: number): Check {
  return {
    name: 'example',
    control: { what: 'a fault' },
    measure: async ({ isControl }) => [wait(isControl ? planted : sound)],
  };
}

const run = async (check: Check) =>
  runCheck(check, {
    folder: await temporaryFolder(),
    largeCatalogue: async () => '',
    seed: 1,
    minutes: 1,
  });

describe('the runner of checks', () => {
  test('passes a check when its figure holds and the fault is caught', async () => {
    expect(hasPassed(await run(checkOf(20, 900)))).toBe(true);
  });

  test.each([
    ['its figure misses its limit', 900, 900],
    ['the planted fault is not detected', 20, 20],
    ['nothing was measured', Number.NaN, 900],
  ])('fails a check when %s', async (_why, sound, planted) => {
    expect(hasPassed(await run(checkOf(sound, planted)))).toBe(false);
  });

  test('fails a check when one of the figures that its fault breaks still holds', async () => {
    const check = (breaks: readonly string[]): Check => ({
      name: 'example',
      control: { what: 'a fault', breaks },
      measure: async ({ isControl }) => [
        wait(isControl ? 900 : 20),
        { ...wait(20), what: 'other' },
      ],
    });
    expect(hasPassed(await run(check(['wait'])))).toBe(true);
    expect(hasPassed(await run(check(['wait', 'other'])))).toBe(false);
  });

  test('fails a check that throws, even when only its control throws', async () => {
    for (const throws of [false, true]) {
      const outcome = await run({
        ...checkOf(20, 900),
        async measure({ isControl }) {
          if (isControl === throws) throw new Error('no server');
          return [wait(isControl ? 900 : 20)];
        },
      });
      expect(outcome).toEqual({ name: 'example', failed: 'no server' });
      expect(hasPassed(outcome)).toBe(false);
    }
  });

  test('skips a check that the machine cannot run, and does not count it as passed', async () => {
    const outcome = await run({ ...checkOf(20, 900), skipReason: async () => 'no root' });
    expect(outcome).toEqual({ name: 'example', skipped: 'no root' });
    expect(hasPassed(outcome)).toBe(false);
  });

  test('finds in the sources the text that each planted fault replaces', async () => {
    for (const { control, shortened = [] } of checks) {
      const changes = [...shortened, ...(control.changes ?? [])];
      const planted = await plantedFiles(changes);
      for (const { file, to } of changes) expect(planted.get(file)).toContain(to);
    }
  });

  test('starts a server from a copy of the sources', async () => {
    const folder = await temporaryFolder();
    const program = await plantedCopy(join(folder, 'copy'), []);
    const server = await startServer(join(folder, 'data'), [], program);
    await server.stop();
    expect(await server.ended).toBe(0);
  });

  test('reports a fault that cannot be planted', async () => {
    const changes = [{ file: 'src/main.ts', from: 'no such text', to: '' }];
    const folder = await temporaryFolder();
    await expect(plantedCopy(folder, changes)).rejects.toThrow(
      'src/main.ts does not hold once: no such text',
    );
    expect(await readdir(folder)).toEqual([]);
  });
});
