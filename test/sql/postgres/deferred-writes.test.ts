/** @module-tag full */
import { describe, expect, onTestFinished, test } from 'vitest';
import { DeferredWrites } from '../../../src/sql/engine/deferred-writes.ts';
import { openCurrent } from '../../../src/sql/postgres/open-current.ts';
import { installations } from '../../support/postgres/installations.ts';
import { useProxiedClone } from '../../support/postgres/proxied-clone.ts';

for (const { version, skipReason } of installations) {
  if (skipReason !== null) test.skip(`PostgreSQL ${version} (${skipReason})`);
}

const event = { area: 'games', bytes: 1, created_at: '2026-11-26T00:00:00.000Z' };

describe.each(installations.filter(({ skipReason }) => skipReason === null))(
  'PostgreSQL $version: deferred writes',
  (tested) => {
    test.each(['before', 'after'] as const)(
      'are stored once if the connection is cut %s the server commits',
      async (when) => {
        const { proxiedUrl, proxy } = await useProxiedClone(tested);
        const engine = await openCurrent(proxiedUrl);
        onTestFinished(() => engine.close());
        const lost: unknown[] = [];
        const writes = new DeferredWrites(engine, (_count, error) => void lost.push(error));
        const deferDownload = (name: string) =>
          writes.add(async (trx) => {
            await trx
              .insertInto('download_event')
              .values({ ...event, name })
              .execute();
          });
        const stored = async () => {
          const rows = await engine.read
            .selectFrom('download_event')
            .select('name')
            .orderBy('id')
            .execute();
          return rows.map(({ name }) => name);
        };
        proxy.cutAt('COMMIT', when);
        for (const name of ['a', 'b']) deferDownload(name);
        await expect.poll(stored).toEqual(['a', 'b']);
        deferDownload('c');
        await expect.poll(stored).toEqual(['a', 'b', 'c']);
        await writes.close();
        expect([await stored(), lost]).toEqual([['a', 'b', 'c'], []]);
      },
    );
  },
);
