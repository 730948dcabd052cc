import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clrmamepro, game, type RowText } from './support/dat-text.ts';
import { type ImportsFixture, useImports } from './support/imports-fixture.ts';

/**
 * Number of facts. With this number, an import that fails at the last fact has already written
 * other facts.
 */
const factCount = 2_000;

function facts(genre: string): RowText[] {
  return Array.from({ length: factCount }, (_, index) => ({
    fields: { genre },
    roms: [{ crc: index.toString(16).padStart(8, '0') }],
  }));
}

const games = [game('One', 'a'), game('Two', 'b')];
/** A DAT in which some rows have no name. Such rows count as metadata. */
const mixed = clrmamepro([...games, ...facts('Puzzle')]);

function listed(imports: ImportsFixture): number {
  const [row] = imports.query<{ count: number }>('SELECT count(*) AS count FROM listed_release');
  return row?.count ?? 0;
}

/** Simulates a full disk: from now on, writing a fact with this key fails. */
function failAt(imports: ImportsFixture, key: string): void {
  const database = new Database(join(imports.data, 'catalog.db'));
  onTestFinished(() => void database.close());
  for (const event of ['INSERT', 'UPDATE']) {
    database.exec(`CREATE TRIGGER fail_${event} BEFORE ${event} ON metadata_row
      WHEN new.key = '${key}' BEGIN SELECT RAISE(ABORT, 'the disk is gone'); END`);
  }
}

describe('an import with metadata rows', () => {
  test('hides no release of a repeated DAT while only metadata changes', async () => {
    const imports = await useImports();
    await imports.take(mixed);
    await imports.take(clrmamepro(facts('Action')));
    let isDone = false;
    const importing = imports.take(mixed).finally(() => {
      isDone = true;
    });
    const seen = new Set<number>();
    while (!isDone) {
      seen.add(listed(imports));
      await setTimeout(1);
    }
    await importing;
    expect([...seen]).toEqual([2]);
  });

  test('removes no release of a repeated DAT if writing the metadata fails', async () => {
    const imports = await useImports();
    await imports.take(mixed);
    await imports.take(clrmamepro(facts('Action')));
    failAt(imports, (factCount - 1).toString(16).padStart(8, '0'));
    await expect(imports.take(mixed)).rejects.toThrow('the disk is gone');
    await imports.take(clrmamepro([game('Three', 'c')], 'Quite - Other'), { dryRun: true });
    expect(imports.query('SELECT name FROM release ORDER BY id')).toEqual([
      { name: 'One' },
      { name: 'Two' },
    ]);
  });

  test('leaves no metadata of a file whose import failed', async () => {
    const imports = await useImports();
    await imports.take(clrmamepro(games));
    failAt(imports, (factCount - 1).toString(16).padStart(8, '0'));
    await expect(imports.take(clrmamepro(facts('Puzzle')))).rejects.toThrow('the disk is gone');
    expect(imports.query('SELECT count(*) AS count FROM metadata_row')).toEqual([{ count: 0 }]);
  });
});
