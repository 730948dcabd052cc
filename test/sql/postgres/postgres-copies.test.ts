/** @module-tag full */
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fillPostgres, openPostgres, schemaVersion } from '../../../src/sql/engine/open.ts';
import { copyRows } from '../../../src/sql/rows/copy-rows.ts';
import { sourceOf } from '../../../src/sql/rows/read-tables.ts';
import { rowTables } from '../../../src/sql/rows/row-tables.ts';
import { installations } from '../../support/postgres/installations.ts';
import { useProxiedClone } from '../../support/postgres/proxied-clone.ts';

for (const { version, skipReason } of installations) {
  if (skipReason !== null) test.skip(`PostgreSQL ${version} (${skipReason})`);
}

describe.each(installations.filter(({ skipReason }) => skipReason === null))(
  'PostgreSQL $version',
  (installation) => {
    async function useEmpty(change?: (bytes: Buffer) => Buffer) {
      const made = await useProxiedClone(installation, change);
      await query(made.databaseUrl, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      return made;
    }

    const options = { version: schemaVersion, tables: rowTables };

    describe('a database whose connection is lost at the COMMIT of a copy', () => {
      test('is filled if the server has committed', async () => {
        const { databaseUrl, proxiedUrl, proxy } = await useEmpty();
        const filling = fillPostgres(proxiedUrl, options, async () => {
          proxy.cutAt('COMMIT', 'after');
          return 'all of it';
        });
        expect(await filling).toBe('all of it');
        expect(await query(databaseUrl, 'SELECT version FROM schema_version')).toEqual([
          { version: schemaVersion },
        ]);
      });

      test('is empty and reported as unreachable if the server has not committed', async () => {
        const { databaseUrl, proxiedUrl, proxy } = await useEmpty();
        const filling = fillPostgres(proxiedUrl, options, async () =>
          proxy.cutAt('COMMIT', 'before'),
        );
        await expect(filling).rejects.toMatchObject({
          kind: 'refused',
          message: expect.stringMatching(/^cannot reach the database postgres:/),
        });
        expect(await tablesOf(databaseUrl)).toEqual([]);
      });

      test('is reported with an unknown outcome if it cannot be queried', async () => {
        let close = () => {};
        const { databaseUrl, proxiedUrl, proxy } = await useEmpty((bytes) => {
          if (bytes.includes('COMMIT\0')) close();
          return bytes;
        });
        close = () => void proxy.close();
        const filling = fillPostgres(proxiedUrl, options, async () => undefined);
        await expect(filling).rejects.toMatchObject({
          kind: 'refused',
          outcomeUnknown: true,
          message: expect.stringMatching(
            /it is unknown whether it was committed \(cannot reach .+\): check the target before you copy again$/,
          ),
        });
        expect(await tablesOf(databaseUrl)).not.toEqual([]);
      });
    });

    describe('a database that is copied to another one', () => {
      const copyTo = async (from: string, to: string, duringCopy: () => Promise<void>) => {
        const engine = await openPostgres(from);
        onTestFinished(() => engine.close());
        return engine.snapshot(async ({ reader, version }) => {
          const source = await sourceOf(reader, rowTables, version);
          await fillPostgres(to, options, async (target) => {
            await duringCopy();
            const { signal } = new AbortController();
            await copyRows(source, target, { signal, onProgress: () => undefined });
          });
        });
      };

      test('is named in the error if its connection is lost during the copy', async () => {
        const [from, to] = [await useProxiedClone(installation), await useEmpty()];
        const copying = copyTo(from.proxiedUrl, to.databaseUrl, () => from.proxy.close());
        await expect(copying).rejects.toMatchObject({ kind: 'refused' });
        await expect(copying).rejects.toThrow(
          `cannot reach the database postgres://127.0.0.1:${from.proxy.port}/`,
        );
        expect(await tablesOf(to.databaseUrl)).toEqual([]);
      });

      test('is named in the error if its connection is lost before the copy begins', async () => {
        const from = await useProxiedClone(installation);
        const engine = await openPostgres(from.proxiedUrl);
        onTestFinished(() => engine.close());
        await from.proxy.close();
        const taking = engine.snapshot(() => setTimeout(0));
        await expect(taking).rejects.toMatchObject({
          kind: 'refused',
          message: expect.stringContaining(`cannot reach the database ${engine.name}: `),
        });
      });

      test('leads to an error with the name of the target if the target is lost', async () => {
        const [from, to] = [await useProxiedClone(installation), await useEmpty()];
        const copying = copyTo(from.databaseUrl, to.proxiedUrl, () => to.proxy.close());
        await expect(copying).rejects.toThrow(
          `cannot reach the database postgres://127.0.0.1:${to.proxy.port}/`,
        );
      });
    });
  },
);

async function query(databaseUrl: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  return client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

function tablesOf(databaseUrl: string): Promise<unknown[]> {
  return query(
    databaseUrl,
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
}
