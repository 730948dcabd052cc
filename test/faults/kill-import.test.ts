/** @module-tag full */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { writeBigDat } from '../support/data/big-dat.ts';
import { type Sandbox, useSandbox } from '../support/process.ts';

const KILLS = 10;
const ROWS = 10_000;

describe('the database', () => {
  test(`survives ${KILLS} kills of an import with the whole old or new catalogue`, async () => {
    const sandbox = await useSandbox();
    const [a, b] = [join(sandbox.folder, 'a.dat'), join(sandbox.folder, 'b.dat')];
    await writeBigDat(a, ROWS, { serial: 'A' });
    await writeBigDat(b, ROWS, { serial: 'B' });
    const start = performance.now();
    expect(await sandbox.run(['import', a])).toMatchObject({ code: 0 });
    const duration = performance.now() - start;
    expect(stateOf(sandbox)).toBe('A');
    let inTime = 0;
    for (let i = 0; i < KILLS; i++) {
      const target = stateOf(sandbox) === 'A' ? b : a;
      const before = newestJob(sandbox);
      const program = sandbox.start(['import', target]);
      await expect.poll(() => newestJob(sandbox)).toBeGreaterThan(before);
      // kill the first import at once, so that at least one kill interrupts an import
      if (i > 0) await setTimeout(Math.random() * duration);
      program.kill('SIGKILL');
      const { signal, stderr } = await program.ended;
      if (signal === 'SIGKILL') inTime++;
      expect(stderr).toBe(''); // in particular, no message that another import is running
      expect(['A', 'B']).toContain(stateOf(sandbox));
    }
    expect(inTime).toBeGreaterThan(0);
    const last = stateOf(sandbox) === 'A' ? b : a;
    expect(await sandbox.run(['import', last])).toMatchObject({ code: 0, stderr: '' });
    expect(stateOf(sandbox)).toBe(last === b ? 'B' : 'A');
  });
});

/**
 * Returns the name of the DAT from which the catalogue comes. If the catalogue is a mixture of both
 * DATs, returns the counts.
 */
function stateOf(sandbox: Sandbox): string {
  const database = new Database(join(sandbox.data, 'catalog.db'), { readonly: true });
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    const sql =
      'select substr(serial, 1, 1) as state, count(*) as n from listed_release group by 1';
    const rows = database.prepare<[], { state: string; n: number }>(sql).all();
    return rows.map(({ state, n }) => (n === ROWS ? state : `${n} of ${state}`)).join(' and ');
  } finally {
    database.close();
  }
}

function newestJob(sandbox: Sandbox): number {
  const database = new Database(join(sandbox.data, 'catalog.db'), { readonly: true });
  try {
    return Number(database.prepare('select max(id) from job').pluck().get());
  } finally {
    database.close();
  }
}
