import { describe, expect, test } from 'vitest';
import { countFiles, listFiles } from '../../src/sql/library/shown-files.ts';
import { recordQueries } from './query-plans.ts';
import { testFolder } from './sqlite/sqlite-fixture.ts';

const folder = testFolder();
const all = { search: '', system: '', state: '' } as const;

const openRecording = async () => recordQueries(await folder.openNew());

describe('the library list', () => {
  test.each([
    [{}, 'library_file_listed'],
    [{ system: 'games' }, 'library_file_listed'],
    [{ state: 'ambiguous', search: 'two words' }, 'library_file_listed'],
    [{ state: 'damaged', system: 'games', search: 'x' }, 'library_file_damaged'],
  ] as const)('lists files by %j from one covering index, in its order', async (filter, index) => {
    const { engine, plans } = await openRecording();
    await listFiles(engine.read, { ...all, ...filter }, { limit: 50, offset: 5000 });
    const steps = [...new Set((await plans()).flat())];
    expect(steps.filter((step) => / library_file\b/.test(step))).toEqual([
      `SCAN library_file USING COVERING INDEX ${index}`,
    ]);
    // Only the 50 rows of the page are sorted.
    expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toHaveLength(1);
  });

  test('counts files by state from covering indexes only', async () => {
    const { engine, plans } = await openRecording();
    await countFiles(engine.read, { search: 'x', system: 'games' });
    const steps = (await plans()).flat().filter((step) => / library_file\b/.test(step));
    for (const step of steps) expect(step).toContain('COVERING INDEX');
    expect(steps).toHaveLength(2);
  });
});
