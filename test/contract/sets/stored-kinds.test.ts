import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { DatIntake } from '../../../src/core/imports/dat-intake.ts';
import { kindBitsOf } from '../../../src/core/shared/names/kind-bits.ts';
import { readDat } from '../../../src/dats/read-dat.ts';
import { SqlImportRecords } from '../../../src/sql/imports/import-records.ts';
import { SqlReleaseRecords } from '../../../src/sql/releases/release-records.ts';
import { game, xml } from '../../imports/support/dat-text.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { steppingClock, useEngine } from '../fixtures/use-engine.ts';
import { actor } from '../fixtures/use-releases.ts';

const endings = [
  ...['', ' (USA)', ' (Europe) (En,Fr)', ' (Rev 1)', ' (Virtual Console)', ' (Disc 1)'],
  ...[' (Demo)', ' (Demo 2)', ' (Kiosk Demo)', ' (Kiosk, Demo)', ' (Taikenban)', ' (Beta 1.2)'],
  ...[' (Proto)', ' (Possible Proto)', ' (Unl)', ' (Pirate)', ' [b1]', ' [h1 Translated]'],
  ...[' [T+Ger1.00]', ' [BIOS]', ' (B)', ' (Debug) (Program)', ' (Promo', ' ((Beta))'],
];
const titles = ['Amber', '[BIOS] Amber', 'Action Replay 2', 'The Beta', 'Größe (x)', 'Cheat Demo'];

/** Returns numbers from 0 to `below` - 1 that look random and are the same in each run. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** Returns a name that no other release of the test has. */
function randomName(below: (limit: number) => number, unique: string): string {
  const ending = () => endings[below(endings.length)] ?? '';
  const parts = Array.from({ length: below(4) }, ending);
  return `${titles[below(titles.length)]} ${unique}${parts.join('')}`;
}

describeEngines('$name: the stored kinds of releases', ({ open }) => {
  test('match the release names after imports, renames, edits and dropped edits', async () => {
    const engine = await useEngine(open);
    const clock = steppingClock();
    const imports = new SqlImportRecords({ engine, clock });
    const releases = new SqlReleaseRecords({ engine, clock });
    const take = (text: string) => {
      const rows = imports.newImport();
      return rows.run(
        async () => {
          const intake = new DatIntake(rows);
          await readDat(Readable.from([Buffer.from(text)]), intake);
          return intake.result('a.dat', createHash('sha256').update(text).digest('hex'));
        },
        { source: 'a' },
        { signal: new AbortController().signal, onWritten() {} },
        actor,
      );
    };
    const stored = async () =>
      engine.read.selectFrom('release').select(['id', 'name', 'kinds']).orderBy('id').execute();
    const expectKinds = async (step: string) => {
      const rows = await stored();
      const expected = rows.map((row) => ({ ...row, kinds: kindBitsOf(row.name) }));
      expect(rows, step).toEqual(expected);
      return rows;
    };

    const below = numbers(7);
    const names = Array.from({ length: 150 }, (_, i) => randomName(below, `a${i}`));
    const seeds = names.map((_, i) => `seed ${i}`);
    const rowsOf = (list: readonly string[]) => list.map((name, i) => game(name, `${seeds[i]}`));
    await take(xml(rowsOf(names), undefined, '1'));
    const imported = await expectKinds('imported');
    expect(new Set(imported.map(({ kinds }) => kinds)).size).toBeGreaterThan(15);

    const edited = imported.slice(0, 30);
    for (const { id } of edited) {
      await releases.edit(id, { name: `Edited ${id} (Demo)`, region: 'Asia' }, actor);
    }
    await expectKinds('edited');

    await take(xml(rowsOf(names.map((_, i) => randomName(below, `b${i}`))), undefined, '2'));
    const renamed = await expectKinds('renamed');
    const isDemo = ({ kinds }: { kinds: number }) => (kinds & kindBitsOf('A (Demo)')) !== 0;
    expect(renamed.slice(0, 30).every(isDemo)).toBe(true);
    expect(renamed.slice(30).map(({ name }) => name)).not.toEqual(
      imported.slice(30).map(({ name }) => name),
    );

    for (const { id } of edited) await releases.dropEdit(id, 'name', actor);
    const dropped = await expectKinds('dropped');
    expect(dropped.slice(0, 30).every(isDemo)).toBe(false);
    for (const { id } of edited) await releases.dropEdit(id, 'region', actor);
    await expectKinds('dropped region');
  });
});
