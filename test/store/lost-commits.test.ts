/** @module-tag full */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock as clock } from '../../src/core/shared/clock.ts';
import { FileChanges } from '../../src/core/shared/files/file-changes.ts';
import { localArea } from '../../src/files/local/local-area.ts';
import { ownerMark } from '../../src/files/process-mark.ts';
import { openCurrent } from '../../src/sql/postgres/open-current.ts';
import { archiveReservations } from '../../src/sql/store/store-records.ts';
import { chunks } from '../covers/covers-fixture.ts';
import { makeClone } from '../support/postgres/clones.ts';
import { makeProxy } from '../support/postgres/cutting-proxy.ts';
import { installations } from '../support/postgres/installations.ts';

const actor = { kind: 'system' } as const;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const target = 'store/games/a.zip';

for (const { version, skipReason } of installations) {
  if (skipReason !== null) test.skip(`PostgreSQL ${version} (${skipReason})`);
}

describe.each(installations.filter(({ skipReason }) => skipReason === null))(
  'PostgreSQL $version: a change of files whose confirmation loses the connection',
  (tested) => {
    /**
     * Returns functions that save, remove and inspect a file. For each entry in `cuts`, the next
     * confirmation loses its connection before or after the server commits.
     */
    async function useChanges() {
      const { databaseUrl, drop } = await makeClone(tested);
      onTestFinished(drop);
      const proxy = await makeProxy(Number(new URL(databaseUrl).port));
      onTestFinished(() => proxy.close());
      const engine = await openCurrent(
        Object.assign(new URL(databaseUrl), { port: String(proxy.port) }).href,
      );
      onTestFinished(() => engine.close());
      const data = await mkdtemp(join(tmpdir(), 'catalog-lost-commits-'));
      onTestFinished(() => rm(data, { recursive: true }));
      const [folder, tmp] = [join(data, 'games'), join(data, 'tmp')];
      const area = localArea({ folder, tmp });
      const cuts: ('before' | 'after')[] = [];
      const records = archiveReservations({ engine, clock });
      const confirm = records.confirm.bind(records);
      records.confirm = (...args) => {
        const when = cuts.shift();
        if (when !== undefined) proxy.cutAt('COMMIT', when);
        return confirm(...args);
      };
      const failures: unknown[] = [];
      const changes = new FileChanges({
        ...{ records, clock, areaOf: () => area, owner: ownerMark() },
        ownerState: async () => 'alive',
        elapsed: () => performance.now(),
        onRecovered() {},
        onFailure: (error) => void failures.push(error),
      });
      onTestFinished(() => changes.close());
      const save = async (text: string) => {
        const file = { name: 'a.zip', size: text.length, sha256: sha256(text) };
        const staged = await area.stage(chunks(Buffer.from(text)));
        return changes.publish({ target, area: 'games', file, gone: [] }, staged, actor);
      };
      const remove = () =>
        changes.remove({ target, area: 'games', file: null, gone: ['a.zip'] }, actor);
      /**
       * Returns the leftovers, the text of the file, the checksum in its row, and the audited
       * actions.
       */
      const seen = async () => ({
        left: [...(await readdir(tmp)), ...(await records.listReservations())],
        text: await readFile(join(folder, 'a.zip'), 'utf8').catch(() => null),
        row: (await engine.read.selectFrom('stored_file').select('sha256').execute())[0]?.sha256,
        audit: (await engine.read.selectFrom('audit').select('action').orderBy('id').execute()).map(
          ({ action }) => action,
        ),
        failures,
      });
      return { cuts, save, remove, seen };
    }

    test.each(['before', 'after'] as const)(
      'succeeds exactly once if the connection is cut %s the server commits',
      async (when) => {
        const { cuts, save, remove, seen } = await useChanges();
        await save('old');
        cuts.push(when);
        expect(await save('new')).toBe(true);
        const made = { text: 'new', row: sha256('new'), left: [], failures: [] };
        const audit = ['archive.upload', 'archive.upload'];
        expect(await seen()).toEqual({ ...made, audit });
        cuts.push(when);
        expect(await remove()).toBe(true);
        const gone = { text: null, row: undefined, left: [], failures: [] };
        expect(await seen()).toEqual({ ...gone, audit: [...audit, 'archive.remove'] });
      },
    );

    test.each([
      ['without a commit', ['before', 'before']],
      ['after a commit', ['after', 'before']],
    ] as const)(
      'is busy after repeated cuts %s, but its row matches the file later',
      async (_which, when) => {
        const { cuts, save, seen } = await useChanges();
        await save('old');
        cuts.push(...when);
        await expect(save('new')).rejects.toMatchObject({ kind: 'busy' });
        const made = { text: 'new', row: sha256('new'), left: [], failures: [] };
        const after = { ...made, audit: ['archive.upload', 'archive.upload'] };
        await expect.poll(seen).toEqual(after);
        await setTimeout(100); // to see that no further recovery happens
        expect(await seen()).toEqual(after);
      },
    );
  },
);
