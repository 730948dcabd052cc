import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/shared/clock.ts';
import { normaliseSerials } from '../../src/core/shared/serial.ts';
import { openDatabase } from '../../src/sql/engine/open.ts';
import { SqlReleaseRecords } from '../../src/sql/releases/release-records.ts';
import { migrate } from '../../src/sql/sqlite/migrate.ts';
import { migrations } from '../../src/sql/sqlite/migrations/list.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';

/** A release as an earlier version stored it. */
interface Before {
  readonly serial: string;
  /** Forms of the serial that are stored for source 0. */
  readonly forms: readonly string[];
  readonly own?: string;
  readonly text: string;
  readonly edited?: string;
}

/** Normalises a serial by the rule of earlier versions. */
const old = (text: string) => text.replace(/[- _]/g, '').toUpperCase();

function filled(serial: string): Before {
  return {
    serial,
    forms: [old(serial)],
    text: `game ${serial.toLowerCase()} ${old(serial).toLowerCase()}`,
  };
}

const before: Before[] = [
  filled('ULES-01413/1.00'),
  filled('SLUS_207.18'),
  filled('ULJM-06174-0'),
  filled('NPJH-50443, ULJM-05800'),
  filled('PLAIN-00001'),
  // The serial was filled. Later, the release's DAT stated another serial.
  { ...filled('DATS-00007'), forms: [old('SLPS-25050/1.00')] },
  // The same case, but no file states the filled serial any more.
  { ...filled('DATS-00008'), forms: [old('GONE-11111/2.00')] },
  // A user edited the serial, or edited the name after the serial was filled.
  {
    serial: 'HAND-00009',
    forms: ['HAND00009'],
    own: 'game hand-00009 hand00009',
    text: 'game hand-00009 hand00009 game',
    edited: 'serial',
  },
  {
    serial: 'NAME-00010',
    forms: ['NAME00010'],
    own: 'mine name-00010 name00010',
    text: 'mine name-00010 name00010 game',
    edited: 'name',
  },
  // A user edited the name before the serial was filled.
  {
    ...filled('LATE-00011/3'),
    own: 'mine',
    text: 'mine game late-00011/3 late00011/3',
    edited: 'name',
  },
];

async function upgraded() {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-serials-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'catalog.db');
  const step = migrations.findIndex(({ name }) => name === '0010-filled-serials');
  const earlier = await openSqlite(file, { create: true });
  await migrate(earlier, migrations.slice(0, step));
  await earlier.close();
  fill(file);
  const engine = await openDatabase(file);
  onTestFinished(() => engine.close());
  return engine;
}

function fill(file: string): void {
  const database = new Database(file);
  database.exec(`INSERT INTO platform (id, key, name) VALUES (1, 'p', 'P');
    INSERT INTO source (id, platform_id, name, header_name, system) VALUES (1, 1, '', 'P', 'games');
    INSERT INTO metadata_row VALUES (1, 'crc', '12345678', 'serial', 'SLPS-25050/1.00')`);
  const run = (sql: string, ...values: unknown[]) => database.prepare(sql).run(...values);
  for (const [index, { serial, forms, own = '', text, edited }] of before.entries()) {
    const id = index + 1;
    run(`INSERT INTO release VALUES (?, 1, 'games', 'Game', '', ?, '')`, id, serial);
    run(
      `INSERT INTO source_row VALUES (1, ?, 'Game', '', '', '', '', '', '', '', 'game', 1, 0)`,
      id,
    );
    run('INSERT INTO release_text (release_id, own, text) VALUES (?, ?, ?)', id, own, text);
    for (const form of forms) run('INSERT INTO release_serial VALUES (?, 0, ?)', id, form);
    run('INSERT INTO release_serial VALUES (?, 1, ?)', id, `OFDAT${id}`);
    if (edited) run('INSERT INTO release_edit VALUES (?, ?, ?)', id, edited, '2026-01-01');
  }
  database.close();
}

describe('the upgrade of serials', () => {
  test('normalises filled serials by the common rule, and keeps correct serials', async () => {
    const engine = await upgraded();
    const forms = await engine.read
      .selectFrom('release_serial')
      .select(['release_id', 'serial'])
      .where('source_id', '=', 0)
      .orderBy('release_id')
      .orderBy('serial')
      .execute();
    const formsOf = (id: number) =>
      forms.filter((form) => form.release_id === id).map((form) => form.serial);
    const stated = before.map(({ serial }) => serial);
    stated[5] = 'SLPS-25050/1.00';
    stated[6] = 'GONE11111/2.00';
    const ids = before.map((_, index) => index + 1);
    expect(ids.map(formsOf)).toEqual(stated.map((serial) => normaliseSerials(serial).toSorted()));
    const others = await engine.read
      .selectFrom('release_serial')
      .where('source_id', '=', 1)
      .select('serial')
      .execute();
    expect(others).toHaveLength(before.length);
  });

  test('lets a release be found by its serials as written and in normalised forms', async () => {
    const engine = await upgraded();
    const records = new SqlReleaseRecords({ engine, clock: systemClock });
    const filter = { system: '', q: '', platform: '', region: '', limit: 50, offset: 0 };
    const found = async (search: string) =>
      (await records.list({ ...filter, search })).map(({ id }) => id);
    for (const [index, { serial }] of before.entries()) {
      if (index === 5 || index === 6) continue;
      const parts = serial.split(', ');
      for (const search of [...parts, ...normaliseSerials(serial)]) {
        expect([search, await found(search)]).toEqual([search, [index + 1]]);
      }
    }
    expect(await found('slps25050')).toEqual([6]);
    expect(await found('gone11111')).toEqual([7]);
    expect(await found('mine')).toEqual([9, 10]);
    expect(await found('game')).toEqual(before.map((_, index) => index + 1));
  });

  test('stores filled text separately from edited text', async () => {
    const engine = await upgraded();
    const rows = await engine.read
      .selectFrom('release_text')
      .select(['own', 'filled', 'text'])
      .orderBy('release_id')
      .execute();
    expect(rows.map(({ filled }) => filled)).toEqual([
      'ules-01413/1.00 ules01413 ules01413100',
      'slus_207.18 slus20718',
      'uljm-06174-0 uljm06174 uljm061740',
      'npjh-50443, uljm-05800 npjh50443 uljm05800',
      'plain-00001 plain00001',
      'slps-25050/1.00 slps25050 slps25050100',
      'gone11111/2.00 gone11111 gone11111200',
      '',
      '',
      'late-00011/3 late00011 late000113',
    ]);
    expect(rows.at(0)?.text).toBe('ules-01413/1.00 ules01413 ules01413100 game');
    expect(rows.at(7)?.text).toBe('game hand-00009 hand00009 game');
    expect(rows.at(9)?.text).toBe('mine late-00011/3 late00011 late000113 game');
  });
});
