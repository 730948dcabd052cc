/** @module-tag full */
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JobProgress } from '../../../src/core/jobs/job.ts';
import { backupWork } from '../../../src/jobs/backup-work.ts';
import { createLog } from '../../../src/program/log.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { openCatalog } from '../../../src/wire/open-catalog.ts';
import { testedDatabases } from '../../support/data/databases.ts';
import { useSandbox } from '../../support/process.ts';
import { openTerminal, terminalSkipReason } from '../../support/terminal.ts';
import { runTool, toolsSkipReason } from '../../support/tools.ts';
import { emptyDatabase, fill, query, readResponses } from './copied-catalogue.ts';

const hasServer = testedDatabases().length > 1;
const tables = `SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;

describe('a backup of a database server', () => {
  test.runIf(hasServer)('can be restored to a folder and to a server', async () => {
    const databaseUrl = await emptyDatabase();
    const sandbox = await useSandbox(undefined, databaseUrl);
    await fill(sandbox);
    const file = join(sandbox.folder, 'a.tar');
    const written = await sandbox.run(['backup', file, '--store']);
    expect(written).toMatchObject({ code: 0, stderr: '' });
    expect(written.stdout).toMatch(/: the database, 2 covers, 1 archive, \d+ bytes\n$/);
    const first = await readResponses(sandbox, [], {});
    expect(first).toMatchObject({ archive: 'an archive' });

    const inFolder = join(sandbox.folder, 'in-folder');
    const none = { CATALOG_DATABASE: '' };
    const restored = await sandbox.run(['restore', file, '--data', inFolder], { env: none });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toMatch(
      /^restored the database, 2 covers, 1 archive of .+ into \S+in-folder: /,
    );
    expect((await readdir(inFolder)).filter((name) => !/-(wal|shm)$/.test(name)).sort()).toEqual([
      'catalog.db',
      'covers',
      'store',
    ]);
    expect(await readResponses(sandbox, ['--data', inFolder], none)).toEqual(first);
    expect(await sandbox.run(['verify', '--data', inFolder], { env: none })).toMatchObject({
      code: 0,
    });

    // Both kinds of backup can also be restored to a database server.
    const files = [file, join(sandbox.folder, 'b.tar')];
    const again = ['backup', join(sandbox.folder, 'b.tar'), '--store', '--data', inFolder];
    expect(await sandbox.run(again, { env: none })).toMatchObject({ code: 0 });
    for (const each of files) {
      const other = await emptyDatabase();
      const data = `${each}-data`;
      const env = { CATALOG_DATABASE: other };
      const run = () => sandbox.run(['restore', each, '--data', data], { env });
      expect(await run()).toMatchObject({ code: 0, stderr: '' });
      expect((await readdir(data)).sort()).toEqual(['covers', 'store']);
      expect(await readResponses(sandbox, ['--data', data], env)).toEqual(first);
      expect(await run()).toMatchObject({ code: 1, stderr: expect.stringMatching(/is not empty/) });
    }
  });

  test.runIf(hasServer)(
    'is refused if it was changed or truncated, and leaves an empty database and no folder',
    async () => {
      const databaseUrl = await emptyDatabase();
      const sandbox = await useSandbox(undefined, databaseUrl);
      await fill(sandbox);
      const file = join(sandbox.folder, 'a.tar');
      expect(await sandbox.run(['backup', file])).toMatchObject({ code: 0 });
      const env = { CATALOG_DATABASE: await emptyDatabase() };
      const data = join(sandbox.folder, 'to');
      const run = (which: string) => sandbox.run(['restore', which, '--data', data], { env });
      const whole = await readFile(file);
      const changed = Buffer.from(whole);
      const at = whole.indexOf('"table":"release"') + 40;
      changed[at] = (changed[at] ?? 0) ^ 1;
      await writeFile(`${file}-1`, changed);
      await writeFile(`${file}-2`, whole);
      await truncate(`${file}-2`, Math.floor(whole.length / 1024) * 512);
      for (const each of [`${file}-1`, `${file}-2`]) {
        expect(await run(each)).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/truncated or was changed/),
        });
        expect((await query(env.CATALOG_DATABASE, tables)).rows).toEqual([]);
        expect(await readdir(sandbox.folder)).not.toContain('to');
      }
      expect(await run(file)).toMatchObject({ code: 0 });
      const db = join(sandbox.folder, 'a.db');
      expect(await sandbox.run(['backup', db])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/use a FILE.tar/),
      });
      expect(await sandbox.run(['backup', sandbox.data])).toMatchObject({ code: 2 });
    },
  );

  test.runIf(hasServer)(
    'prints only its report as JSON with --json, and so does its restore',
    async () => {
      const databaseUrl = await emptyDatabase();
      const sandbox = await useSandbox(undefined, databaseUrl);
      await fill(sandbox);
      const file = join(sandbox.folder, 'a.tar');
      const written = await sandbox.run(['backup', file, '--json']);
      expect(written).toMatchObject({ code: 0, stderr: '' });
      const bytes = (await stat(file)).size;
      const report = { file, bytes, covers: 2, archives: null, damaged: [] };
      expect(JSON.parse(written.stdout)).toEqual(report);
      const env = { CATALOG_DATABASE: '' };
      const data = join(sandbox.folder, 'to');
      const restored = await sandbox.run(['restore', file, '--data', data, '--json'], { env });
      expect(restored).toMatchObject({ code: 0, stderr: '' });
      const madeAt = expect.stringMatching(/^2.+Z$/);
      expect(JSON.parse(restored.stdout)).toEqual({
        madeAt,
        covers: 2,
        archives: null,
        ...{ forgotten: 0, attached: 0, missing: [], unknown: 0 },
        bytes: expect.any(Number),
      });
      const db = join(sandbox.folder, 'a.db');
      const alone = await sandbox.run(['backup', db, '--json', '--data', data], { env });
      expect(alone).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(alone.stdout)).toEqual({ file: db });
    },
  );

  test.runIf(hasServer && terminalSkipReason === '')(
    `shows its progress in rows in a terminal, and each phase of its restore${terminalSkipReason}`,
    async () => {
      const databaseUrl = await emptyDatabase();
      const sandbox = await useSandbox(undefined, databaseUrl);
      await fill(sandbox);
      const settings = { CATALOG_DATABASE: databaseUrl };
      const other = { CATALOG_DATABASE: await emptyDatabase() };
      const backup = openTerminal(sandbox, `catalog backup a.tar`, 100, settings);
      expect(await backup.ended).toBe(0);
      expect(backup.shown()).toMatch(/rows \[[#-]+\] \d+% \d+ of \d+ rows user/);
      for (const place of [{}, other]) {
        const restore = openTerminal(sandbox, `catalog restore a.tar --data $$`, 100, place);
        expect(await restore.ended).toBe(0);
        const phases = [...restore.shown().matchAll(/\r(\w+) \[[#-]+\] /g)].map(
          ([, phase]) => phase,
        );
        const once = ['copying', 'indexing', 'comparing'];
        const steps = phases.filter((phase, at) => phase !== phases[at - 1]);
        expect(steps).toEqual(place === other ? [...once, ...once] : once);
        expect(restore.shown()).toMatch(/indexing \[[#-]+\] 0% 0 of \d+ steps/);
        expect(restore.shown()).toMatch(/\x1b\[Krestored the database, 2 covers/);
      }
    },
  );

  test.runIf(hasServer)('reports the written rows in the progress of its job', async () => {
    const databaseUrl = await emptyDatabase();
    const sandbox = await useSandbox(undefined, databaseUrl);
    await fill(sandbox);
    await mkdir(join(sandbox.folder, 'to'));
    const options = { data: sandbox.data, 'backup-to': join(sandbox.folder, 'to') };
    const config = readConfig(options, { CATALOG_DATABASE: databaseUrl });
    const catalog = await openCatalog(config, createLog('silent'));
    onTestFinished(() => catalog.close());
    const work = backupWork(catalog);
    const reported: JobProgress[] = [];
    await work.run({
      signal: new AbortController().signal,
      onProgress: (progress) => reported.push(work.progressOf(progress)),
      step: null,
      async keepStep() {},
    });
    const rows = reported.filter(({ unit }) => unit === 'rows');
    const total = rows[0]?.total ?? 0;
    expect(rows[0]).toEqual({ phase: 'rows', done: 1, total, unit: 'rows', name: 'user' });
    expect(rows.at(-1)).toMatchObject({ done: total, total });
    expect(reported.at(-1)).toMatchObject({
      phase: 'backup',
      unit: 'bytes',
      name: 'catalog.jsonl',
    });
  });

  test.skipIf(!hasServer || toolsSkipReason('tar') !== null)(
    `can be unpacked by tar, and holds its rows as lines of JSON ${toolsSkipReason('tar') ?? ''}`,
    async () => {
      const sandbox = await useSandbox(undefined, await emptyDatabase());
      await sandbox.createDataFolder();
      const file = join(sandbox.folder, 'a.tar');
      expect(await sandbox.run(['backup', file])).toMatchObject({ code: 0 });
      const lines = runTool('tar', ['-xOf', file, 'catalog.jsonl']).trim().split('\n');
      const [head, table, row] = lines.map((line) => JSON.parse(line));
      expect(head).toEqual({
        catalog_rows: 1,
        schema: expect.any(Number),
        rows: lines.length - 2 - lines.filter((line) => line.startsWith('{"table"')).length,
      });
      expect(table).toMatchObject({
        table: 'user',
        last_id: 1,
        columns: { id: 'integer', is_active: 'boolean', username: 'text' },
      });
      expect(row).toEqual(expect.arrayContaining([1, true, 'first', 'admin']));
      expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ end: true });
    },
  );
});
